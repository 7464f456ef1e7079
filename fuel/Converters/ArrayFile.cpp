// ArrayFile: see ArrayFile.h.
#include "fuel/Converters/ArrayFile.h"

#include "blocks/Error.h"

namespace fuel {

void ArrayFile::describe(std::string file, blocks::DType dtype,
                         const blocks::Shape &shape, bool text) {
  name = std::move(file);
  if (shape.empty())
    throw blocks::InputError("'" + name +
                             "' holds a single value; expected an array whose "
                             "axis 0 counts examples");
  source.dtype = dtype;
  source.shape = shape;
  source.text = text;
  source.shape[0] = -1;
  count = shape[0];
  bytesOfRow = blocks::dtypeSize(dtype);
  for (size_t axis = 1; axis < shape.size(); ++axis)
    if (shape[axis] <= 0 ||
        __builtin_mul_overflow(bytesOfRow, size_t(shape[axis]), &bytesOfRow))
      throw blocks::InputError("'" + name + "' has the shape " +
                               blocks::formatShape(shape) +
                               "; expected rows of at least one element");
}

} // namespace fuel

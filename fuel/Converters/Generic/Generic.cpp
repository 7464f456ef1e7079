// The generic converters as a list: see Generic.h.
#include "fuel/Converters/Generic/Generic.h"

#include "fuel/Converters/BuiltIn.h"

namespace fuel {

std::vector<Converter> genericConverters() {
  return {appendSplitConverter(),  csvConverter(), idxConverter(),
          imagesConverter(),       npyConverter(), npzConverter(),
          parallelTextConverter(), textConverter()};
}

} // namespace fuel

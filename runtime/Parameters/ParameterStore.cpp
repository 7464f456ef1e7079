// ParameterStore: see ParameterStore.h and include/blocks/Parameters.h.
#include "runtime/Parameters/ParameterStore.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"
#include "runtime/Parameters/Initialization.h"

#include <cstring>
#include <iomanip>
#include <iterator>
#include <new>
#include <sstream>
#include <unistd.h>

namespace blocks {

namespace {
double bytesOf(const StateSpec &spec) {
  double bytes = double(dtypeSize(spec.dtype));
  for (int64_t extent : spec.shape)
    bytes *= double(extent);
  return bytes;
}

/// "3.14 GB".
std::string bytesText(double bytes) {
  constexpr const char *units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit)
    bytes /= 1000;
  std::ostringstream text;
  text << std::setprecision(3) << bytes << " " << units[unit];
  return text.str();
}

[[noreturn]] void failForMemory(const ProgramSpec &spec,
                                const std::string &memory) {
  double all = 0;
  const StateSpec *largest = &spec.state.front();
  for (const StateSpec &one : spec.state) {
    all += bytesOf(one);
    if (bytesOf(one) > bytesOf(*largest))
      largest = &one;
  }
  throw InputError("the parameters and their optimizer's state take " +
                   bytesText(all) + ", but " + memory + "; '" + largest->path +
                   "' of shape " + formatShape(largest->shape) + " and type " +
                   std::string(dtypeName(largest->dtype)) + " alone takes " +
                   bytesText(bytesOf(*largest)) +
                   ": make the dimensions of its brick smaller");
}

/// Fails before anything is allocated: most systems grant more memory than
/// there is, and end the process when it is used.
void checkMemory(const ProgramSpec &spec) {
  double memory =
      double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
  double all = 0;
  for (const StateSpec &one : spec.state)
    all += bytesOf(one);
  if (all > memory && memory > 0)
    failForMemory(spec, "this machine has " + bytesText(memory));
}
} // namespace

ProgramState makeInitialState(const ProgramSpec &spec, uint64_t seed) {
  checkMemory(spec);
  ProgramState state;
  state.arrays.reserve(spec.state.size());
  try {
    for (const StateSpec &one : spec.state)
      state.arrays.push_back(makeInitialArray(one, seed));
  } catch (const std::bad_alloc &) {
    failForMemory(spec, "the system grants no more memory");
  }
  return state;
}

bool isParameter(const StateSpec &spec) {
  return !spec.path.starts_with("/algorithm.") &&
         !spec.path.starts_with("/algorithm/");
}

namespace {
constexpr size_t maxListed = 8;

/// Lines of an error, of which only the first few are shown.
class Complaints {
public:
  void add(const std::string &line) {
    if (count++ < maxListed)
      text += "\n  " + line;
  }
  void throwIfAny(const std::string &where) const {
    if (!count)
      return;
    std::string rest =
        count > maxListed
            ? "\n  and " + std::to_string(count - maxListed) + " more"
            : "";
    throw InputError("'" + where + "' does not fit the model:" + text + rest);
  }

private:
  std::string text;
  size_t count = 0;
};

std::string describe(DType dtype, const Shape &shape) {
  return std::string(dtypeName(dtype)) + " " + formatShape(shape);
}

void compare(const StateSpec &spec, const ArrayView &array,
             Complaints &complaints) {
  if (array.dtype != spec.dtype || array.shape != spec.shape)
    complaints.add("'" + spec.path + "' is " +
                   describe(array.dtype, array.shape) + " in the file, " +
                   describe(spec.dtype, spec.shape) + " in the model");
}
} // namespace

void setParameters(const ProgramSpec &spec, ProgramState &state,
                   const std::map<std::string, ArrayView> &arrays,
                   const std::string &where) {
  Complaints complaints;
  for (const StateSpec &one : spec.state) {
    if (!isParameter(one))
      continue;
    auto it = arrays.find(one.path);
    if (it == arrays.end())
      complaints.add("'" + one.path + "' (" + describe(one.dtype, one.shape) +
                     ") is missing in the file");
    else
      compare(one, it->second, complaints);
  }
  for (const auto &[name, array] : arrays) {
    int64_t index = spec.findState(name);
    if (index < 0 || !isParameter(spec.state[size_t(index)]))
      complaints.add("'" + name + "' is no parameter of the model");
  }
  complaints.throwIfAny(where);
  for (const auto &[name, array] : arrays) {
    Array &target = state.arrays[size_t(spec.findState(name))];
    if (target.bytes())
      std::memcpy(target.data(), array.data, target.bytes());
  }
}

void setParametersFromNpz(const ProgramSpec &spec, ProgramState &state,
                          const std::string &path) {
  NpzFile file(path);
  std::map<std::string, ArrayView> arrays;
  for (const std::string &name : file.names())
    arrays.emplace(name, file.view(name));
  setParameters(spec, state, arrays, path);
}

void saveParameters(const ProgramSpec &spec, const ProgramState &state,
                    const std::string &path) {
  NpzWriter file(path);
  for (size_t i = 0; i < spec.state.size(); ++i)
    if (isParameter(spec.state[i]))
      file.add(spec.state[i].path, state.arrays[i].view());
  file.commit();
}

} // namespace blocks

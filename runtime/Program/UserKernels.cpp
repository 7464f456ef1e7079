// Loading of the user's kernels: see UserKernels.h.
#include "runtime/Program/UserKernels.h"

#include "blocks/Error.h"
#include "runtime/Base/Sha256.h"

#include <sstream>

namespace blocks {

using namespace cuda;

namespace {

/// Kernels of one text are compiled together.
struct Unit {
  UserSource source;
  std::vector<size_t> numbers;
};

std::vector<Unit> unitsOf(const std::vector<ManifestUserKernel> &kernels) {
  std::vector<Unit> units;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const ManifestUserKernel &kernel = kernels[i];
    Unit *unit = nullptr;
    for (Unit &known : units)
      if (known.source.text == kernel.text)
        unit = &known;
    if (!unit) {
      units.push_back({{kernel.file, kernel.text, {}, {}}, {}});
      unit = &units.back();
    }
    unit->source.kernels.push_back(kernel.name);
    unit->source.entries.push_back(kernel.entry);
    unit->numbers.push_back(i);
  }
  return units;
}

std::string keyOf(const UserSource &source, const std::string &architecture,
                  const std::string &version) {
  std::string text = "user kernels|" + version + "|" + architecture + "|";
  for (const std::string &entry : source.entries)
    text += entry + "|";
  return Sha256::hexOf(text + source.text);
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// From the cache, which has the functions' names where it has the manifest of
/// a program, or by NVRTC.
UserImage compileOrFind(const Nvrtc &nvrtc, const UserSource &source,
                        const std::string &architecture, ObjectCache *cache) {
  std::string key = keyOf(source, architecture, nvrtc.version());
  if (cache)
    if (std::optional<CachedObject> found = cache->find(key)) {
      UserImage image{std::string(found->deviceText), linesOf(found->manifest)};
      if (image.functions.size() == source.entries.size())
        return image;
    }
  UserImage image = compileSource(nvrtc, source, architecture);
  std::string names;
  for (const std::string &name : image.functions)
    names += name + "\n";
  if (cache)
    cache->store(key, names, {}, image.image);
  return image;
}

} // namespace

UserKernels::UserKernels(std::shared_ptr<CudaDevice> device,
                         const std::vector<ManifestUserKernel> &kernels,
                         ObjectCache *cache) {
  if (kernels.empty())
    return;
  Nvrtc nvrtc;
  if (!nvrtc.usable())
    throw UnsupportedError(
        "the compiled program has kernels in CUDA C++, which NVRTC compiles: " +
        nvrtc.library().problem() +
        "; install it, or compile the model again on this machine");
  std::string architecture = architectureOption(nvrtc, *device);
  functions.resize(kernels.size());
  for (const Unit &unit : unitsOf(kernels)) {
    UserImage image = compileOrFind(nvrtc, unit.source, architecture, cache);
    auto module =
        std::make_unique<CudaModule>(device, image.image, image.functions);
    for (size_t i = 0; i < unit.numbers.size(); ++i)
      functions[unit.numbers[i]] = {unit.source.kernels[i],
                                    module->function(i)};
    modules.push_back(std::move(module));
  }
}

} // namespace blocks

// loadProgram: which kind of Program a manifest wants, and whether this machine
// can run it.
#include "blocks/CompiledProgram.h"

#include "blocks/Error.h"
#include "runtime/Program/CompiledProgram.h"
#include "runtime/Program/CudaProgram.h"

namespace blocks {

namespace {
/// The level that the object was made for, at most this processor's.
CpuLevel requiredLevel(const Manifest &manifest) {
  CpuLevel found = detectCpu().level;
  std::optional<CpuLevel> made = parseLevel(manifest.cpu);
  if (!made || *made > found)
    throw UnsupportedError(
        "the compiled program is for a processor of level '" + manifest.cpu +
        "', but this one has '" + levelName(found) +
        "'; compile the model on this machine");
  return *made;
}
} // namespace

std::unique_ptr<Program> loadProgram(std::string_view manifestJson,
                                     std::span<const std::byte> object,
                                     const ProgramOptions &options,
                                     std::string_view deviceText) {
  Manifest manifest = parseManifest(manifestJson);
  CpuLevel level = requiredLevel(manifest);
  if (manifest.spec.device == "cuda")
    return std::make_unique<CudaProgram>(std::move(manifest),
                                         LoadedObject(object, deviceSymbols()),
                                         deviceText, options);
  int threads = options.threads > 0 ? options.threads : detectCpu().usableCpus;
  return std::make_unique<CompiledProgram>(
      std::move(manifest), LoadedObject(object, runtimeSymbols()), threads,
      level);
}

} // namespace blocks

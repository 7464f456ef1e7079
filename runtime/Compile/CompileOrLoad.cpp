// compileOrLoad: cache key, object cache, and only when that misses the
// compiler. See include/blocks/Compiler.h.
#include "blocks/Compiler.h"

#include "blocks/Error.h"
#include "blocks/abi/StepABI.h"
#include "runtime/Base/NamedCalls.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Compile/CompilerLibrary.h"
#include "runtime/Compile/Request.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Program/ObjectCache.h"

#include <chrono>
#include <sys/stat.h>

namespace blocks {

/// "native" as the level of this machine, so that the key and the manifest name
/// what the object needs.
static CompileRequest resolved(const CompileRequest &request) {
  CompileRequest result = request;
  if (request.cpuLevel == "native")
    result.cpuLevel = levelName(detectCpu().level);
  return result;
}

/// Changes whenever the compiler was rebuilt: its size and time of change.
static std::string compilerIdentity() {
  struct stat status;
  std::string path = findCompilerLibrary();
  if (path.empty() || stat(path.c_str(), &status) != 0)
    return "none";
  return std::to_string(status.st_size) + "." +
         std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

std::string cacheKey(const CompileRequest &request) {
  CompileRequest keyed = resolved(request);
  // The values of hyperparameters are state, not code. Names of files are not
  // part of what is compiled.
  if (keyed.training)
    keyed.stepRule = callStructure(keyed.stepRule);
  keyed.modelName.clear();
  std::string text = requestToJson(keyed, "");
  text += "|abi " + std::to_string(BLOCKS_ABI_VERSION) + "|compiler " +
          compilerIdentity();
  return Sha256::hexOf(text);
}

static CompiledModel load(const CachedObject &object,
                          const LoadOptions &options) {
  CompiledModel model;
  model.program = loadProgram(object.manifest, object.object, options);
  return model;
}

/// The program from the cache; none if it is not there or does not load.
static CompiledModel loadCached(ObjectCache &cache, const std::string &key,
                                const LoadOptions &options) {
  std::optional<CachedObject> object = cache.find(key);
  if (!object)
    return {};
  try {
    CompiledModel model = load(*object, options);
    model.cached = true;
    return model;
  } catch (const Error &) {
    return {}; // another version's, or damaged: compile anew and overwrite
  }
}

static CompiledModel compileFresh(const CompileRequest &request,
                                  ObjectCache *cache, const std::string &key,
                                  const LoadOptions &options) {
  CompileOutput output = compileWithLibrary(requestToJson(request, ""));
  CachedObject object{std::move(output.manifest), std::move(output.object)};
  if (cache)
    cache->store(key, object);
  return load(object, options);
}

CompiledModel compileOrLoad(const CompileRequest &request,
                            const LoadOptions &options) {
  auto start = std::chrono::steady_clock::now();
  CompileRequest wanted = resolved(request);
  std::string key = cacheKey(wanted);
  std::optional<ObjectCache> cache;
  if (options.cache)
    cache.emplace(options.cacheDirectory);
  CompiledModel model;
  if (cache)
    model = loadCached(*cache, key, options);
  if (!model.program)
    model = compileFresh(wanted, cache ? &*cache : nullptr, key, options);
  model.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return model;
}

std::string compileUntil(const CompileRequest &request,
                         const std::string &stage) {
  return compileWithLibrary(requestToJson(resolved(request), stage)).text;
}

} // namespace blocks

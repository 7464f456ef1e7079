// Loading of PTX: see CudaModule.h.
#include "runtime/Device/Cuda/CudaModule.h"

#include "blocks/Error.h"

namespace blocks::cuda {

namespace {
/// The word behind a directive: "7.8" of ".version 7.8".
std::string directive(std::string_view text, std::string_view name) {
  size_t at = text.find(name);
  if (at == std::string_view::npos)
    return "unknown";
  at = text.find_first_not_of(" \t", at + name.size());
  size_t end = text.find_first_of(" \t\r\n,", at);
  return at == std::string_view::npos ? "unknown"
                                      : std::string(text.substr(at, end - at));
}

/// The first lines of what the driver said.
std::string shorten(const std::string &log) {
  size_t end = 0;
  for (int line = 0; line < 8 && end != std::string::npos; ++line)
    end = log.find('\n', end + (line ? 1 : 0));
  return end == std::string::npos ? log : log.substr(0, end) + "\n…";
}
} // namespace

CudaModule::CudaModule(std::shared_ptr<CudaDevice> theDevice,
                       std::string_view text, std::vector<std::string> kernels,
                       std::string_view image)
    : device(std::move(theDevice)), names(std::move(kernels)) {
  device->makeCurrent();
  fromImage = loadImage(image);
  if (!fromImage)
    load(text);
  try {
    findFunctions();
  } catch (...) {
    device->driver().moduleUnload(module);
    throw;
  }
}

CudaModule::~CudaModule() {
  device->settle();
  device->driver().moduleUnload(module);
}

/// A driver that is older than who made the image may refuse it: then the text
/// is there.
bool CudaModule::loadImage(std::string_view image) {
  return !image.empty() &&
         device->driver().moduleLoadData(&module, image.data(), 0, nullptr,
                                         nullptr) == Success;
}

void CudaModule::load(std::string_view text) {
  std::string image(text); // The driver wants a zero behind it.
  char log[8192] = "";
  int options[] = {jitErrorLogBuffer, jitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(uintptr_t(sizeof log - 1))};
  Result result = device->driver().moduleLoadData(&module, image.c_str(), 2,
                                                  options, values);
  log[sizeof log - 1] = 0;
  if (result != Success)
    refuse(result, text, log);
}

void CudaModule::refuse(Result result, std::string_view text,
                        const std::string &log) const {
  const CudaDriver &driver = device->driver();
  std::string arch = directive(text, ".target");
  if (result == UnsupportedPtxVersion)
    throw UnsupportedError(
        "the GPU driver is too old for this program: its kernels are PTX " +
        directive(text, ".version") + " for " + arch +
        ", the driver knows what CUDA " + formatCudaVersion(driver.version()) +
        " has; install a newer driver, compile with an older --cuda-arch, or "
        "run with --device cpu");
  throw UnsupportedError(
      "the GPU driver (CUDA " + formatCudaVersion(driver.version()) +
      ") refuses the program's kernels for " + arch + " on the GPU '" +
      device->info().name + "': " + driver.describe(result) +
      (log.empty() ? "" : "\n" + shorten(log)) +
      "\ncompile with another --cuda-arch, or run with --device cpu");
}

void CudaModule::findFunctions() {
  for (const std::string &name : names) {
    Function function = nullptr;
    Result result =
        device->driver().moduleGetFunction(&function, module, name.c_str());
    if (result == NotFound)
      throw CorruptError(
          "the compiled program's kernels lack '" + name +
          "', which its manifest names; compile the model again");
    device->driver().check(result, "find the kernel '" + name + "'");
    functions.push_back(function);
  }
}

} // namespace blocks::cuda

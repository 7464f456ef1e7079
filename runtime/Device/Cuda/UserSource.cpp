// Calls of NVRTC: see UserSource.h.
#include "runtime/Device/Cuda/UserSource.h"

#include "blocks/Error.h"
#include "runtime/Device/Cuda/CudaArch.h"

#include <algorithm>
#include <cctype>

namespace blocks::cuda {

namespace {

/// A program of NVRTC's.
class Compilation {
public:
  Compilation(const Nvrtc &theNvrtc, const UserSource &theSource)
      : nvrtc(theNvrtc), source(theSource) {
    check(nvrtc.createProgram(&program, source.text.c_str(),
                              source.file.c_str(), 0, nullptr, nullptr),
          "take");
  }
  ~Compilation() { nvrtc.destroyProgram(&program); }
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  UserImage run(const std::string &architecture) {
    for (const std::string &entry : source.entries)
      check(nvrtc.addName(program, entry.c_str()), "name a function of");
    const char *options[] = {architecture.c_str(), "--std=c++17"};
    if (nvrtc.compileProgram(program, 2, options) != 0)
      fail("cannot be compiled");
    UserImage result;
    for (const std::string &entry : source.entries)
      result.functions.push_back(loweredName(entry));
    bool isPtx = architecture.find("compute_") != std::string::npos;
    result.image = isPtx ? read(nvrtc.getPtxSize, nvrtc.getPtx)
                         : read(nvrtc.getCodeSize, nvrtc.getCode);
    return result;
  }

private:
  std::string loweredName(const std::string &entry) {
    const char *name = nullptr;
    if (nvrtc.getLoweredName(program, entry.c_str(), &name) != 0 || !name)
      fail("has no function '" + entry + "' that a grid can run");
    return name;
  }

  template <typename Size, typename Get> std::string read(Size size, Get get) {
    size_t bytes = 0;
    check(size(program, &bytes), "compile");
    std::string text(bytes, 0);
    check(get(program, text.data()), "compile");
    return text;
  }

  std::string log() {
    size_t bytes = 0;
    if (nvrtc.getLogSize(program, &bytes) != 0 || bytes < 2)
      return "";
    std::string text(bytes, 0);
    if (nvrtc.getLog(program, text.data()) != 0)
      return "";
    while (!text.empty() && (text.back() == 0 || text.back() == '\n'))
      text.pop_back();
    return text;
  }

  std::string what() const {
    std::string text = source.kernels.size() == 1 ? "kernel " : "kernels ";
    for (size_t i = 0; i < source.kernels.size(); ++i)
      text += (i ? ", @" : "@") + source.kernels[i];
    return "the CUDA C++ of " + text + " (" + source.file + ")";
  }

  [[noreturn]] void fail(const std::string &problem) {
    throw InputError(what() + " " + problem + ":\n" + log() +
                     "\ncorrect the source, or run with --device cpu, which "
                     "takes the kernel's body");
  }

  void check(int result, const char *verb) {
    if (result != 0)
      throw UnsupportedError(
          "NVRTC " + nvrtc.version() + " cannot " + verb + " " + what() +
          " (error " + std::to_string(result) + "); run with --device cpu");
  }

  const Nvrtc &nvrtc;
  const UserSource &source;
  void *program = nullptr;
};

/// True if the text has the identifier with which the entry's name begins.
bool mentions(const std::string &text, const std::string &entry) {
  auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string name(entry.begin(),
                   std::find_if_not(entry.begin(), entry.end(), isPart));
  for (size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

} // namespace

std::string architectureOption(const Nvrtc &nvrtc, const CudaDevice &device) {
  int capability = device.info().capability, best = 0;
  for (int known : nvrtc.architectures())
    if (known <= capability)
      best = std::max(best, known);
  bool knowsPtx = device.driver().version() >= nvrtc.versionNumber();
  if (best != 0 && knowsPtx)
    return "--gpu-architecture=compute_" + std::to_string(best);
  // A GPU runs code for older ones of its own generation.
  if (best != 0 && best / 10 == capability / 10)
    return "--gpu-architecture=sm_" + std::to_string(best);
  throw UnsupportedError(
      "NVRTC " + nvrtc.version() +
      " cannot compile the model's kernels for "
      "the GPU '" +
      device.info().name + "' (" + archName(capability) + ", driver for CUDA " +
      formatCudaVersion(device.driver().version()) +
      "); install a newer NVRTC or driver, or run with --device cpu");
}

UserImage compileSource(const Nvrtc &nvrtc, const UserSource &source,
                        const std::string &architecture) {
  for (size_t i = 0; i < source.entries.size(); ++i)
    if (!mentions(source.text, source.entries[i]))
      throw InputError("the CUDA C++ of kernel @" + source.kernels[i] + " (" +
                       source.file + ") has no function '" + source.entries[i] +
                       "'; give the function that name, or the kernel the "
                       "attribute entry = \"…\"");
  return Compilation(nvrtc, source).run(architecture);
}

} // namespace blocks::cuda

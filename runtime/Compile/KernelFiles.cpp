// What a request needs for the user's kernels: see KernelFiles.h.
#include "runtime/Compile/KernelFiles.h"

#include "runtime/Device/Cuda/CompilerLibraries.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace blocks {

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// The files that the model names by `cuda_file = "…"`, as far as they can be
/// read: the compiler misses the others if it needs them.
void readKernelFiles(CompileRequest &request) {
  if (!request.files.empty() || !contains(request.modelText, "cuda_file"))
    return;
  static const std::regex mention("cuda_file\\s*=\\s*\"([^\"]+)\"");
  std::filesystem::path folder =
      std::filesystem::path(request.modelName).parent_path();
  std::map<std::string, std::string> files;
  auto begin = std::sregex_iterator(request.modelText.begin(),
                                    request.modelText.end(), mention);
  for (auto match = begin; match != std::sregex_iterator(); ++match) {
    std::ifstream file(folder / (*match)[1].str(), std::ios::binary);
    std::ostringstream text;
    if (file && text << file.rdbuf())
      files[(*match)[1].str()] = text.str();
  }
  request.files.assign(files.begin(), files.end());
}

/// The user's kernels want NVRTC on a GPU; without it their bodies do.
void decideKernels(CompileRequest &request) {
  if (request.device != "cuda" || !request.kernelBodiesBecause.empty() ||
      !contains(request.modelText, "blocks.kernel"))
    return;
  if (cuda::Nvrtc nvrtc; !nvrtc.usable())
    request.kernelBodiesBecause =
        nvrtc.library().problem() +
        "; install it (it comes with the CUDA toolkit), or name its file in "
        "BLOCKS_CUDA_NVRTC";
}

} // namespace blocks

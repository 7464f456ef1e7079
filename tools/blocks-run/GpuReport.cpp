// GpuReport: see the header.
#include "tools/blocks-run/GpuReport.h"

#include "runtime/Device/Cuda/CompilerLibraries.h"
#include "runtime/Device/Cuda/Cublas.h"
#include "runtime/Device/Cuda/CublasLt.h"
#include "runtime/Device/Cuda/CudaArch.h"
#include "runtime/Device/Cuda/CudaDevice.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace blocks::cli {

namespace {
using Json = nlohmann::ordered_json;

ReportLine line(const std::string &key, const std::string &label,
                const std::string &value, const Json &json) {
  return {key, label, value, json.dump()};
}

ReportLine driverLine(const cuda::CudaDriver &driver) {
  if (driver.version() == 0)
    return line("cuda_driver", "CUDA driver:", "not used: " + driver.problem(),
                {{"problem", driver.problem()}});
  std::string version = cuda::formatCudaVersion(driver.version());
  std::string file = driver.library().file();
  return line("cuda_driver", "CUDA driver:",
              file + ", for programs of CUDA " + version + " and older",
              {{"file", file}, {"cuda", version}});
}

std::string describe(const cuda::DeviceInfo &gpu) {
  char memory[32];
  std::snprintf(memory, sizeof memory, "%.1f", double(gpu.bytes) * 1e-9);
  int arch = cuda::archForCapability(gpu.capability);
  return gpu.name + ", " + memory + " GB, compute capability " +
         std::to_string(gpu.capability / 10) + "." +
         std::to_string(gpu.capability % 10) + ", " +
         std::to_string(gpu.multiprocessors) + " multiprocessors; " +
         (arch ? "models are compiled for " + cuda::archName(arch)
               : "too old, models run on " + cuda::knownArchs());
}

Json asJson(const cuda::DeviceInfo &gpu) {
  int arch = cuda::archForCapability(gpu.capability);
  return {{"number", gpu.number},
          {"name", gpu.name},
          {"memory_bytes", gpu.bytes},
          {"compute_capability", gpu.capability},
          {"multiprocessors", gpu.multiprocessors},
          {"arch", arch ? Json(cuda::archName(arch)) : Json(nullptr)}};
}

void addGpus(const cuda::CudaDriver &driver, std::vector<ReportLine> &lines) {
  Json list = Json::array();
  std::string text;
  try {
    for (const cuda::DeviceInfo &gpu : cuda::listDevices(driver)) {
      list.push_back(asJson(gpu));
      text += (text.empty() ? "" : "\n              ") + std::string("cuda:") +
              std::to_string(gpu.number) + " " + describe(gpu);
    }
  } catch (const std::exception &error) {
    text = error.what();
  }
  if (text.empty())
    text = driver.version() ? "none: " + driver.problem() : "none: no driver";
  lines.push_back(line("gpus", "GPU:", text, list));
}

/// A library that may be missing: file and version, or the reason.
template <typename Library>
ReportLine libraryLine(const std::string &key, const std::string &label,
                       const Library &library, const std::string &version,
                       const std::string &without) {
  std::string file = library.library().file();
  if (!library.usable())
    return line(key, label,
                "not found: " + library.library().problem() + without,
                {{"problem", library.library().problem()}});
  return line(key, label,
              file + (version.empty() ? "" : ", version " + version),
              {{"file", file}, {"version", version}});
}
} // namespace

std::vector<ReportLine> describeGpus() {
  std::vector<ReportLine> lines;
  cuda::CudaDriver driver;
  addGpus(driver, lines);
  lines.push_back(driverLine(driver));
  cuda::Cublas cublas;
  lines.push_back(libraryLine("cublas", "cuBLAS:", cublas, cublas.version(),
                              "; products on a GPU are several times slower"));
  cuda::CublasLt together;
  lines.push_back(
      libraryLine("cublaslt", "cuBLASLt:", together, together.version(),
                  "; a bias behind a product is a launch of its own"));
  cuda::Nvrtc nvrtc;
  lines.push_back(libraryLine("nvrtc", "NVRTC:", nvrtc, nvrtc.version(), ""));
  cuda::NvJitLink linker;
  lines.push_back(
      libraryLine("nvjitlink", "nvJitLink:", linker, linker.version(), ""));
  return lines;
}

} // namespace blocks::cli

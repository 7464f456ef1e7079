// GpuReport: what `blocks-run doctor` says of GPUs and of NVIDIA's libraries.
#pragma once

#include <string>
#include <vector>

namespace blocks::cli {

/// One line of the report. `value` is for people; `json` the same for programs,
/// as JSON.
struct ReportLine {
  std::string key, label, value, json;
};

/// GPUs, driver, cuBLAS, cuBLASLt, NVRTC, nvJitLink. Never throws: what is not there has
/// its reason as the value.
std::vector<ReportLine> describeGpus();

} // namespace blocks::cli

// DeviceOption: --device cpu|cuda|cuda:N and what belongs to it.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace blocks::cli {

struct DeviceOption {
  std::string device = "cpu", cudaArch;
  bool tf32 = false;

  void addTo(CLI::App &command);
  /// "cpu" or "cuda".
  std::string kind() const;
  /// N of cuda:N; 0 without.
  int number() const;
};

} // namespace blocks::cli

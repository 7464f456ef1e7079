// DeviceOption: see the header.
#include "tools/blocks-run/DeviceOption.h"

#include <charconv>

namespace blocks::cli {

namespace {
/// The number of "cuda:N", or -1.
int parseNumber(const std::string &text) {
  if (text == "cpu" || text == "cuda")
    return 0;
  int number = -1;
  const char *end = text.data() + text.size();
  if (text.rfind("cuda:", 0) != 0)
    return -1;
  auto [rest, error] = std::from_chars(text.data() + 5, end, number);
  return error == std::errc() && rest == end ? number : -1;
}
} // namespace

void DeviceOption::addTo(CLI::App &command) {
  auto check = [](std::string &text) -> std::string {
    return parseNumber(text) >= 0 ? ""
                                  : "takes cpu, cuda or cuda:N (the GPU's "
                                    "number from 0), found '" +
                                        text + "'";
  };
  command
      .add_option("--device", device,
                  "cpu, cuda or cuda:N, the GPU's number from 0")
      ->check(CLI::Validator(check, ""))
      ->capture_default_str();
  command.add_option("--cuda-arch", cudaArch,
                     "Architecture to compile for with --device cuda, such as "
                     "sm_90 (default: that of the GPU)");
  command.add_flag("--tf32", tf32,
                   "Let a GPU round the operands of f32 products to TF32");
}

std::string DeviceOption::kind() const {
  return device.substr(0, 4) == "cuda" ? "cuda" : "cpu";
}

int DeviceOption::number() const { return parseNumber(device); }

} // namespace blocks::cli

// Reads the environment; see Settings.h.
#include "Settings.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace ptxemu {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

Settings::Settings() {
  if (std::string text = variable("BLOCKS_PTX_EMULATOR_ARCH"); !text.empty())
    arch = std::atoi(text.c_str() + (text.rfind("sm_", 0) == 0 ? 3 : 0));
  if (std::string text = variable("BLOCKS_PTX_EMULATOR_MEMORY"); !text.empty())
    memory = std::strtoull(text.c_str(), nullptr, 10) << 20;
  if (std::string text = variable("BLOCKS_PTX_EMULATOR_LIMIT"); !text.empty())
    stepLimit = std::strtoull(text.c_str(), nullptr, 10);
  eager = variable("BLOCKS_PTX_EMULATOR_EAGER") == "1";
  profile = variable("BLOCKS_PTX_EMULATOR_PROFILE") == "1";
  readFailures(variable("BLOCKS_PTX_EMULATOR_FAIL"));
  readChecks(variable("BLOCKS_PTX_EMULATOR_CHECKS"));
}

void Settings::readFailures(const std::string &text) {
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    size_t colon = item.find(':');
    std::string what = item.substr(0, colon);
    long number =
        colon == std::string::npos ? 1 : std::atol(item.c_str() + colon + 1);
    if (what == "driver-version")
      driverVersion = int(number);
    else if (what == "no-device")
      devices = 0;
    else
      failures[what] = number;
  }
}

void Settings::readChecks(const std::string &text) {
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    if (item == "no-races")
      checks.races = false;
    else if (item == "no-uninitialized")
      checks.uninitialized = false;
    else if (item == "global-races")
      checks.globalRaces = true;
    else if (item == "warn")
      checks.warnOnly = true;
    else
      std::fprintf(stderr,
                   "ptx emulator: BLOCKS_PTX_EMULATOR_CHECKS has no '%s'; it "
                   "knows no-races, no-uninitialized, global-races, warn\n",
                   item.c_str());
  }
}

bool Settings::fails(const std::string &what) {
  auto found = failures.find(what);
  return found != failures.end() && --found->second == 0;
}

unsigned newestPtx(int driverVersion) {
  struct Row {
    int driver;
    unsigned ptx;
  };
  static constexpr Row rows[] = {
      {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
      {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80},
      {11080, 78}, {11070, 77}, {11060, 76}, {11050, 75}, {11040, 74},
      {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70}, {10020, 65},
      {10010, 64}, {10000, 63}};
  for (const Row &row : rows)
    if (driverVersion >= row.driver)
      return row.ptx;
  return 62;
}

} // namespace ptxemu

// What the environment says about the emulated device; see README.md.
#pragma once

#include "../machine/Launch.h"

#include <map>
#include <string>

namespace ptxemu {

struct Settings {
  int arch = 90;             ///< BLOCKS_PTX_EMULATOR_ARCH
  int driverVersion = 13000; ///< BLOCKS_PTX_EMULATOR_FAIL=driver-version:V
  uint64_t memory = 4096ull << 20; ///< BLOCKS_PTX_EMULATOR_MEMORY, in MiB
  uint64_t stepLimit = 1ull << 31; ///< BLOCKS_PTX_EMULATOR_LIMIT
  Checks checks;                   ///< BLOCKS_PTX_EMULATOR_CHECKS
  bool eager = false;              ///< BLOCKS_PTX_EMULATOR_EAGER=1
  bool profile = false;            ///< BLOCKS_PTX_EMULATOR_PROFILE=1
  int devices = 1;

  Settings();
  /// Counts down BLOCKS_PTX_EMULATOR_FAIL="alloc:3": true for the third.
  bool fails(const std::string &what);

private:
  std::map<std::string, long> failures;
  void readFailures(const std::string &text);
  void readChecks(const std::string &text);
};

/// The newest PTX version (84 for 8.4) that a driver of this version takes.
unsigned newestPtx(int driverVersion);

} // namespace ptxemu

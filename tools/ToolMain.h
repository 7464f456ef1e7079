// ToolMain: what the small tools' mains share: parse the command line, run,
// and turn every failure into one line on standard error and an exit status
// (0 done, 1 wrong input, 2 wrong usage).
#pragma once

#include "blocks/Error.h"

#include <CLI/CLI.hpp>

#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <string>

namespace blocks {

/// A closed standard stream would leave its number to the next file that is
/// opened, and what we print would end in that file.
inline void openStandardStreams() {
  for (int number = 0; number < 3; ++number)
    if (::fcntl(number, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0)
      return;
}

/// Parses with `app`, then calls `run`. An error inside a --help or --version
/// request is none.
template <typename Run>
int toolMain(CLI::App &app, int argc, char **argv, Run run) {
  auto report = [&](const std::string &message, int status) {
    std::cerr << "error: " << message << "\n";
    return status;
  };
  openStandardStreams();
  try {
    app.parse(argc, argv);
    run();
    std::cout.flush();
    if (!std::cout)
      return report("cannot write to standard output", 1);
    return 0;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return 0;
    }
    return report(std::string(error.what()) + "\nRun with --help for usage.",
                  2);
  } catch (const Error &error) {
    return report(error.what(), error.exitStatus());
  } catch (const std::bad_alloc &) {
    return report("not enough memory", 1);
  } catch (const std::exception &error) {
    return report(error.what(), 1);
  }
}

} // namespace blocks

// The subcommands of blocks-run. Each adds its options to the command line and
// stores what to run; main() parses, then runs the chosen one.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace blocks::cli {

/// Set by the subcommand that was chosen; returns the exit status.
using Action = std::function<int()>;

void addTrainCommand(CLI::App &app, Action &action);
void addEvalCommand(CLI::App &app, Action &action);
void addInferCommand(CLI::App &app, Action &action);
void addGenerateCommand(CLI::App &app, Action &action);
void addBenchCommand(CLI::App &app, Action &action);
void addPlotCommand(CLI::App &app, Action &action);
void addDoctorCommand(CLI::App &app, Action &action);

} // namespace blocks::cli

// blocks-run: trains, evaluates and runs models. This file only sets up the
// command line; each subcommand is a file of its own.
#include "tools/ToolMain.h"
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/JsonEvents.h"
#include "tools/blocks-run/TomlConfig.h"

#include "blocks/Error.h"
#include "blocks/Training.h"

#include <iostream>

using namespace blocks;
using namespace blocks::cli;

namespace blocks::cli {

void addPlotCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand(
      "plot", "Draws the curves of a log as a self-contained HTML page");
  auto log = std::make_shared<std::string>();
  auto page = std::make_shared<std::string>();
  command->add_option("LOG", *log, "A log written by train --log")->required();
  command->add_option("-o,--output", *page, "The page to write")->required();
  command->footer("Example:\n  blocks-run plot mnist.jsonl -o mnist.html");
  command->callback([=, &action] {
    action = [=] {
      plotLog(*log, *page);
      std::cout << "Curves: " << *page << "\n";
      return 0;
    };
  });
}

} // namespace blocks::cli

/// Reports an error where the user looks for it: standard error, and as an
/// event for programs that read --json.
static int fail(const std::string &message, int status, bool json) {
  std::cerr << "error: " << message << "\n";
  if (json) {
    JsonEvents events(std::cout);
    events.error(message);
    events.end(status, 0, 0);
  }
  return status;
}

/// What is wrong with a command line. CLI11 misses the subcommand, and says
/// nothing of the word in its place.
static std::string describe(const CLI::ParseError &error, const CLI::App &app) {
  std::vector<std::string> rest = app.remaining();
  if (!app.get_subcommands().empty() || rest.empty() ||
      rest.front().starts_with("-"))
    return error.what();
  std::string known;
  for (const CLI::App *command : app.get_subcommands(nullptr))
    known += (known.empty() ? "" : ", ") + command->get_name();
  return "there is no command '" + rest.front() + "'; there are " + known;
}

/// The key that CLI11's message ends with, without its marker of a table.
static std::string unknownKey(const CLI::ConfigError &error) {
  std::string text = error.what();
  std::string key = text.substr(text.rfind(' ') + 1);
  return key.ends_with(".++") ? key.substr(0, key.size() - 3) : key;
}

int main(int argc, char **argv) {
  openStandardStreams();
  CLI::App app{"Blocks: trains, evaluates and runs models made of bricks."};
  app.name("blocks-run");
  app.set_version_flag("--version", BLOCKS_VERSION);
  app.require_subcommand(1);
  // CLI11 reads the file of the outermost command only; subcommands fall
  // through to it, so that --config may stand anywhere.
  app.config_formatter(std::make_shared<TomlConfig>());
  app.set_config("--config", "",
                 "A TOML file; the table [train] holds the options of train")
      ->type_name("FILE");
  // A misspelled key must not leave a default in its place.
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.footer("Try:\n  blocks-run train docs/examples/mnist_mlp.mlir "
             "--data fashion_mnist.hdf5 --epochs 5\n"
             "Every option can stand in a TOML file given by --config; the "
             "command line wins.");
  Action action;
  addTrainCommand(app, action);
  addEvalCommand(app, action);
  addInferCommand(app, action);
  addGenerateCommand(app, action);
  addBenchCommand(app, action);
  addPlotCommand(app, action);
  addDoctorCommand(app, action);

  bool json = false;
  for (int i = 1; i < argc; ++i)
    json |= std::string_view(argv[i]) == "--json";
  try {
    app.parse(argc, argv);
    int status = action();
    std::cout.flush();
    if (!std::cout && status == 0)
      return fail("cannot write to standard output; is its disk full?", 1,
                  false);
    return status;
  } catch (const CLI::ConfigError &e) {
    return fail("the --config file has an unknown key: " + unknownKey(e) +
                    "\nKeys are options without dashes, in a table such as "
                    "[train]; run with --help for the options.",
                2, json);
  } catch (const CLI::ParseError &e) {
    if (e.get_exit_code() == 0)
      return app.exit(e);
    return fail(describe(e, app) + "\nRun with --help for the options.", 2,
                json);
  } catch (const Error &e) {
    return fail(e.what(), e.exitStatus(), json);
  } catch (const std::bad_alloc &) {
    return fail("out of memory", 1, json);
  } catch (const std::exception &e) {
    return fail(e.what(), 1, json);
  }
}

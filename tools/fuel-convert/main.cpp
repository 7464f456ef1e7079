// fuel-convert: makes a Fuel HDF5 file of a data set's original files. Each
// converter of the table (include/fuel/Convert.h) is a subcommand.
#include "fuel/Convert.h"
#include "tools/ToolMain.h"

#include <filesystem>

namespace {
/// The command as it is kept in the file: the program's base name, then the
/// arguments as given.
std::string commandLine(int argc, char **argv) {
  std::string text = std::filesystem::path(argv[0]).filename();
  for (int i = 1; i < argc; ++i)
    text += std::string(" ") + argv[i];
  return text;
}

std::string describe(const fuel::ConverterOption &option) {
  std::string text = option.help;
  if (!option.choices.empty()) {
    text += " {";
    for (const std::string &choice : option.choices)
      text += (&choice == &option.choices.front() ? "" : ",") + choice;
    text += "}";
  }
  return option.defaultValue.empty() ? text
                                     : text + " [" + option.defaultValue + "]";
}

void addOption(CLI::App &command, const fuel::ConverterOption &option,
               std::vector<std::string> &values) {
  if (option.flag) {
    command.add_flag_callback(
        "--" + option.name, [&values] { values = {"true"}; }, describe(option));
    return;
  }
  CLI::Option *added = command.add_option(
      (option.positional ? "" : "--") + option.name, values, describe(option));
  if (!option.repeated)
    added->expected(1)->allow_extra_args(false);
  else if (!option.positional)
    added->allow_extra_args(false);
}

CLI::App *addConverter(CLI::App &app, const fuel::Converter &converter,
                       fuel::ConvertOptions &options) {
  CLI::App *command = app.add_subcommand(converter.name, converter.summary);
  std::string files;
  for (const std::string &name : converter.files)
    files += "\n  " + name;
  if (!files.empty())
    command->footer("Original files:" + files);
  for (const fuel::ConverterOption &option : converter.options)
    addOption(*command, option, options.values[option.name]);
  command->add_option("-d,--directory", options.directory,
                      "folder of the original files [.]");
  if (converter.outputName.empty()) // It changes a file that there is.
    return command;
  command->add_option("-o,--output-directory", options.outputDirectory,
                      "existing folder for the result [.]");
  command->add_option("-r,--output-filename", options.outputName,
                      "name of the result [" + converter.outputName +
                          ".hdf5]; .hdf5 is added unless it ends in .hdf5, "
                          ".hdf or .h5");
  return command;
}
} // namespace

/// A name that the table lacks is told with those that it has.
void checkName(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-')
    return;
  std::string names;
  for (const fuel::Converter &converter : fuel::converters()) {
    if (converter.name == argv[1])
      return;
    names += (names.empty() ? "" : ", ") + converter.name;
  }
  throw blocks::UsageError("there is no converter '" + std::string(argv[1]) +
                           "'; there are " + names +
                           " (Fashion-MNIST and its like are mnist, under "
                           "another name by -r)");
}

int main(int argc, char **argv) {
  // It is known under this name, too.
  static char appendSplit[] = "append-split";
  if (argc > 1 && std::string_view(argv[1]) == "--append-split")
    argv[1] = appendSplit;
  CLI::App app("Converts a data set's original files to Fuel's HDF5 format.",
               "fuel-convert");
  app.footer("Examples:\n"
             "  fuel-convert mnist -d ~/Downloads/mnist -o data\n"
             "  fuel-convert mnist -d /usr/share/datasets/fashion-mnist "
             "-o data -r fashion_mnist\n"
             "  fuel-convert mnist --dtype float32 -r mnist_float32\n"
             "  fuel-convert csv flowers.csv --targets kind --split "
             "train=0.9,valid=0.1 --shuffle-seed 1\n"
             "  fuel-convert images pets.zip --resize 64 --crop 64x64\n"
             "  fuel-convert append-split mnist.hdf5 valid --of train --rows "
             "50000:\n"
             "'fuel-convert NAME --help' lists a converter's files and "
             "options.");
  app.require_subcommand(1);

  // Options of each converter, in the order of the table.
  std::vector<fuel::ConvertOptions> options(fuel::converters().size());
  std::vector<CLI::App *> commands;
  for (const fuel::Converter &converter : fuel::converters())
    commands.push_back(addConverter(app, converter, options[commands.size()]));

  app.preparse_callback([&](size_t) { checkName(argc, argv); });
  return blocks::toolMain(app, argc, argv, [&] {
    std::unique_ptr<fuel::Progress> bar = fuel::makeProgressBar();
    for (size_t i = 0; i < commands.size(); ++i) {
      if (!commands[i]->parsed())
        continue;
      options[i].command = commandLine(argc, argv);
      options[i].progress = bar.get();
      std::cout << fuel::runConverter(commands[i]->get_name(), options[i])
                << "\n";
    }
  });
}

// fuel-convert: makes a Fuel HDF5 file of a data set's original files.
#include "fuel/Convert.h"
#include "tools/ToolMain.h"

#include <filesystem>

/// The command as it is kept in the file: the program's base name, then the
/// arguments as given.
static std::string commandLine(int argc, char **argv) {
  std::string text = std::filesystem::path(argv[0]).filename();
  for (int i = 1; i < argc; ++i)
    text += std::string(" ") + argv[i];
  return text;
}

int main(int argc, char **argv) {
  CLI::App app("Converts a data set's original files to Fuel's HDF5 format.",
               "fuel-convert");
  app.footer("Examples:\n"
             "  fuel-convert mnist -d ~/Downloads/mnist -o data\n"
             "  fuel-convert mnist -d /usr/share/datasets/fashion-mnist "
             "-o data -r fashion_mnist\n"
             "  fuel-convert mnist --dtype float32 -r mnist_float32");
  app.require_subcommand(1);

  fuel::ConvertOptions options;
  options.command = commandLine(argc, argv);
  CLI::App *mnist = app.add_subcommand(
      "mnist", "MNIST, Fashion-MNIST and others in their format: four IDX "
               "files, gzipped or not");
  mnist
      ->add_option("-d,--directory", options.directory,
                   "folder of the original files")
      ->capture_default_str();
  mnist
      ->add_option("-o,--output-directory", options.outputDirectory,
                   "existing folder for the result")
      ->capture_default_str();
  mnist->add_option("-r,--output-filename", options.outputName,
                    "name of the result [mnist.hdf5]; .hdf5 is added unless it "
                    "ends in .hdf5, .hdf or .h5");
  mnist->add_option("--dtype", options.dtype,
                    "store the pixels as float32 or float64 (divided by 255) "
                    "or bool (128 and more is true) [bytes]");

  return blocks::toolMain(app, argc, argv, [&] {
    std::cout << fuel::convertMnist(options) << "\n";
  });
}

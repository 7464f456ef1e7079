// Test-only: makes machine code of stored kernels with nvJitLink, for each
// architecture that is named; it needs no GPU and no driver. Fails if one is
// refused or spills registers; prints how many registers kernels take.
// usage: test-link-kernels FOLDER ARCHITECTURE... ; every file *.ptx below
// FOLDER is taken. Ends with 77 where there is no nvJitLink.
#include "blocks/Error.h"
#include "runtime/Device/Cuda/LinkedImage.h"
#include "runtime/Device/Cuda/ProductKernel.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace blocks::cuda;
namespace fs = std::filesystem;

namespace {

std::string readFile(const fs::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Texts by the file that has them first; the runtime's own kernels, too.
std::map<std::string, std::string> readTexts(const std::string &folder) {
  std::map<std::string, std::string> files{
      {"kernels of the runtime", productKernelText()}};
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ptx")
      files[entry.path().string()] = readFile(entry.path());
  std::set<std::string> seen;
  std::erase_if(files, [&](const auto &file) {
    return !seen.insert(file.second).second;
  });
  return files;
}

/// What the kernels of one architecture take. A function that kernels call, as
/// those of f64, keeps its caller's registers on the stack: that is no
/// spilling.
struct Usage {
  size_t kernels = 0;
  int most = 0, spills = 0, called = 0;
  std::string where; ///< The text with the most registers.

  void add(const std::string &file, const std::string &log) {
    std::set<std::string> entries;
    std::string function;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      std::smatch found;
      if (std::regex_search(line, found, entryPattern))
        entries.insert(found[1]);
      else if (std::regex_search(line, found, functionPattern))
        function = found[1];
      else if (std::regex_search(line, found, registersPattern))
        addRegisters(file, std::stoi(found[1]));
      else if (std::regex_search(line, found, spillPattern))
        addSpill(file, function, found[1], entries.count(function) != 0);
    }
  }

private:
  void addRegisters(const std::string &file, int registers) {
    ++kernels;
    if (registers > most) {
      most = registers;
      where = file;
    }
  }

  void addSpill(const std::string &file, const std::string &function,
                const std::string &bytes, bool isKernel) {
    if (bytes == "0")
      return;
    ++(isKernel ? spills : called);
    if (isKernel)
      std::cout << file << ": " << function << " spills " << bytes
                << " bytes\n";
  }

  const std::regex entryPattern{"Compiling entry function '([^']+)'"},
      functionPattern{"Function properties for (\\S+)"},
      registersPattern{"Used ([0-9]+) registers"},
      spillPattern{"([0-9]+) bytes spill stores"};
};

bool linkAll(const NvJitLink &library,
             const std::map<std::string, std::string> &texts,
             const std::string &architecture) {
  Usage usage;
  int refused = 0;
  for (const auto &[file, text] : texts)
    try {
      usage.add(file, linkText(library, text, architecture, true).log);
    } catch (const blocks::Error &error) {
      ++refused;
      std::cout << file << ": " << error.what() << "\n";
    }
  std::cout << architecture << ": " << texts.size() << " texts, "
            << usage.kernels << " kernels, at most " << usage.most
            << " registers (" << usage.where << "), " << refused << " refused, "
            << usage.spills << " spill; " << usage.called
            << " called functions with a stack\n";
  return refused == 0 && usage.spills == 0 && usage.kernels > 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: test-link-kernels FOLDER ARCHITECTURE...\n";
    return 2;
  }
  NvJitLink library;
  if (!library.usable()) {
    std::cout << library.library().problem() << "\n";
    return 77;
  }
  auto texts = readTexts(argv[1]);
  bool right = true;
  for (int i = 2; i < argc; ++i)
    right &= linkAll(library, texts, argv[i]);
  return right ? 0 : 1;
}

// Test-only: runs stored checks (StoredCase.h of the random graphs' tests),
// which conformance.py --store made, on this machine's GPU; no compiler is
// needed. Each runs three times from the same state (as it comes, captured as a
// graph, and that graph again): results agree with what is stored, and repeat
// bit for bit. usage: test-device-cases FOLDER [--only TEXT] [--every N]
// [--json FILE]
// `--every 10` runs each tenth case. FILE gets one line of JSON for each case.
#include "blocks/CompiledProgram.h"
#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace blocks;
namespace fs = std::filesystem;

namespace {

struct Options {
  std::string folder, only, json;
  size_t every = 1;

  Options(int argc, char **argv) {
    if (argc < 2 || argc % 2 != 0)
      throw UsageError("usage: test-device-cases FOLDER [--only TEXT] "
                       "[--every N] [--json FILE]");
    folder = argv[1];
    for (int i = 2; i + 1 < argc; i += 2)
      read(argv[i], argv[i + 1]);
  }

  void read(const std::string &option, const std::string &value) {
    if (option == "--only")
      only = value;
    else if (option == "--every")
      every = size_t(std::max(1, std::atoi(value.c_str())));
    else if (option == "--json")
      json = value;
    else
      throw UsageError("there is no option " + option);
  }
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw IoError("cannot open '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double number(const ArrayView &array, int64_t i) {
  switch (array.dtype) {
  case DType::Bool:
  case DType::UInt8:
    return array.as<uint8_t>()[i];
  case DType::Int8:
    return array.as<int8_t>()[i];
  case DType::Int16:
    return array.as<int16_t>()[i];
  case DType::UInt16:
    return array.as<uint16_t>()[i];
  case DType::Int32:
    return array.as<int32_t>()[i];
  case DType::UInt32:
    return array.as<uint32_t>()[i];
  case DType::Int64:
    return double(array.as<int64_t>()[i]);
  case DType::UInt64:
    return double(array.as<uint64_t>()[i]);
  case DType::Float32:
    return array.as<float>()[i];
  case DType::Float64:
    return array.as<double>()[i];
  case DType::Float16:
    break;
  }
  // Halves are compared by their bits, in whole numbers.
  return array.as<uint16_t>()[i];
}

/// The numbers of an array, less those of `subtracted`.
std::vector<double> numbers(const ArrayView &array,
                            const ArrayView *subtracted = nullptr) {
  std::vector<double> all;
  for (int64_t i = 0; i < array.size(); ++i)
    all.push_back(subtracted ? number(*subtracted, i) - number(array, i)
                             : number(array, i));
  return all;
}

/// The largest distance from `right`, in units of max(1, |right|) if
/// `relative`.
double distance(const std::vector<double> &found,
                const std::vector<double> &right, bool relative) {
  double largest = found.size() == right.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(found.size(), right.size()); ++i) {
    if (found[i] == right[i] || (std::isnan(found[i]) && std::isnan(right[i])))
      continue;
    double error = std::fabs(found[i] - right[i]);
    if (relative)
      error /= std::max(1.0, std::fabs(right[i]));
    largest = std::isnan(error) ? INFINITY : std::max(largest, error);
  }
  return largest;
}

class Case {
public:
  explicit Case(const std::string &path) : arrays(path + ".npz") {
    std::istringstream line(readFile(path + ".entry"));
    line >> entryName >> outputTolerance >> otherTolerance;
    std::string object = readFile(path + ".o");
    program =
        loadProgram(readFile(path + ".json"), std::as_bytes(std::span(object)),
                    {}, readFile(path + ".ptx"));
    state = makeInitialState(program->spec(), 1);
    entry = program->spec().findEntry(entryName);
    if (!entry)
      throw CorruptError(path + ": there is no entry '" + entryName + "'");
    for (const SourceSpec &source : entry->sources)
      sources.push_back(arrays.read("source/" + source.name));
  }

  /// Empty if all is right.
  std::string check() {
    std::vector<Array> first = runOnce(), firstState = copyState();
    compareResults(first);
    for (int i = 0; i < 2 && problem.empty(); ++i) {
      std::vector<Array> again = runOnce();
      if (!sameBits(first, again) || !sameBits(firstState, copyState()))
        problem = "other bits in run " + std::to_string(i + 2);
    }
    return problem;
  }

  double worst = 0; ///< Of all differences, relative to max(1, |expected|).

private:
  void reset() {
    state.download();
    for (size_t i = 0; i < state.arrays.size(); ++i)
      state.arrays[i] = arrays.read("state" + program->spec().state[i].path);
    state.changed();
  }

  std::vector<Array> runOnce() {
    reset();
    std::vector<ArrayView> views;
    for (const Array &source : sources)
      views.push_back(source.view());
    std::vector<Array> outputs;
    program->run(size_t(entry - program->spec().entries.data()), state, views,
                 outputs);
    return outputs;
  }

  std::vector<Array> copyState() {
    state.download();
    std::vector<Array> copies;
    for (const Array &array : state.arrays)
      copies.push_back(array.clone());
    return copies;
  }

  static bool sameBits(const std::vector<Array> &a,
                       const std::vector<Array> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Array &x, const Array &y) {
                        return x.shape() == y.shape() &&
                               (!x.bytes() ||
                                !std::memcmp(x.data(), y.data(), x.bytes()));
                      });
  }

  void compareResults(const std::vector<Array> &outputs) {
    for (size_t i = 0; i < outputs.size(); ++i)
      compare("output/" + entry->outputs[i].name, numbers(outputs[i].view()),
              outputTolerance);
    state.download();
    for (size_t i = 0; i < state.arrays.size(); ++i) {
      const std::string &path = program->spec().state[i].path;
      ArrayView after = state.arrays[i].view();
      Array before = arrays.read("state" + path);
      ArrayView beforeView = before.view();
      if (arrays.contains("expected/gradient/" + path))
        compare("gradient/" + path, numbers(after, &beforeView),
                otherTolerance);
      else if (arrays.contains("expected/update/" + path))
        compare("update/" + path, numbers(after), outputTolerance);
    }
  }

  void compare(const std::string &name, const std::vector<double> &found,
               double tolerance) {
    Array expected = arrays.read("expected/" + name);
    double error = distance(found, numbers(expected.view()), true);
    if (error <= tolerance || isExcused(name, found)) {
      worst = std::max(worst, std::min(error, tolerance));
      return;
    }
    std::ostringstream text;
    text << name << " differs by " << error << ", the tolerance is "
         << tolerance << "; ";
    problem += text.str();
  }

  /// In double precision the difference is one of rounding.
  bool isExcused(const std::string &name, const std::vector<double> &found) {
    if (!arrays.contains("wide/" + name))
      return false;
    Array right = arrays.read("wide/" + name),
          allowed = arrays.read("allowed/" + name);
    return distance(found, numbers(right.view()), false) <=
           *allowed.as<double>();
  }

  NpzFile arrays;
  std::string entryName, problem;
  double outputTolerance = 0, otherTolerance = 0;
  std::unique_ptr<Program> program;
  ProgramState state;
  const EntrySpec *entry = nullptr;
  std::vector<Array> sources;
};

std::vector<std::string> findCases(const Options &options) {
  std::vector<std::string> names, chosen;
  for (const auto &file : fs::directory_iterator(options.folder))
    if (file.path().extension() == ".entry")
      names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  for (size_t i = 0; i < names.size(); i += options.every)
    if (names[i].find(options.only) != std::string::npos)
      chosen.push_back(names[i]);
  return chosen;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

} // namespace

/// Runs one case and appends its line; true if it is right.
static bool runCase(const std::string &folder, const std::string &name,
                    std::ostream &json) {
  auto start = std::chrono::steady_clock::now();
  std::string problem;
  double worst = 0;
  try {
    Case test(folder + "/" + name);
    problem = test.check();
    worst = test.worst;
  } catch (const Error &error) {
    problem = error.what();
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  json << "{\"case\":" << quoted(name)
       << ",\"right\":" << (problem.empty() ? "true" : "false")
       << ",\"worst\":" << worst << ",\"seconds\":" << time.count()
       << ",\"problem\":" << quoted(problem) << "}" << std::endl;
  if (!problem.empty())
    std::cout << name << ": " << problem << std::endl;
  return problem.empty();
}

int main(int argc, char **argv) {
  try {
    Options options(argc, argv);
    std::ofstream json(options.json.empty() ? "/dev/null" : options.json);
    std::vector<std::string> names = findCases(options);
    size_t wrong = 0;
    for (const std::string &name : names)
      wrong += !runCase(options.folder, name, json);
    std::cout << names.size() - wrong << " of " << names.size()
              << " cases agree and repeat\n";
    return wrong || names.empty() ? 1 : 0;
  } catch (const Error &error) {
    std::cerr << error.what() << "\n";
    return error.exitStatus();
  }
}

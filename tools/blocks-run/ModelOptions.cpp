// ModelOptions: see the header.
#include "tools/blocks-run/ModelOptions.h"

#include "blocks/Error.h"
#include "runtime/Base/NamedCalls.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/Cuda/CudaDevice.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace blocks::cli {

void ModelOptions::addTo(CLI::App &command) {
  command.add_option("MODEL", model, "The model, a .mlir file of bricks")
      ->required();
  device.addTo(command);
  command
      .add_option("--threads", threads,
                  "Worker threads; 0: all that the process may use")
      ->check(CLI::Range(0, 1024));
  command
      .add_option("--seed", seed,
                  "Seed of initial values, random masks and the shuffle")
      ->check(wholeNumber<uint64_t>(0))
      ->capture_default_str();
  command.add_flag("--json", json, "One JSON object a line on standard output");
  command
      .add_option("--cpu-level", cpuLevel,
                  "native, x86-64-v2, x86-64-v3 or x86-64-v4")
      ->capture_default_str();
  command
      .add_option("--precision", precision,
                  "f32, or bf16: products round their operands to bf16 and add "
                  "in f32")
      ->check(CLI::IsMember({"f32", "bf16"}))
      ->capture_default_str();
  command.add_flag("--no-cache", noCache,
                   "Neither read nor fill the object cache");
  command.add_flag("--verify-annotations", verifyAnnotations,
                   "Check that no pass loses an annotation");
  command.add_option("--stop-after", stopAfter,
                     "Print the IR after this stage and stop");
  command.fallthrough(); // --config is the program's
}

static std::string readModel(const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) &&
      std::filesystem::file_size(path, error) == 0)
    throw InputError("the model '" + path +
                     "' is empty; give a .mlir file with bricks and graphs");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw InputError("cannot read the model '" + path +
                     "'; give the path of a .mlir file");
  return text.str();
}

CompileRequest ModelOptions::request() const {
  CompileRequest request;
  request.device = device.kind();
  request.cudaArch = device.cudaArch;
  request.precision = precision;
  request.modelText = readModel(model);
  request.modelName = model;
  request.cpuLevel = cpuLevel;
  request.verifyAnnotations = verifyAnnotations;
  return request;
}

LoadOptions ModelOptions::loadOptions() const {
  LoadOptions options;
  options.threads = threads;
  options.cache = !noCache;
  options.gpu = device.number();
  options.tf32 = device.tf32;
  return options;
}

std::string ModelOptions::platform() const {
  std::string rounded = precision == "f32" ? "" : " with " + precision;
  if (device.kind() == "cpu")
    return "cpu " +
           (cpuLevel == "native" ? levelName(detectCpu().level) : cpuLevel) +
           rounded;
  // Results depend on the GPU's own products, not only on what was compiled.
  std::string gpu = cuda::findDevice(cuda::CudaDriver(), device.number()).name;
  return "cuda " + gpu + (device.tf32 ? " with TF32" : "") + rounded;
}

CompiledModel ModelOptions::compile(const CompileRequest &request) const {
  if (!stopAfter.empty()) {
    std::cout << compileUntil(request, stopAfter);
    return {};
  }
  CompiledModel compiled = compileOrLoad(request, loadOptions());
  for (const EntrySpec &entry : compiled.program->spec().entries)
    if (json)
      JsonEvents(std::cout).compiled(entry.name, compiled.seconds,
                                     compiled.cached);
  if (!json)
    std::cout << (compiled.cached ? "Loaded " : "Compiled ") << model
              << (compiled.cached ? " from the cache" : "") << " in "
              << int64_t(compiled.seconds * 1e3 + 0.5) << " ms\n";
  for (const std::string &warning : compiled.program->spec().warnings)
    std::cerr << "warning: " << warning << "\n";
  return compiled;
}

std::ostream &ModelOptions::text() const {
  return json ? std::cerr : std::cout;
}

EventSink &ModelOptions::events() const {
  if (!sink)
    sink = json ? std::make_unique<JsonEvents>(std::cout)
                : std::make_unique<EventSink>();
  return *sink;
}

size_t findEntry(const Program &program, const std::string &name) {
  const auto &entries = program.spec().entries;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == name)
      return i;
  std::string known;
  for (const EntrySpec &entry : entries)
    known += (known.empty() ? "" : ", ") + entry.name;
  throw InputError("the model has no entry '" + name + "'; it has " + known);
}

std::map<std::string, double>
explicitHyperparameters(const std::string &stepRule, const ProgramSpec &spec) {
  std::map<std::string, double> values;
  std::map<std::string, int> seen;
  for (const NamedCall &rule : parseNamedCalls(stepRule)) {
    // The second rule of a name is "scale_1", as step-rules calls it.
    int ordinal = seen[rule.name]++;
    std::string name =
        rule.name + (ordinal ? "_" + std::to_string(ordinal) : "");
    for (const CallArgument &argument : rule.arguments) {
      std::string path = "/algorithm/" + name + "." + argument.name;
      if (spec.findState(path) < 0)
        path = "/algorithm." + argument.name;
      if (spec.findState(path) >= 0)
        values[path] = argument.number();
    }
  }
  return values;
}

CLI::Validator nameList() {
  auto check = [](std::string &text) -> std::string {
    bool whole = !text.empty() && text.front() != ',' && text.back() != ',' &&
                 text.find(",,") == std::string::npos;
    return whole ? ""
                 : "takes names such as cost,error_rate, found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

std::vector<std::string> splitList(const std::string &text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');)
    if (!item.empty())
      items.push_back(item);
  return items;
}

std::map<std::string, int64_t> parseExtents(const std::string &text) {
  std::map<std::string, int64_t> extents;
  for (const std::string &item : splitList(text)) {
    size_t equal = item.find('=');
    int64_t extent = -1;
    const char *end = item.data() + item.size(), *rest = nullptr;
    if (equal != std::string::npos)
      rest = std::from_chars(item.data() + equal + 1, end, extent).ptr;
    if (extent < 0 || rest != end)
      throw UsageError("--shape takes axis=extent pairs such as "
                       "batch=128,time=35; found '" +
                       item + "'");
    extents[item.substr(0, equal)] = extent;
  }
  return extents;
}

} // namespace blocks::cli

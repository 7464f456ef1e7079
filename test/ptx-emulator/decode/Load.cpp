// Loading of a module; see Load.h.
//
// Shared memory of a kernel: first the arrays of the module and of its device
// functions (if the kernel can reach any of them), then the kernel's own, then
// the dynamic part.
#include "Load.h"
#include "../ops/Access.h"
#include "Decoder.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace ptxemu {
namespace {

uint64_t aligned(uint64_t value, uint64_t to) {
  to = std::max<uint64_t>(to, 1);
  return (value + to - 1) / to * to;
}

class Loader {
public:
  Loader(const Module &module, const std::string &text, DeviceMemory &memory)
      : module(module), memory(memory), result(new ModuleCode) {
    result->text = text;
    result->target = module.target;
    layout.module = &module;
  }

  std::unique_ptr<ModuleCode> run() {
    for (const Function &function : module.functions)
      names[function.name] = &function;
    placeGlobals();
    placeShared();
    for (const Function &function : module.functions)
      if (function.hasBody)
        createCode(function);
    layout.function = [this](const std::string &name) {
      return result->find(name);
    };
    for (const Function &function : module.functions)
      if (function.hasBody)
        Decoder(function, layout, *result, *result->find(function.name)).run();
    for (Code &code : result->functions) {
      std::set<std::string> path;
      code.localTotal = localNeed(code.name, path);
    }
    return std::move(result);
  }

  /// Frees what a failed loading had placed.
  void abandon() { unloadModule(*result, memory); }

private:
  const Module &module;
  DeviceMemory &memory;
  std::unique_ptr<ModuleCode> result;
  Layout layout;
  std::map<std::string, const Function *> names;
  std::set<std::string> sharedNames; ///< module-wide and of device functions
  uint64_t commonShared = sharedFirst;
  uint64_t dynamicAlignment = 16;

  void placeGlobals() {
    for (const Variable &variable : module.variables) {
      if (variable.space != Space::global && variable.space != Space::constant)
        continue;
      if (variable.external)
        throw PtxError(1,
                       "the variable '" + variable.name + "' is not defined");
      uint64_t address =
          memory.allocate(std::max<uint64_t>(variable.size, 1), true,
                          variable.space == Space::constant);
      if (!address)
        throw std::bad_alloc();
      layout.variables[variable.name] = {variable.space, address, variable.size,
                                         false};
      result->globals.push_back({variable.name, address, variable.size});
    }
    for (const Variable &variable : module.variables)
      if (variable.space == Space::global || variable.space == Space::constant)
        initialize(variable);
  }

  void initialize(const Variable &variable) {
    uint64_t address = layout.variables.at(variable.name).address;
    auto *host = reinterpret_cast<uint8_t *>(
        address + uint64_t(memory.range(address).delta));
    std::memset(host, 0, variable.size); // what has no initializer is zero
    std::memcpy(host, variable.bytes.data(),
                std::min<uint64_t>(variable.bytes.size(), variable.size));
    for (const Variable::Relocation &place : variable.relocations) {
      auto found = layout.variables.find(place.symbol);
      if (found == layout.variables.end())
        throw PtxError(1, "the initializer of '" + variable.name + "' names '" +
                              place.symbol + "', which is no variable");
      uint64_t value = found->second.address + uint64_t(place.addend);
      std::memcpy(host + place.offset, &value, 8);
    }
  }

  void placeShared() {
    for (const Variable &variable : module.variables)
      if (variable.space == Space::shared)
        placeCommon(variable, variable.name, variable.external);
    for (const Function &function : module.functions)
      if (!function.entry)
        for (const Variable &variable : function.variables)
          if (variable.space == Space::shared)
            placeCommon(variable, function.name + "/" + variable.name, false);
  }

  void placeCommon(const Variable &variable, const std::string &name,
                   bool external) {
    if (external) {
      dynamicAlignment =
          std::max<uint64_t>(dynamicAlignment, variable.alignment);
      layout.variables[name] = {Space::shared, 0, 0, true};
      return;
    }
    uint64_t at = aligned(commonShared, variable.alignment);
    commonShared = at + variable.size;
    layout.variables[name] = {Space::shared, at, variable.size, false};
    sharedNames.insert(name);
  }

  /// Whether a function, or one that it calls, uses common shared variables.
  bool reachesShared(const Function &function, std::set<std::string> &seen) {
    if (!seen.insert(function.name).second)
      return false;
    for (const Variable &variable : function.variables)
      if (!function.entry && variable.space == Space::shared)
        return true;
    for (const Instruction &instruction : function.body)
      for (const Operand &operand : instruction.operands) {
        if (sharedNames.count(operand.text))
          return true;
        auto callee = names.find(operand.text);
        if (callee != names.end() && reachesShared(*callee->second, seen))
          return true;
      }
    return false;
  }

  void createCode(const Function &function) {
    Code &code = result->functions.emplace_back();
    code.name = function.name;
    code.module = result.get();
    code.entry = function.entry;
    code.line = function.line;
    if (function.maxThreads[0])
      code.maxThreads =
          std::min(1024u, function.maxThreads[0] * function.maxThreads[1] *
                              function.maxThreads[2]);
    std::copy(function.requiredThreads, function.requiredThreads + 3,
              code.requiredThreads);
    if (function.entry)
      placeOwnShared(function, code);
  }

  void placeOwnShared(const Function &function, Code &code) {
    std::set<std::string> seen;
    uint64_t end = reachesShared(function, seen) ? commonShared : sharedFirst;
    for (const Variable &variable : function.variables) {
      if (variable.space != Space::shared)
        continue;
      uint64_t at = aligned(end, variable.alignment);
      end = at + variable.size;
      layout.variables[function.name + "/" + variable.name] = {
          Space::shared, at, variable.size, false};
    }
    code.staticShared = uint32_t(end - sharedFirst);
    code.dynamicSharedBase = uint32_t(aligned(end, dynamicAlignment));
    if (code.staticShared > 48 * 1024)
      throw PtxError(function.line,
                     "'" + function.name + "' uses " +
                         std::to_string(code.staticShared) +
                         " bytes of static shared memory, more than 48 KiB");
  }

  /// Local memory of a call tree; a recursion gets 16 KiB more.
  uint32_t localNeed(const std::string &name, std::set<std::string> &path) {
    const Code *code = result->find(name);
    if (!code)
      return 0;
    if (!path.insert(name).second)
      return 16 * 1024;
    uint32_t deepest = 0;
    for (const Instruction &instruction : names.at(name)->body)
      if (instruction.opcode == "call")
        for (const Operand &operand : instruction.operands)
          if (operand.kind == Operand::name)
            deepest = std::max(deepest, localNeed(operand.text, path));
    path.erase(name);
    return (code->localBytes + 15) / 16 * 16 + deepest;
  }
};

} // namespace

std::unique_ptr<ModuleCode> loadModule(const Module &module,
                                       const std::string &text,
                                       DeviceMemory &memory) {
  Loader loader(module, text, memory);
  try {
    return loader.run();
  } catch (...) {
    loader.abandon();
    throw;
  }
}

void unloadModule(const ModuleCode &module, DeviceMemory &memory) {
  for (const ModuleCode::Global &global : module.globals)
    memory.free(global.address);
}

} // namespace ptxemu

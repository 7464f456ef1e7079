// The decoder's operands: registers, constants, variables, addresses.
#include "../machine/DeviceMemory.h"
#include "../ops/Control.h"
#include "../ops/Lanes.h"
#include "Decoder.h"

#include <algorithm>

namespace ptxemu {

uint32_t slotWidth(Type type) {
  if (type == Type::pred)
    return 0;
  return std::max(2u, sizeOf(type));
}

bool Decoder::has(const char *modifier) const {
  return std::find(current->modifiers.begin(), current->modifiers.end(),
                   modifier) != current->modifiers.end();
}

bool Decoder::hasPrefix(const char *prefix) const {
  return std::any_of(
      current->modifiers.begin(), current->modifiers.end(),
      [&](const std::string &m) { return m.rfind(prefix, 0) == 0; });
}

Type Decoder::type(int n) const {
  std::vector<Type> types;
  for (const std::string &modifier : current->modifiers)
    if (Type type = parseType(modifier); type != Type::none)
      types.push_back(type);
  int index = n < 0 ? int(types.size()) + n : n;
  return index < 0 || index >= int(types.size()) ? Type::none
                                                 : types[size_t(index)];
}

const Operand &Decoder::operand(size_t i) const {
  if (i >= current->operands.size())
    fail("too few operands");
  return current->operands[i];
}

void Decoder::fail(const std::string &what) const {
  throw PtxError(current->line, what + ", in '" + current->text + "'");
}

uint32_t Decoder::allocate(uint32_t width) {
  if (width == 0) {
    if (predicateAt == predicateEnd) {
      predicateAt = frameEnd;
      predicateEnd = frameEnd += 64;
    }
    predicateAt += 4;
    return predicateAt - 4;
  }
  uint32_t offset = frameEnd;
  frameEnd += width * 32;
  return offset;
}

void Decoder::declareRegisters() {
  uint32_t index = 0;
  for (auto &[name, type] : function.registers) {
    registers[name] = {allocate(slotWidth(type)), type, index++};
    code.registers += (slotWidth(type) + 3) / 4;
  }
}

void Decoder::declareVariables() {
  auto place = [](uint32_t &end, const Variable &variable) {
    uint32_t align = std::max(1u, variable.alignment);
    uint32_t offset = (end + align - 1) / align * align;
    end = offset + uint32_t(variable.size);
    return offset;
  };
  for (const Variable &param : function.params) {
    uint32_t &end = code.entry ? code.paramBytes : code.laneParamBytes;
    uint32_t offset = place(end, param);
    code.params.push_back({offset, uint32_t(param.size)});
    uint64_t window =
        code.entry ? DeviceMemory::paramWindow : DeviceMemory::laneParamWindow;
    locals[param.name] = {Space::param, window + offset, param.size};
    if (!code.entry)
      laneParams[param.name] = offset;
  }
  for (const Variable &result : function.returns) {
    uint32_t offset = place(code.laneParamBytes, result);
    code.returns.push_back({offset, uint32_t(result.size)});
    laneParams[result.name] = offset;
  }
  for (const Variable &variable : function.variables) {
    if (variable.space == Space::param)
      laneParams[variable.name] = place(code.laneParamBytes, variable);
    else if (variable.space == Space::local)
      locals[variable.name] = {Space::local, place(code.localBytes, variable),
                               variable.size};
    else if (auto known =
                 layout.variables.find(function.name + "/" + variable.name);
             known != layout.variables.end())
      locals[variable.name] = known->second;
  }
  for (auto &[name, offset] : laneParams)
    if (!locals.count(name))
      locals[name] = {Space::param, DeviceMemory::laneParamWindow + offset, 0};
}

const Decoder::Register *Decoder::find(const std::string &name) const {
  auto found = registers.find(name);
  return found == registers.end() ? nullptr : &found->second;
}

bool Decoder::isRegister(const Operand &operand) const {
  return operand.kind == Operand::name && find(operand.text);
}

Type Decoder::registerType(const Operand &operand) const {
  const Register *reg = find(operand.text);
  if (operand.kind != Operand::name || !reg)
    fail("expected a register, found '" + operand.text + "'");
  return reg->type;
}

bool Decoder::isWideRegister(const Operand &operand) const {
  return slotWidth(registerType(operand)) == 8;
}

uint32_t Decoder::constant(Type type, uint64_t bits) {
  uint32_t width = slotWidth(type);
  if (width == 2)
    bits &= 0xFFFF;
  else if (width == 4)
    bits &= 0xFFFFFFFF;
  uint32_t &offset = constants[{width, bits}];
  if (!offset)
    offset = allocate(width);
  return offset;
}

uint32_t Decoder::temporary(Type type) { return allocate(slotWidth(type)); }

uint32_t Decoder::carryFlag() {
  if (!carry)
    carry = allocate(0);
  return carry;
}

namespace {

uint64_t immediateBits(const Operand &operand, Type type) {
  if (type == Type::f64)
    return operand.bits64;
  if (type == Type::f32 || type == Type::tf32)
    return operand.bits32;
  if (operand.kind == Operand::integer)
    return uint64_t(operand.value);
  return sizeOf(type) == 8 ? operand.bits64 : operand.bits32;
}

} // namespace

uint32_t Decoder::source(const Operand &operand, Type type) {
  if (type == Type::pred)
    return predicateSource(operand);
  if (operand.kind == Operand::integer || operand.kind == Operand::floating)
    return constant(type, immediateBits(operand, type));
  if (operand.kind != Operand::name)
    fail("expected a register or an immediate");
  const Register *reg = find(operand.text);
  if (!reg && operand.text[0] == '%')
    return specialRegister(operand.text, type);
  if (!reg)
    return symbolAddress(operand.text, operand.value, type);
  steps.back().uses.push_back(reg->index);
  uint32_t have = slotWidth(reg->type), want = slotWidth(type);
  if (have == want)
    return reg->offset;
  if (have < want || have == 0)
    fail("register '" + operand.text + "' is too narrow");
  uint32_t narrow = temporary(type);
  emit(resizeHandler(have, want, false), narrow, reg->offset);
  return narrow;
}

uint32_t Decoder::destination(const Operand &operand, Type type) {
  if (operand.kind == Operand::sink)
    return type == Type::pred ? allocate(0) : temporary(type);
  if (type == Type::pred)
    return predicateDestination(operand.text);
  const Register *reg = find(operand.text);
  if (operand.kind != Operand::name || !reg)
    fail("expected a destination register, found '" + operand.text + "'");
  steps.back().defs.push_back(reg->index);
  uint32_t have = slotWidth(reg->type), want = slotWidth(type);
  if (have == want)
    return reg->offset;
  if (have < want)
    fail("register '" + operand.text + "' is too narrow");
  uint32_t narrow = temporary(type), wide = reg->offset;
  bool extendSign = isSigned(type);
  after.push_back(
      [=, this] { emit(resizeHandler(want, have, extendSign), wide, narrow); });
  return narrow;
}

uint32_t Decoder::predicateSource(const Operand &operand) {
  if (operand.kind == Operand::integer)
    return constant(Type::pred, operand.value ? 0xFFFFFFFF : 0);
  const Register *reg = find(operand.text);
  if (operand.kind != Operand::name || !reg || reg->type != Type::pred)
    fail("expected a predicate, found '" + operand.text + "'");
  steps.back().uses.push_back(reg->index);
  if (!operand.negated)
    return reg->offset;
  uint32_t inverse = allocate(0);
  emit(invertPredicateHandler, inverse, reg->offset);
  return inverse;
}

uint32_t Decoder::predicateDestination(const std::string &name) {
  const Register *reg = find(name);
  if (!reg || reg->type != Type::pred)
    fail("expected a predicate, found '" + name + "'");
  steps.back().defs.push_back(reg->index);
  return reg->offset;
}

uint32_t Decoder::secondPredicate(const Operand &operand) {
  if (operand.second.empty())
    return 0;
  if (operand.second == "_")
    return allocate(0);
  return predicateDestination(operand.second);
}

uint32_t Decoder::symbolAddress(const std::string &name, int64_t offset,
                                Type type) {
  if (name == "WARP_SZ")
    return constant(type, 32);
  auto local = locals.find(name);
  auto global = layout.variables.find(name);
  if (local == locals.end() && global == layout.variables.end())
    fail("unknown name '" + name + "'");
  const Layout::Place &place =
      local == locals.end() ? global->second : local->second;
  if (place.dynamic) {
    bool wide = slotWidth(type) == 8;
    uint32_t &slot = specials[{Special::dynamicShared, wide}];
    if (!slot)
      slot = temporary(type);
    if (offset == 0)
      return slot;
    uint32_t moved = temporary(type);
    emit(addImmediateHandler(wide), moved, slot).imm = offset;
    return moved;
  }
  uint64_t address = place.address + uint64_t(offset);
  if (place.space == Space::local && !code.entry) {
    uint32_t slot = temporary(Type::b64);
    emit(localAddressHandler, slot).imm = int64_t(address);
    if (slotWidth(type) == 8)
      return slot;
    uint32_t narrow = temporary(type);
    emit(resizeHandler(8, 4, false), narrow, slot);
    return narrow;
  }
  return constant(type, address);
}

AddressOperand Decoder::address(const Operand &operand) {
  if (operand.kind != Operand::address)
    fail("expected an address in brackets");
  AddressOperand result{0, true, operand.value, std::nullopt};
  if (operand.text.empty()) {
    result.slot = constant(Type::b64, 0);
  } else if (const Register *reg = find(operand.text)) {
    result.wide = slotWidth(reg->type) == 8;
    steps.back().uses.push_back(reg->index);
    result.slot = reg->offset;
    if (slotWidth(reg->type) < 4)
      fail("an address needs a 32- or 64-bit register");
  } else {
    result.slot = symbolAddress(operand.text, 0, Type::b64);
    auto found = locals.find(operand.text);
    if (code.entry && found != locals.end() &&
        found->second.space == Space::param && !laneParams.count(operand.text))
      result.entryParameter =
          uint32_t(found->second.address - DeviceMemory::paramWindow +
                   uint64_t(operand.value));
  }
  return result;
}

int64_t Decoder::immediate(size_t i) const {
  const Operand &value = operand(i);
  if (value.kind != Operand::integer)
    fail("operand " + std::to_string(i + 1) + " must be a constant");
  return value.value;
}

uint32_t Decoder::laneParameterOffset(const std::string &name) {
  auto found = laneParams.find(name);
  if (found == laneParams.end())
    fail("'" + name + "' is not a parameter of a call");
  return found->second;
}

uint32_t Decoder::specialRegister(const std::string &name, Type type) {
  static const std::map<std::string, Special> known = {
      {"%tid.x", Special::tidX},
      {"%tid.y", Special::tidY},
      {"%tid.z", Special::tidZ},
      {"%ntid.x", Special::ntidX},
      {"%ntid.y", Special::ntidY},
      {"%ntid.z", Special::ntidZ},
      {"%ctaid.x", Special::ctaidX},
      {"%ctaid.y", Special::ctaidY},
      {"%ctaid.z", Special::ctaidZ},
      {"%nctaid.x", Special::nctaidX},
      {"%nctaid.y", Special::nctaidY},
      {"%nctaid.z", Special::nctaidZ},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%nwarpid", Special::nwarpid},
      {"%lanemask_eq", Special::lanemaskEq},
      {"%lanemask_le", Special::lanemaskLe},
      {"%lanemask_lt", Special::lanemaskLt},
      {"%lanemask_ge", Special::lanemaskGe},
      {"%lanemask_gt", Special::lanemaskGt},
      {"%smid", Special::zero},
      {"%gridid", Special::zero},
      {"%nsmid", Special::one},
      {"%clusterid.x", Special::zero},
      {"%cluster_ctarank", Special::zero},
      {"%cluster_nctarank", Special::one},
      {"%dynamic_smem_size", Special::dynamicSharedSize},
      {"%total_smem_size", Special::totalSharedSize}};
  if (name.rfind("%clock", 0) == 0 || name.rfind("%globaltimer", 0) == 0) {
    uint32_t slot = temporary(type);
    bool high = name.size() > 3 && name.substr(name.size() - 3) == "_hi";
    emit(clockHandler(slotWidth(type) == 8, high), slot);
    return slot;
  }
  auto found = known.find(name);
  if (found == known.end())
    fail("unknown register '" + name + "'");
  if (slotWidth(type) < 4)
    fail("'" + name + "' has 32 bits");
  uint32_t &slot = specials[{found->second, slotWidth(type) == 8}];
  if (!slot)
    slot = temporary(type);
  return slot;
}

} // namespace ptxemu

// ld and st of all spaces, scalar and vector.
#include "Access.h"

#include <type_traits>

namespace ptxemu {
namespace {

template <class M> M readAs(const uint8_t *from) {
  M value;
  std::memcpy(&value, from, sizeof(M));
  return value;
}

/// op->imm bit: an access that other warps may make at the same time.
Access accessOf(const Op *op, Access plain) {
  return op->c ? Access::atomic : plain;
}

/// Every `step`th value of memory, one a lane.
template <class M, class R> void spread(R *to, const M *from, uint32_t step) {
  PTX_FOR_LANES(i, laneCount)
  to[i] = R(from[uint32_t(i) * step]);
}

/// M is the type in memory, R that of the register.
template <class M, class R, Space S> const Op *load(const Op *op, Warp &warp) {
  Targets targets;
  resolve<S>(op, warp, uint32_t(sizeof(M)) * op->count,
             accessOf(op, Access::read), targets);
  if (op->count == 1) {
    if (targets.contiguous) {
      const M *from = reinterpret_cast<const M *>(targets.host[0]);
      return mapLanes<R>(op, warp, [=](int i) { return R(from[i]); });
    }
    return mapLanes<R>(op, warp,
                       [&](int i) { return R(readAs<M>(targets.host[i])); });
  }
  for (uint32_t j = 0; j < op->count; ++j) {
    R *to = slot<R>(warp, op->list[j]);
    if (targets.contiguous)
      spread(to, reinterpret_cast<const M *>(targets.host[0]) + j, op->count);
    else
      for (int i = 0; i < laneCount; ++i)
        if (warp.exec >> i & 1)
          to[i] = R(readAs<M>(targets.host[i] + j * sizeof(M)));
  }
  return op + 1;
}

/// A formal parameter of the kernel: one value for all lanes.
template <class M, class R> const Op *loadParameter(const Op *op, Warp &warp) {
  const uint8_t *from = warp.launch->request.params.data() + op->imm;
  for (uint32_t j = 0; j < op->count; ++j) {
    auto value = R(readAs<M>(from + j * sizeof(M)));
    Op one = *op;
    one.d = op->list ? op->list[j] : op->d;
    mapLanes<R>(&one, warp, [=](int) { return value; });
  }
  return op + 1;
}

template <class M, class R, Space S> const Op *store(const Op *op, Warp &warp) {
  Targets targets;
  resolve<S>(op, warp, uint32_t(sizeof(M)) * op->count,
             accessOf(op, Access::write), targets);
  for (uint32_t j = 0; j < op->count; ++j) {
    const R *from = slot<R>(warp, op->list[j]);
    if (targets.contiguous) {
      M *to = reinterpret_cast<M *>(targets.host[0]) + j;
      PTX_FOR_LANES(i, laneCount)
      to[uint32_t(i) * op->count] = M(from[i]);
      continue;
    }
    for (uint32_t lanes = warp.exec; lanes; lanes &= lanes - 1) {
      int i = std::countr_zero(lanes);
      auto value = M(from[i]);
      std::memcpy(targets.host[i] + j * sizeof(M), &value, sizeof(M));
    }
  }
  return op + 1;
}

template <class M, class R> Handler loadFrom(Space space, bool parameter) {
  if (parameter)
    return loadParameter<M, R>;
  switch (space) {
  case Space::shared:
    return load<M, R, Space::shared>;
  case Space::local:
    return load<M, R, Space::local>;
  case Space::param:
    return load<M, R, Space::param>;
  case Space::generic:
    return load<M, R, Space::generic>;
  default:
    return load<M, R, Space::global>;
  }
}

/// Picks the register type for a type in memory: as wide as the register.
template <class M>
Handler loadInto(uint32_t width, Space space, bool parameter) {
  using R2 = std::conditional_t<std::is_signed_v<M>, int16_t, uint16_t>;
  using R4 = std::conditional_t<std::is_signed_v<M>, int32_t, uint32_t>;
  using R8 = std::conditional_t<std::is_signed_v<M>, int64_t, uint64_t>;
  if constexpr (sizeof(M) <= 2)
    if (width == 2)
      return loadFrom<M, R2>(space, parameter);
  if constexpr (sizeof(M) <= 4)
    if (width == 4)
      return loadFrom<M, R4>(space, parameter);
  return width == 8 ? loadFrom<M, R8>(space, parameter) : nullptr;
}

Handler loadHandler(Type type, uint32_t width, Space space, bool parameter) {
  switch (type) {
  case Type::s8:
    return loadInto<int8_t>(width, space, parameter);
  case Type::s16:
    return loadInto<int16_t>(width, space, parameter);
  case Type::s32:
    return loadInto<int32_t>(width, space, parameter);
  default:
    break;
  }
  switch (sizeOf(type)) {
  case 1:
    return loadInto<uint8_t>(width, space, parameter);
  case 2:
    return loadInto<uint16_t>(width, space, parameter);
  case 4:
    return loadInto<uint32_t>(width, space, parameter);
  default:
    return loadInto<uint64_t>(width, space, parameter);
  }
}

template <Space S> Handler storeTo(Type type) {
  switch (sizeOf(type)) {
  case 1:
    return store<uint8_t, uint16_t, S>;
  case 2:
    return store<uint16_t, uint16_t, S>;
  case 4:
    return store<uint32_t, uint32_t, S>;
  default:
    return store<uint64_t, uint64_t, S>;
  }
}

Handler storeHandler(Type type, Space space) {
  switch (space) {
  case Space::shared:
    return storeTo<Space::shared>(type);
  case Space::local:
    return storeTo<Space::local>(type);
  case Space::param:
    return storeTo<Space::param>(type);
  case Space::generic:
    return storeTo<Space::generic>(type);
  default:
    return storeTo<Space::global>(type);
  }
}

bool isAtomic(const Decoder &d) {
  return d.has(".relaxed") || d.has(".acquire") || d.has(".release") ||
         d.has(".mmio");
}

const std::vector<Operand> values(const Operand &operand) {
  return operand.kind == Operand::vector ? operand.elements
                                         : std::vector<Operand>{operand};
}

/// The register width of the first value that is not `_`.
uint32_t registerWidth(const Decoder &d, const std::vector<Operand> &operands,
                       Type type) {
  for (const Operand &value : operands)
    if (value.kind != Operand::sink)
      return slotWidth(d.registerType(value));
  return slotWidth(type);
}

Type widthType(uint32_t width) {
  return width == 2 ? Type::b16 : width == 4 ? Type::b32 : Type::b64;
}

bool decodeLoad(Decoder &d) {
  Type type = d.type();
  std::vector<Operand> results = values(d.operand(0));
  uint32_t width = registerWidth(d, results, type);
  Space space = spaceOf(d);
  AddressOperand address = d.address(1);
  bool parameter = space == Space::param && address.entryParameter;
  Handler handler = loadHandler(type, width, space, parameter);
  if (!handler || type == Type::b128)
    d.fail("the register is narrower than the value");
  auto bytes = uint32_t(results.size()) * sizeOf(type);
  if (parameter && *address.entryParameter + bytes > d.codeOf().paramBytes)
    d.fail("this is outside the kernel's parameters");
  std::vector<uint32_t> slots;
  for (const Operand &result : results)
    slots.push_back(d.destination(result, widthType(width)));
  const uint32_t *list = d.list(slots);
  Op &op = d.emit(handler, slots.front());
  setAddress(d, op, address);
  if (parameter)
    op.imm = *address.entryParameter;
  op.count = uint32_t(results.size());
  op.list = op.count > 1 ? list : nullptr;
  op.c = isAtomic(d);
  return true;
}

bool decodeStore(Decoder &d) {
  Type type = d.type();
  if (type == Type::b128 || d.has(".async") || d.has(".bulk"))
    return false;
  AddressOperand address = d.address(0);
  std::vector<uint32_t> slots;
  for (const Operand &value : values(d.operand(1)))
    slots.push_back(d.source(value, type));
  const uint32_t *list = d.list(slots);
  Op &op = d.emit(storeHandler(type, spaceOf(d)));
  setAddress(d, op, address);
  op.count = uint32_t(slots.size());
  op.list = list;
  op.c = isAtomic(d);
  return true;
}

} // namespace

bool decodeMemory(Decoder &d) {
  if (d.is("ld") || d.is("ldu"))
    return decodeLoad(d);
  if (d.is("st"))
    return decodeStore(d);
  return false;
}

} // namespace ptxemu

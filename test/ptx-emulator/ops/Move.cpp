// mov in all its forms, cvta and isspacep.
#include "../decode/Decoder.h"
#include "../machine/DeviceMemory.h"
#include "Lanes.h"

namespace ptxemu {
namespace {

template <class T> const Op *copy(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a);
  return mapLanes<T>(op, warp, [=](int i) { return a[i]; });
}
const Op *copyPredicate(const Op *op, Warp &warp) {
  setPredicate(warp, op->d, predicate(warp, op->a));
  return op + 1;
}

/// Reads or writes element `index` of `bytes` bytes in a slot of `width`.
uint64_t readSlot(const Warp &warp, uint32_t offset, uint32_t width, int lane) {
  uint64_t value = 0;
  std::memcpy(&value, warp.regs + offset + uint32_t(lane) * width, width);
  return value;
}
void writeSlot(const Warp &warp, uint32_t offset, uint32_t width, int lane,
               uint64_t value) {
  std::memcpy(warp.regs + offset + uint32_t(lane) * width, &value, width);
}

/// op->list: the parts; op->count of them, each of op->imm bytes.
const Op *pack(const Op *op, Warp &warp) {
  auto bytes = uint32_t(op->imm), width = std::max(2u, bytes);
  uint32_t whole = bytes * op->count;
  for (int lane = 0; lane < laneCount; ++lane) {
    if (!(warp.exec >> lane & 1))
      continue;
    uint64_t value = 0;
    for (uint32_t i = 0; i < op->count; ++i) {
      uint64_t part = readSlot(warp, op->list[i], width, lane);
      if (bytes == 1)
        part &= 0xFF;
      value |= part << (8 * bytes * i);
    }
    writeSlot(warp, op->d, whole, lane, value);
  }
  return op + 1;
}

const Op *unpack(const Op *op, Warp &warp) {
  auto bytes = uint32_t(op->imm), width = std::max(2u, bytes);
  uint32_t whole = bytes * op->count;
  uint64_t mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
  for (int lane = 0; lane < laneCount; ++lane) {
    if (!(warp.exec >> lane & 1))
      continue;
    uint64_t value = readSlot(warp, op->a, whole, lane);
    for (uint32_t i = 0; i < op->count; ++i)
      writeSlot(warp, op->list[i], width, lane,
                value >> (8 * bytes * i) & mask);
  }
  return op + 1;
}

Type bitsOf(unsigned size) {
  return size == 1   ? Type::b8
         : size == 2 ? Type::b16
         : size == 4 ? Type::b32
                     : Type::b64;
}

bool decodePacking(Decoder &d, Type type) {
  const Operand &to = d.operand(0), &from = d.operand(1);
  const Operand &parts = to.kind == Operand::vector ? to : from;
  if (parts.kind != Operand::vector || sizeOf(type) > 8)
    return false;
  auto count = uint32_t(parts.elements.size());
  Type part = bitsOf(sizeOf(type) / count);
  std::vector<uint32_t> slots;
  bool packs = &parts == &from;
  uint32_t whole = packs ? 0 : d.source(1, type);
  for (const Operand &element : parts.elements)
    slots.push_back(packs ? d.source(element, part)
                          : d.destination(element, part));
  if (packs)
    whole = d.destination(0, type);
  const uint32_t *list = d.list(slots);
  Op &op = packs ? d.emit(pack, whole) : d.emit(unpack, 0, whole);
  op.imm = sizeOf(part);
  op.count = count;
  op.list = list;
  return true;
}

bool decodeMov(Decoder &d) {
  Type type = d.type();
  if (decodePacking(d, type))
    return true;
  uint32_t from = d.source(1, type);
  Handler handler =
      type == Type::pred
          ? Handler(copyPredicate)
          : forBits(type, [](auto z) -> Handler { return copy<decltype(z)>; });
  if (!handler)
    return false;
  d.emit(handler, d.destination(0, type), from);
  return true;
}

template <class T> const Op *addConstant(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a);
  auto value = T(op->imm);
  return mapLanes<T>(op, warp, [=](int i) { return T(a[i] + value); });
}

int64_t windowOf(const Decoder &d) {
  if (d.hasPrefix(".shared"))
    return int64_t(DeviceMemory::sharedWindow);
  if (d.has(".local"))
    return int64_t(DeviceMemory::localWindow);
  return 0; // global, const and param addresses are generic already
}

bool decodeCvta(Decoder &d) {
  Type type = d.type();
  uint32_t from = d.source(1, type);
  Op &op =
      d.emit(sizeOf(type) == 8 ? addConstant<uint64_t> : addConstant<uint32_t>,
             d.destination(0, type), from);
  op.imm = d.has(".to") ? -windowOf(d) : windowOf(d);
  return true;
}

/// op->imm, op->count: the window asked for, as [imm, imm + count windows).
const Op *isInSpace(const Op *op, Warp &warp) {
  const auto *a = slot<uint64_t>(warp, op->a);
  uint64_t low = uint64_t(op->imm);
  uint64_t size = op->count ? DeviceMemory::windowSize : ~0ull - low;
  setPredicate(warp, op->d,
               collectBits([=](int i) { return a[i] - low < size; }));
  return op + 1;
}

bool decodeIsspacep(Decoder &d) {
  uint32_t a = d.source(1, Type::b64);
  bool param = d.hasPrefix(".param"), windowed = windowOf(d) || param;
  Op &op = d.emit(isInSpace, d.destination(0, Type::pred), a);
  op.imm = param      ? int64_t(DeviceMemory::paramWindow)
           : windowed ? windowOf(d)
                      : int64_t(DeviceMemory::firstAddress);
  op.count = windowed;
  return true;
}

} // namespace

bool decodeMove(Decoder &d) {
  if (d.is("mov"))
    return decodeMov(d);
  if (d.is("cvta"))
    return decodeCvta(d);
  if (d.is("isspacep"))
    return decodeIsspacep(d);
  return false;
}

} // namespace ptxemu

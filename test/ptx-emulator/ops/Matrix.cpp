// mma.sync for f16, bf16, tf32, s8/u8 and f64, ldmatrix and stmatrix.
// A fragment's place in its matrix follows from lane / 4 and lane % 4, as the
// PTX manual draws it. Products are exact; the sums of one instruction are
// formed in f64 and rounded once, where the hardware has its own, coarser
// rounding.
#include "Access.h"
#include "Half.h"

#include <cctype>
#include <cstdio>

namespace ptxemu {
namespace {

struct Shape {
  int m, n, k;
};

/// What the elements of A and B are.
enum class Element { f16, bf16, tf32, s8, u8, f64 };

int bitsOf(Element element) {
  switch (element) {
  case Element::f16:
  case Element::bf16:
    return 16;
  case Element::tf32:
    return 32;
  case Element::f64:
    return 64;
  default:
    return 8;
  }
}

struct Mma {
  Shape shape;
  Element a, b;
  Type accumulator; ///< f32, f16, s32 or f64
};

double decodeElement(Element element, uint64_t bits) {
  switch (element) {
  case Element::f16:
    return halfToFloat(uint16_t(bits));
  case Element::bf16:
    return bfloatToFloat(uint16_t(bits));
  case Element::tf32:
    return std::bit_cast<float>(uint32_t(bits) & 0xFFFFE000);
  case Element::s8:
    return int8_t(bits);
  case Element::u8:
    return uint8_t(bits);
  default:
    return std::bit_cast<double>(bits);
  }
}

/// A register of a fragment holds `perRegister` neighbours in k.
struct Packing {
  int bits, perRegister;
  explicit Packing(Element element)
      : bits(bitsOf(element)), perRegister(bits >= 32 ? 1 : 32 / bits) {}
};

uint64_t registerOf(const Warp &warp, uint32_t offset, int lane, bool wide) {
  return wide ? slot<uint64_t>(warp, offset)[lane]
              : slot<uint32_t>(warp, offset)[lane];
}

/// A is m x k: register r covers rows (r % 2) * 8 and columns (r / 2) * 4p,
/// p being the values in a register. With m = 8 (f64) rows do not alternate.
void readA(const Warp &warp, const Mma &mma, const uint32_t *regs,
           double (&a)[16][32]) {
  Packing packing(mma.a);
  int halves = mma.shape.m / 8;
  int count = mma.shape.m * mma.shape.k / 32 / packing.perRegister;
  for (int r = 0; r < count; ++r)
    for (int lane = 0; lane < laneCount; ++lane) {
      uint64_t bits = registerOf(warp, regs[r], lane, packing.bits == 64);
      int row = lane / 4 + 8 * (r % halves);
      int k = (lane % 4 + 4 * (r / halves)) * packing.perRegister;
      for (int i = 0; i < packing.perRegister; ++i)
        a[row][k + i] = decodeElement(mma.a, bits >> (packing.bits * i));
    }
}

/// B is k x n (n = 8): register r covers k from r * 4p.
void readB(const Warp &warp, const Mma &mma, const uint32_t *regs,
           double (&b)[8][32]) {
  Packing packing(mma.b);
  int count = mma.shape.n * mma.shape.k / 32 / packing.perRegister;
  for (int r = 0; r < count; ++r)
    for (int lane = 0; lane < laneCount; ++lane) {
      uint64_t bits = registerOf(warp, regs[r], lane, packing.bits == 64);
      int k = (lane % 4 + 4 * r) * packing.perRegister;
      for (int i = 0; i < packing.perRegister; ++i)
        b[lane / 4][k + i] = decodeElement(mma.b, bits >> (packing.bits * i));
    }
}

/// One result: the k products and the element of C, summed and rounded once.
double dot(const double *a, const double *b, int k, double c) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[i] * b[i];
  return sum + c;
}

/// C and D: element e of a lane is at row lane/4 + 8*(e/2), column
/// 2*(lane%4) + e%2.
double readC(const Warp &warp, const Mma &mma, const uint32_t *regs, int lane,
             int e) {
  switch (mma.accumulator) {
  case Type::f16: {
    uint32_t pair = slot<uint32_t>(warp, regs[e / 2])[lane];
    return halfToFloat(uint16_t(pair >> (16 * (e % 2))));
  }
  case Type::s32:
    return slot<int32_t>(warp, regs[e])[lane];
  case Type::f64:
    return slot<double>(warp, regs[e])[lane];
  default:
    return slot<float>(warp, regs[e])[lane];
  }
}

void writeD(const Warp &warp, const Mma &mma, const uint32_t *regs, int lane,
            int e, double value) {
  switch (mma.accumulator) {
  case Type::f16: {
    uint32_t &pair = slot<uint32_t>(warp, regs[e / 2])[lane];
    uint32_t half = floatToHalf(toOddFloat(value)), shift = 16 * (e % 2);
    pair = (pair & ~(0xFFFFu << shift)) | half << shift;
    break;
  }
  case Type::s32:
    slot<int32_t>(warp, regs[e])[lane] = int32_t(int64_t(value));
    break;
  case Type::f64:
    slot<double>(warp, regs[e])[lane] = value;
    break;
  default:
    slot<float>(warp, regs[e])[lane] = float(value);
  }
}

void needWholeWarp(const Op *op, const Warp &warp) {
  if (warp.exec != allLanes)
    fault(FaultKind::other, warp, uint32_t(std::countr_zero(warp.exec)), op,
          "all 32 lanes must execute this together; here are " +
              hex(warp.exec));
}

/// op->list: slots of D (4), A (4), B (4), C (4).
const Op *multiply(const Op *op, Warp &warp) {
  needWholeWarp(op, warp);
  const Mma &mma = *static_cast<const Mma *>(op->target);
  double a[16][32], b[8][32];
  readA(warp, mma, op->list + 4, a);
  readB(warp, mma, op->list + 8, b);
  double results[laneCount][4];
  int elements = mma.shape.m * mma.shape.n / 32;
  for (int lane = 0; lane < laneCount; ++lane)
    for (int e = 0; e < elements; ++e)
      results[lane][e] =
          dot(a[lane / 4 + 8 * (e / 2)], b[2 * (lane % 4) + e % 2], mma.shape.k,
              readC(warp, mma, op->list + 12, lane, e));
  for (int lane = 0; lane < laneCount; ++lane)
    for (int e = 0; e < elements; ++e)
      writeD(warp, mma, op->list, lane, e, results[lane][e]);
  return op + 1;
}

bool isKnown(const Mma &mma, const std::string &shape) {
  struct Known {
    const char *shape;
    Element element;
  };
  static const Known known[] = {
      {".m16n8k8", Element::f16},  {".m16n8k16", Element::f16},
      {".m16n8k8", Element::bf16}, {".m16n8k16", Element::bf16},
      {".m16n8k4", Element::tf32}, {".m16n8k8", Element::tf32},
      {".m16n8k16", Element::s8},  {".m16n8k32", Element::s8},
      {".m16n8k16", Element::u8},  {".m16n8k32", Element::u8},
      {".m8n8k4", Element::f64}};
  for (const Known &k : known)
    if (shape == k.shape && mma.a == k.element)
      return true;
  return false;
}

Element elementOf(const Decoder &d, Type type) {
  switch (type) {
  case Type::f16:
    return Element::f16;
  case Type::bf16:
    return Element::bf16;
  case Type::tf32:
    return Element::tf32;
  case Type::s8:
    return Element::s8;
  case Type::u8:
    return Element::u8;
  case Type::f64:
    return Element::f64;
  default:
    d.fail("mma of this type is not emulated");
  }
}

Shape parseShape(const std::string &text) {
  Shape shape{};
  std::sscanf(text.c_str(), ".m%dn%dk%d", &shape.m, &shape.n, &shape.k);
  return shape;
}

bool decodeMma(Decoder &d) {
  std::string shape;
  for (const std::string &modifier : d.instruction().modifiers)
    if (modifier.rfind(".m", 0) == 0 && modifier.size() > 2 &&
        std::isdigit(static_cast<unsigned char>(modifier[2])))
      shape = modifier;
  // The types: of D, A, B, C.
  Mma mma{parseShape(shape), elementOf(d, d.type(1)), elementOf(d, d.type(2)),
          d.type(0)};
  if (!isKnown(mma, shape) || !d.has(".row") || !d.has(".col") ||
      d.type(3) != d.type(0) || d.has(".sp") || d.has(".xor"))
    return false;
  std::vector<uint32_t> slots(16, 0);
  auto place = [&](size_t operand, size_t at, Type type, bool writes) {
    const auto &elements = d.operand(operand).elements;
    for (size_t i = 0; i < elements.size() && i < 4; ++i)
      slots[at + i] = writes ? d.destination(elements[i], type)
                             : d.source(elements[i], type);
    return elements.size();
  };
  Type input = mma.a == Element::f64 ? Type::b64 : Type::b32;
  Type output = mma.accumulator == Type::f64 ? Type::b64 : Type::b32;
  size_t countA = place(1, 4, input, false);
  place(2, 8, input, false);
  place(3, 12, output, false);
  place(0, 0, output, true);
  size_t wanted = size_t(mma.shape.m * mma.shape.k) / 32 /
                  size_t(Packing(mma.a).perRegister);
  if (countA != wanted)
    d.fail("A has " + std::to_string(countA) + " registers, the shape wants " +
           std::to_string(wanted));
  const uint32_t *list = d.list(slots);
  Op &op = d.emit(multiply);
  op.list = list;
  op.target = d.codeOf().keep(std::make_shared<Mma>(mma));
  return true;
}

/// The 8x8 matrices of ldmatrix and stmatrix: lane l gives the address of row
/// l % 8 of matrix l / 8; lane l holds columns 2*(l%4) and + 1 of row l / 4.
void rowTargets(const Op *op, Warp &warp, Access access, Targets &targets) {
  alignas(64) uint64_t address[laneCount];
  needWholeWarp(op, warp);
  readAddresses(op, warp, address);
  uint32_t rows = op->count * 8;
  warp.exec = rows == 32 ? allLanes : (1u << rows) - 1;
  for (uint32_t i = rows; i < uint32_t(laneCount); ++i)
    address[i] = address[0];
  if (op->c) // a generic address
    genericTargets(op, warp, address, 16, access, targets);
  else
    sharedTargets(op, warp, address, 16, access, targets);
  warp.exec = allLanes;
}

uint8_t *elementAt(const Targets &targets, uint32_t matrix, int row,
                   int column) {
  return targets.host[matrix * 8 + uint32_t(row)] + column * 2;
}

template <bool Transposed> const Op *loadMatrix(const Op *op, Warp &warp) {
  Targets targets;
  rowTargets(op, warp, Access::read, targets);
  for (uint32_t matrix = 0; matrix < op->count; ++matrix)
    for (int lane = 0; lane < laneCount; ++lane)
      for (int i = 0; i < 2; ++i) {
        int row = lane / 4, column = 2 * (lane % 4) + i;
        if (Transposed)
          std::swap(row, column);
        std::memcpy(slot<uint16_t>(warp, op->list[matrix]) + 2 * lane + i,
                    elementAt(targets, matrix, row, column), 2);
      }
  return op + 1;
}

template <bool Transposed> const Op *storeMatrix(const Op *op, Warp &warp) {
  Targets targets;
  rowTargets(op, warp, Access::write, targets);
  for (uint32_t matrix = 0; matrix < op->count; ++matrix)
    for (int lane = 0; lane < laneCount; ++lane)
      for (int i = 0; i < 2; ++i) {
        int row = lane / 4, column = 2 * (lane % 4) + i;
        if (Transposed)
          std::swap(row, column);
        std::memcpy(elementAt(targets, matrix, row, column),
                    slot<uint16_t>(warp, op->list[matrix]) + 2 * lane + i, 2);
      }
  return op + 1;
}

bool decodeMatrixMove(Decoder &d, bool loads) {
  if (!d.has(".m8n8") || d.type() != Type::b16)
    return false;
  const Operand &regs = d.operand(loads ? 0 : 1);
  AddressOperand address = d.address(loads ? 1 : 0);
  std::vector<Operand> elements =
      regs.kind == Operand::vector ? regs.elements : std::vector<Operand>{regs};
  std::vector<uint32_t> slots;
  for (const Operand &element : elements)
    slots.push_back(loads ? d.destination(element, Type::b32)
                          : d.source(element, Type::b32));
  const uint32_t *list = d.list(slots);
  bool transposed = d.has(".trans");
  Op &op =
      d.emit(loads ? (transposed ? loadMatrix<true> : loadMatrix<false>)
                   : (transposed ? storeMatrix<true> : storeMatrix<false>));
  setAddress(d, op, address);
  op.count = uint32_t(slots.size());
  op.list = list;
  op.c = spaceOf(d) == Space::generic;
  return true;
}

/// movmatrix.trans: the 8x8 matrix that the lanes hold, transposed.
const Op *transposeMatrix(const Op *op, Warp &warp) {
  needWholeWarp(op, warp);
  uint16_t matrix[8][8];
  std::memcpy(matrix, slot<uint16_t>(warp, op->a), sizeof(matrix));
  auto *to = slot<uint16_t>(warp, op->d);
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      to[row * 8 + column] = matrix[column][row];
  return op + 1;
}

} // namespace

bool decodeMatrix(Decoder &d) {
  if (d.is("mma"))
    return decodeMma(d);
  if (d.is("ldmatrix") || d.is("stmatrix"))
    return decodeMatrixMove(d, d.is("ldmatrix"));
  if (d.is("movmatrix") && d.has(".trans")) {
    uint32_t a = d.source(1, Type::b32);
    d.emit(transposeMatrix, d.destination(0, Type::b32), a);
    return true;
  }
  return false;
}

} // namespace ptxemu

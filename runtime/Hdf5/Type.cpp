// Type: see Type.h.
#include "runtime/Hdf5/Type.h"

#include <algorithm>
#include <bit>

static_assert(std::endian::native == std::endian::little,
              "arrays in memory are little-endian");

namespace blocks::hdf5 {

namespace {
const std::string noFile = "memory", noObject;
const Place inMemory{noFile, noObject};

Type own(hid_t id) {
  return Type(checked(id, "make an element type in", inMemory));
}

Type copyOf(hid_t predefined) { return own(H5Tcopy(predefined)); }

Type makeBool() {
  Type type = own(H5Tenum_create(H5T_STD_I8LE));
  const int8_t no = 0, yes = 1;
  checked(H5Tenum_insert(type.id(), "FALSE", &no), "name FALSE in", inMemory);
  checked(H5Tenum_insert(type.id(), "TRUE", &yes), "name TRUE in", inMemory);
  return type;
}

Type makeHalf() {
  // Fields must be moved before the size can shrink.
  Type type = copyOf(H5T_IEEE_F32LE);
  checked(H5Tset_fields(type.id(), 15, 10, 5, 0, 10), "lay out f16 in",
          inMemory);
  checked(H5Tset_size(type.id(), 2), "size f16 in", inMemory);
  checked(H5Tset_ebias(type.id(), 15), "bias f16 in", inMemory);
  return type;
}

std::optional<DType> integerOf(size_t bytes, bool isSigned) {
  switch (bytes) {
  case 1:
    return isSigned ? DType::Int8 : DType::UInt8;
  case 2:
    return isSigned ? DType::Int16 : DType::UInt16;
  case 4:
    return isSigned ? DType::Int32 : DType::UInt32;
  case 8:
    return isSigned ? DType::Int64 : DType::UInt64;
  default:
    return std::nullopt;
  }
}

std::optional<DType> floatOf(size_t bytes) {
  switch (bytes) {
  case 2:
    return DType::Float16;
  case 4:
    return DType::Float32;
  case 8:
    return DType::Float64;
  default:
    return std::nullopt;
  }
}

/// An enumeration is a boolean if it is h5py's: two members, FALSE and TRUE.
bool isBool(const Type &type) {
  if (type.bytes() != 1 || H5Tget_nmembers(type.id()) != 2)
    return false;
  int8_t no = -1, yes = -1;
  return H5Tenum_valueof(type.id(), "FALSE", &no) >= 0 &&
         H5Tenum_valueof(type.id(), "TRUE", &yes) >= 0 && no == 0 && yes == 1;
}
} // namespace

Type Type::of(DType dtype) {
  QuietErrors quiet;
  switch (dtype) {
  case DType::Bool:
    return makeBool();
  case DType::Int8:
    return copyOf(H5T_STD_I8LE);
  case DType::Int16:
    return copyOf(H5T_STD_I16LE);
  case DType::Int32:
    return copyOf(H5T_STD_I32LE);
  case DType::Int64:
    return copyOf(H5T_STD_I64LE);
  case DType::UInt8:
    return copyOf(H5T_STD_U8LE);
  case DType::UInt16:
    return copyOf(H5T_STD_U16LE);
  case DType::UInt32:
    return copyOf(H5T_STD_U32LE);
  case DType::UInt64:
    return copyOf(H5T_STD_U64LE);
  case DType::Float16:
    return makeHalf();
  case DType::Float32:
    return copyOf(H5T_IEEE_F32LE);
  case DType::Float64:
    return copyOf(H5T_IEEE_F64LE);
  }
  throw UnsupportedError("this element type has no HDF5 form");
}

Type Type::fixedString(size_t bytes) {
  QuietErrors quiet;
  Type type = copyOf(H5T_C_S1);
  checked(H5Tset_size(type.id(), bytes), "size a string in", inMemory);
  checked(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "pad a string in",
          inMemory);
  return type;
}

Type Type::terminatedString(size_t bytes) {
  QuietErrors quiet;
  Type type = copyOf(H5T_C_S1);
  checked(H5Tset_size(type.id(), bytes), "size a string in", inMemory);
  return type;
}

Type Type::list(const Type &element) {
  QuietErrors quiet;
  return own(H5Tvlen_create(element.id()));
}

Type Type::variableString(bool utf8) {
  QuietErrors quiet;
  Type type = copyOf(H5T_C_S1);
  checked(H5Tset_size(type.id(), H5T_VARIABLE), "size a string in", inMemory);
  checked(H5Tset_cset(type.id(), utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII),
          "encode a string in", inMemory);
  return type;
}

Type Type::compound(size_t bytes) {
  QuietErrors quiet;
  return own(H5Tcreate(H5T_COMPOUND, bytes));
}

Type Type::objectReference() {
  QuietErrors quiet;
  return copyOf(H5T_STD_REF_OBJ);
}

Type &Type::insert(const char *member, size_t offset, const Type &type) {
  QuietErrors quiet;
  checked(H5Tinsert(id(), member, offset, type.id()), "add a member in",
          inMemory);
  return *this;
}

H5T_class_t Type::kind() const {
  QuietErrors quiet;
  return H5Tget_class(id());
}

size_t Type::bytes() const {
  QuietErrors quiet;
  return H5Tget_size(id());
}

bool Type::isVariableString() const {
  QuietErrors quiet;
  return H5Tget_class(id()) == H5T_STRING && H5Tis_variable_str(id()) > 0;
}

bool Type::isObjectReference() const {
  return kind() == H5T_REFERENCE && equals(objectReference());
}

bool Type::equals(const Type &other) const {
  QuietErrors quiet;
  return H5Tequal(id(), other.id()) > 0;
}

std::optional<Type> Type::member(const char *name) const {
  QuietErrors quiet;
  if (H5Tget_class(id()) != H5T_COMPOUND)
    return std::nullopt;
  int index = H5Tget_member_index(id(), name);
  if (index < 0)
    return std::nullopt;
  return own(H5Tget_member_type(id(), unsigned(index)));
}

std::optional<DType> Type::dtype() const {
  QuietErrors quiet;
  switch (H5Tget_class(id())) {
  case H5T_INTEGER:
    return integerOf(bytes(), H5Tget_sign(id()) == H5T_SGN_2);
  case H5T_FLOAT:
    return floatOf(bytes());
  case H5T_ENUM:
    return isBool(*this) ? std::optional(DType::Bool) : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool Type::isSound() const {
  QuietErrors quiet;
  H5T_class_t kind = H5Tget_class(id());
  if (kind == H5T_NO_CLASS || bytes() == 0)
    return false;
  if (kind == H5T_COMPOUND) {
    int members = H5Tget_nmembers(id());
    for (int i = 0; i < members; ++i) {
      Type part(H5Tget_member_type(id(), unsigned(i)));
      size_t offset = H5Tget_member_offset(id(), unsigned(i));
      if (part.id() < 0 || !part.isSound() || offset > bytes() ||
          part.bytes() > bytes() - offset)
        return false;
    }
    return members > 0;
  }
  if (kind == H5T_ARRAY || kind == H5T_VLEN || kind == H5T_ENUM) {
    Type base(H5Tget_super(id()));
    if (base.id() < 0 || !base.isSound())
      return false;
    return kind != H5T_ENUM || base.bytes() == bytes();
  }
  if (kind == H5T_INTEGER || kind == H5T_FLOAT)
    return H5Tget_precision(id()) + size_t(std::max(0, H5Tget_offset(id()))) <=
           8 * bytes();
  return true;
}

std::string Type::describe() const {
  QuietErrors quiet;
  if (std::optional<DType> known = dtype())
    return std::string(dtypeName(*known));
  std::string size = std::to_string(bytes());
  switch (H5Tget_class(id())) {
  case H5T_INTEGER:
    return size + "-byte integer";
  case H5T_FLOAT:
    return size + "-byte float";
  case H5T_STRING:
    return isVariableString() ? "variable-length string"
                              : "string of " + size + " bytes";
  case H5T_VLEN:
    return "variable-length list";
  case H5T_COMPOUND:
    return "compound";
  case H5T_ENUM:
    return "enumeration";
  case H5T_REFERENCE:
    return "reference";
  default:
    return size + "-byte opaque element";
  }
}

} // namespace blocks::hdf5

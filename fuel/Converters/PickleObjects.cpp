// PickleObjects: the instructions by which NumPy's arrays come back: a name, a
// call, and a state to be set. Only these names are known, and none of them is
// called: they say which value to make. See PickleReader.h.
#include "fuel/Converters/PickleReader.h"

#include "blocks/Error.h"

namespace fuel {

namespace {
enum class Name { Unknown, Reconstruct, Ndarray, DType, Encode };

Name nameOf(std::string_view name) {
  if (name == "numpy.core.multiarray._reconstruct" ||
      name == "numpy._core.multiarray._reconstruct")
    return Name::Reconstruct;
  return name == "numpy.ndarray"    ? Name::Ndarray
         : name == "numpy.dtype"    ? Name::DType
         : name == "_codecs.encode" ? Name::Encode
                                    : Name::Unknown;
}

std::string_view textAt(const PickleValue &tuple, size_t index) {
  if (index < tuple.items.size() &&
      tuple.items[index]->kind == PickleValue::Kind::Text)
    return tuple.items[index]->text;
  return {};
}
} // namespace

void PickleReader::pushGlobal(std::string_view module, std::string_view name) {
  std::string whole = std::string(module.substr(0, 100)) + "." +
                      std::string(name.substr(0, 100));
  if (nameOf(whole) == Name::Unknown)
    fail("it refers to '" + whole +
         "', which is not carried out; expected an array of NumPy");
  PickleValue &made = make(Kind::Function);
  made.text = keep(std::move(whole));
  push(&made);
}

bool PickleReader::object(char code) {
  switch (code) {
  case 'c': {
    std::string_view module = line();
    pushGlobal(module, line());
    return true;
  }
  case '\x93': {
    std::string_view name = pop(Kind::Text, "a name")->text;
    pushGlobal(pop(Kind::Text, "a module's name")->text, name);
    return true;
  }
  case 'R':
    reduce();
    return true;
  case 'b':
    build();
    return true;
  default:
    return false;
  }
}

/// Python 3 writes bytes as text for old protocols.
std::string PickleReader::latin1(std::string_view utf8) const {
  std::string result;
  for (size_t i = 0; i < utf8.size(); ++i) {
    auto byte = uint8_t(utf8[i]);
    if (byte >= 0x80) {
      if ((byte & 0xfe) != 0xc2 || i + 1 == utf8.size())
        fail("a text is not in Latin-1");
      byte = uint8_t((byte & 3) << 6 | (uint8_t(utf8[++i]) & 0x3f));
    }
    result += char(byte);
  }
  return result;
}

PickleValue *PickleReader::dtypeOf(const PickleValue &arguments) {
  std::string_view name = textAt(arguments, 0);
  PickleValue &type = make(Kind::DType);
  try {
    type.dtype = blocks::dtypeFromNumpy(
        (name == "b1" || name.ends_with('1') ? "|" : "<") + std::string(name));
  } catch (const blocks::Error &) {
    fail("its element type '" + std::string(name.substr(0, 20)) +
         "' is unknown; expected numbers");
  }
  return &type;
}

void PickleReader::reduce() {
  PickleValue *arguments = pop(Kind::Tuple, "a tuple of arguments");
  PickleValue *function = pop(Kind::Function, "a name");
  switch (nameOf(function->text)) {
  case Name::Reconstruct:
    push(&make(Kind::Array));
    break;
  case Name::DType:
    push(dtypeOf(*arguments));
    break;
  case Name::Encode:
    if (textAt(*arguments, 1) != "latin1")
      fail("a text has an unknown encoding");
    pushText(keep(latin1(textAt(*arguments, 0))), false);
    break;
  default:
    fail("'" + std::string(function->text) + "' is called");
  }
}

void PickleReader::build() {
  PickleValue *state = pop(Kind::Tuple, "a tuple as an object's state");
  PickleValue *object = pop();
  if (object->kind == Kind::DType)
    buildType(*object, *state);
  else if (object->kind == Kind::Array)
    buildArray(*object, *state);
  else
    fail("a value that is no object gets a state");
  push(object);
}

/// (version, byte order, …).
void PickleReader::buildType(PickleValue &type, const PickleValue &state) {
  type.bigEndian = textAt(state, 1) == ">";
}

/// (version, shape, type, whether in Fortran's order, bytes).
void PickleReader::buildArray(PickleValue &array, const PickleValue &state) {
  constexpr size_t members = 5, mostAxes = 32;
  if (state.items.size() != members || state.items[1]->kind != Kind::Tuple ||
      state.items[2]->kind != Kind::DType ||
      state.items[4]->kind != Kind::Text ||
      state.items[1]->items.size() > mostAxes)
    fail("an array's state is not as NumPy writes it");
  const PickleValue &type = *state.items[2];
  array.dtype = type.dtype;
  array.bigEndian = type.bigEndian;
  array.fortranOrder = state.items[3]->integer != 0;
  array.text = state.items[4]->text;
  array.shape.clear();
  uint64_t bytes = blocks::dtypeSize(type.dtype);
  for (const PickleValue *extent : state.items[1]->items) {
    if (extent->kind != Kind::Int || extent->integer < 0 ||
        __builtin_mul_overflow(bytes, uint64_t(extent->integer), &bytes))
      fail("an array has an impossible shape");
    array.shape.push_back(extent->integer);
  }
  if (bytes != array.text.size())
    fail("an array of shape " + blocks::formatShape(array.shape) + " has " +
         std::to_string(array.text.size()) + " bytes; expected " +
         std::to_string(bytes));
}

} // namespace fuel

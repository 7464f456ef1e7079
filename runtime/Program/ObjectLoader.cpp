// Layout, symbols and relocations of a loaded object: see ObjectLoader.h.
//
// The mapping: [code, stubs][constants, address table][data]. A stub is a jump
// to a far function through the address table (the global offset table of the
// ABI), for calls that reach 2 GB only. Both have room for every name in the
// table of symbols plus one for each own symbol that an object refers to
// through the address table.
#include "runtime/Program/ObjectLoader.h"

#include "blocks/Error.h"
#include "runtime/Program/ElfFile.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blocks {

namespace {
constexpr uint64_t pageBytes = 4096, largestObject = uint64_t(1) << 30;
} // namespace

Mapping::Mapping(size_t bytes) : length(bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw IoError("cannot map " + std::to_string(bytes) +
                  " bytes for compiled code: " + std::strerror(errno));
  begin = static_cast<std::byte *>(memory);
}
Mapping::~Mapping() {
  if (begin)
    munmap(begin, length);
}
Mapping::Mapping(Mapping &&other) noexcept
    : begin(std::exchange(other.begin, nullptr)),
      length(std::exchange(other.length, 0)) {}
Mapping &Mapping::operator=(Mapping &&other) noexcept {
  std::swap(begin, other.begin);
  std::swap(length, other.length);
  return *this;
}
void Mapping::protect(size_t offset, size_t bytes, int protection) {
  if (bytes && mprotect(begin + offset, bytes, protection) != 0)
    throw IoError(std::string("cannot protect the pages of compiled code: ") +
                  std::strerror(errno));
}

namespace {

enum Group { Code, Constants, Data, groupCount };

/// One load: from bytes to protected pages.
class Loader {
public:
  Loader(std::span<const std::byte> object,
         std::span<const RuntimeSymbol> symbols)
      : elf(object), externals(symbols), places(elf.sections().size()) {}

  void load() {
    collectRelocations();
    layOut();
    copySections();
    for (const Patch &patch : patches)
      apply(patch);
    protect();
  }

  std::map<std::string, void *> functions() const;
  Mapping take() { return std::move(mapping); }

private:
  struct Place {
    bool loaded = false;
    Group group = Data;
    uint64_t offset = 0, size = 0;
  };
  struct Patch {
    size_t section; ///< That is changed.
    Elf64_Rela relocation;
  };

  void collectRelocations();
  bool isLoaded(const Elf64_Shdr &section) const;
  void layOut();
  uint64_t placeGroup(Group group, uint64_t offset);
  void copySections();
  void apply(const Patch &patch);
  void protect();

  const Elf64_Sym &symbolAt(uint64_t index) const;
  bool isExternal(const Elf64_Sym &symbol) const {
    return symbol.st_shndx == SHN_UNDEF;
  }
  uint64_t addressOf(const Elf64_Sym &symbol) const;
  uint64_t addressOfExternal(std::string_view name) const;
  uint64_t tableSlot(uint64_t index);
  uint64_t stub(uint64_t index);
  uint64_t base() const { return reinterpret_cast<uint64_t>(mapping.data()); }

  ElfFile elf;
  std::span<const RuntimeSymbol> externals;
  std::vector<Place> places; ///< By section.
  std::vector<Patch> patches;
  Mapping mapping;
  uint64_t groupStart[groupCount + 1] = {};
  uint64_t stubsNext = 0, stubsEnd = 0, tableNext = 0, tableEnd = 0;
  std::unordered_map<uint64_t, uint64_t> tableSlots, stubs; ///< By symbol.
};

constexpr uint64_t stubBytes = 8, slotBytes = 8; // jmp *disp32(%rip), padding

bool Loader::isLoaded(const Elf64_Shdr &section) const {
  if (!(section.sh_flags & SHF_ALLOC))
    return false;
  // Tables for unwinding: compiled code throws nothing.
  std::string_view name = elf.sectionName(section);
  return name != ".eh_frame" && section.sh_type != SHT_X86_64_UNWIND &&
         section.sh_type != SHT_NOTE;
}

/// The relocations of sections that are loaded. How many there are bounds the
/// sizes of stubs and address table.
void Loader::collectRelocations() {
  const auto &sections = elf.sections();
  for (size_t i = 0; i < sections.size(); ++i)
    places[i].loaded = isLoaded(sections[i]);
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type != SHT_RELA && section.sh_type != SHT_REL)
      continue;
    size_t target = section.sh_info;
    if (target >= sections.size())
      failObject("it relocates a section that it has not");
    if (!places[target].loaded)
      continue;
    if (section.sh_type == SHT_REL || sections[target].sh_type == SHT_NOBITS)
      failObject("its relocations have an unknown format");
    for (const Elf64_Rela &relocation : elf.relocations(section))
      patches.push_back({target, relocation});
  }
}

/// Gives each section of the group its offset; returns the end.
uint64_t Loader::placeGroup(Group group, uint64_t offset) {
  const auto &sections = elf.sections();
  for (size_t i = 0; i < sections.size(); ++i) {
    const Elf64_Shdr &section = sections[i];
    if (!places[i].loaded || places[i].group != group)
      continue;
    uint64_t align = section.sh_addralign ? section.sh_addralign : 1;
    if (align > pageBytes || (align & (align - 1)))
      failObject("a section has an alignment of " + std::to_string(align));
    offset = (offset + align - 1) / align * align;
    if (section.sh_size > largestObject ||
        offset + section.sh_size > largestObject)
      failObject("its sections are larger than 1 GB");
    places[i].offset = offset;
    places[i].size = section.sh_size;
    offset += section.sh_size;
  }
  return offset;
}

void Loader::layOut() {
  const auto &sections = elf.sections();
  for (size_t i = 0; i < sections.size(); ++i) {
    const Elf64_Shdr &section = sections[i];
    if (!places[i].loaded)
      continue;
    if (section.sh_type != SHT_PROGBITS && section.sh_type != SHT_NOBITS)
      failObject("it has a section of the unknown type " +
                 std::to_string(section.sh_type));
    if (section.sh_flags & SHF_TLS)
      failObject("it has thread-local data");
    bool code = section.sh_flags & SHF_EXECINSTR;
    bool data = section.sh_flags & SHF_WRITE;
    if (code && data)
      failObject("it has code that is writable");
    places[i].group = code ? Code : data ? Data : Constants;
  }
  auto pages = [](uint64_t n) {
    return (n + pageBytes - 1) / pageBytes * pageBytes;
  };
  if (patches.size() > largestObject / 64)
    failObject("it has too many relocations");
  // UndefinedBehaviorSanitizer looks at the word before a function that is
  // called by pointer; the first function must have one.
  stubsNext = (placeGroup(Code, 64) + 15) / 16 * 16;
  stubsEnd = stubsNext + patches.size() * stubBytes;
  groupStart[Constants] = pages(stubsEnd);
  tableNext = (placeGroup(Constants, groupStart[Constants]) + 15) / 16 * 16;
  tableEnd = tableNext + patches.size() * slotBytes;
  groupStart[Data] = pages(tableEnd);
  groupStart[groupCount] = pages(placeGroup(Data, groupStart[Data]));
  mapping = Mapping(groupStart[groupCount]);
}

void Loader::copySections() {
  for (size_t i = 0; i < places.size(); ++i) {
    auto contents = places[i].loaded ? elf.contents(elf.sections()[i])
                                     : std::span<const std::byte>{};
    if (!contents.empty())
      std::memcpy(mapping.data() + places[i].offset, contents.data(),
                  contents.size());
  }
}

const Elf64_Sym &Loader::symbolAt(uint64_t index) const {
  if (index >= elf.symbols().size())
    failObject("it refers to a symbol that it has not");
  return elf.symbols()[index];
}

uint64_t Loader::addressOfExternal(std::string_view name) const {
  for (const RuntimeSymbol &external : externals)
    if (external.name == name)
      return reinterpret_cast<uint64_t>(external.address);
  failObject("it refers to '" + std::string(name) +
             "', which the runtime has not");
}

uint64_t Loader::addressOf(const Elf64_Sym &symbol) const {
  unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (type == STT_TLS || type == STT_GNU_IFUNC)
    failObject("it has a symbol of the unknown type " + std::to_string(type));
  if (isExternal(symbol))
    return addressOfExternal(elf.symbolName(symbol));
  if (symbol.st_shndx == SHN_ABS)
    return symbol.st_value;
  if (symbol.st_shndx >= places.size() || !places[symbol.st_shndx].loaded)
    failObject("a symbol stands in a section that is not loaded");
  const Place &place = places[symbol.st_shndx];
  // One past the end is legal.
  if (symbol.st_value > place.size)
    failObject("a symbol reaches beyond its section");
  return base() + place.offset + symbol.st_value;
}

/// Where the symbol's address stands in the address table.
uint64_t Loader::tableSlot(uint64_t index) {
  auto [found, isNew] = tableSlots.try_emplace(index, tableNext);
  if (isNew) {
    if (tableNext + slotBytes > tableEnd)
      failObject("its address table is too large");
    uint64_t address = addressOf(symbolAt(index));
    std::memcpy(mapping.data() + tableNext, &address, sizeof address);
    tableNext += slotBytes;
  }
  return base() + found->second;
}

/// A jump to a far function: FF 25 disp32, to the address in its table slot.
uint64_t Loader::stub(uint64_t index) {
  auto [found, isNew] = stubs.try_emplace(index, stubsNext);
  if (isNew) {
    if (stubsNext + stubBytes > stubsEnd)
      failObject("it has too many far calls");
    uint64_t slot = tableSlot(index);
    std::byte *code = mapping.data() + stubsNext;
    code[0] = std::byte(0xff);
    code[1] = std::byte(0x25);
    int32_t distance = int32_t(slot - (base() + stubsNext + 6));
    std::memcpy(code + 2, &distance, sizeof distance);
    stubsNext += stubBytes;
  }
  return base() + found->second;
}

bool fitsSigned(uint64_t value) {
  return int64_t(value) == int64_t(int32_t(value));
}
bool fitsUnsigned(uint64_t value) { return value == uint32_t(value); }

void Loader::apply(const Patch &patch) {
  const Elf64_Rela &relocation = patch.relocation;
  uint64_t index = ELF64_R_SYM(relocation.r_info);
  uint32_t type = uint32_t(ELF64_R_TYPE(relocation.r_info));
  if (type == R_X86_64_NONE)
    return;

  bool wide = type == R_X86_64_64 || type == R_X86_64_PC64;
  const Place &place = places[patch.section];
  uint64_t width = wide ? 8 : 4;
  if (place.size < width || relocation.r_offset > place.size - width)
    failObject("a relocation reaches beyond its section");
  std::byte *where = mapping.data() + place.offset + relocation.r_offset;
  uint64_t here = reinterpret_cast<uint64_t>(where);
  uint64_t addend = uint64_t(relocation.r_addend);
  const Elf64_Sym &symbol = symbolAt(index);
  uint64_t value = 0;
  bool fits = true;

  switch (type) {
  case R_X86_64_64:
    value = addressOf(symbol) + addend;
    break;
  case R_X86_64_PC64:
    value = addressOf(symbol) + addend - here;
    break;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    value = addressOf(symbol) + addend - here;
    // All external names are functions, so a stub stands for them.
    if (!fitsSigned(value) && isExternal(symbol))
      value = stub(index) + addend - here;
    fits = fitsSigned(value);
    break;
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    value = tableSlot(index) + addend - here;
    fits = fitsSigned(value);
    break;
  case R_X86_64_32:
    value = addressOf(symbol) + addend;
    fits = fitsUnsigned(value);
    break;
  case R_X86_64_32S:
    value = addressOf(symbol) + addend;
    fits = fitsSigned(value);
    break;
  default:
    failObject("it has a relocation of the unknown type " +
               std::to_string(type));
  }
  if (!fits)
    failObject("an address is out of reach of a relocation of type " +
               std::to_string(type));
  std::memcpy(where, &value, width);
}

void Loader::protect() {
  auto size = [&](Group group) {
    return groupStart[group + 1] - groupStart[group];
  };
  mapping.protect(groupStart[Code], size(Code), PROT_READ | PROT_EXEC);
  mapping.protect(groupStart[Constants], size(Constants), PROT_READ);
}

std::map<std::string, void *> Loader::functions() const {
  std::map<std::string, void *> result;
  for (const Elf64_Sym &symbol : elf.symbols()) {
    if (ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL || isExternal(symbol) ||
        symbol.st_shndx >= places.size() || !places[symbol.st_shndx].loaded ||
        places[symbol.st_shndx].group != Code)
      continue;
    if (symbol.st_value >= places[symbol.st_shndx].size)
      failObject("a symbol reaches beyond its section");
    std::string name(elf.symbolName(symbol));
    void *address = reinterpret_cast<void *>(addressOf(symbol));
    if (!result.emplace(name, address).second)
      failObject("it defines '" + name + "' twice");
  }
  return result;
}

} // namespace

LoadedObject::LoadedObject(std::span<const std::byte> object,
                           std::span<const RuntimeSymbol> symbols) {
  Loader loader(object, symbols);
  loader.load();
  functions = loader.functions();
  mapping = loader.take();
}

void *LoadedObject::function(const std::string &name) const {
  auto found = functions.find(name);
  if (found == functions.end())
    failObject("it has no function '" + name + "'");
  return found->second;
}

} // namespace blocks

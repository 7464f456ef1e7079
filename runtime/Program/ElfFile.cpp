// Checked reading of ELF: see ElfFile.h. Structures are copied out of the
// object, which may have any alignment.
#include "runtime/Program/ElfFile.h"

#include "blocks/Error.h"

#include <cstring>

namespace blocks {

void failObject(const std::string &problem) {
  throw CorruptError("the compiled object is damaged: " + problem +
                     "; compile the model again");
}

ElfFile::ElfFile(std::span<const std::byte> newBytes) : bytes(newBytes) {
  auto start = slice(0, sizeof header, "header");
  std::memcpy(&header, start.data(), sizeof header);
  const unsigned char *ident = header.e_ident;
  if (std::memcmp(ident, ELFMAG, SELFMAG) != 0)
    failObject("it is no ELF file");
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64 || header.e_type != ET_REL)
    failObject("it is no relocatable object for x86-64");
  readSections();
  readSymbols();
}

std::span<const std::byte> ElfFile::slice(uint64_t offset, uint64_t size,
                                          const char *what) const {
  if (offset > bytes.size() || size > bytes.size() - offset)
    failObject(std::string("its ") + what + " reaches beyond its end");
  return bytes.subspan(offset, size);
}

template <typename T>
std::vector<T> ElfFile::table(uint64_t offset, uint64_t count,
                              const char *what) const {
  if (count > bytes.size() / sizeof(T))
    failObject(std::string("its ") + what + " reaches beyond its end");
  auto raw = slice(offset, count * sizeof(T), what);
  std::vector<T> result(count);
  if (count)
    std::memcpy(result.data(), raw.data(), raw.size());
  return result;
}

void ElfFile::readSections() {
  // More than 65279 sections would be counted elsewhere; no object has them.
  if (header.e_shoff == 0 || header.e_shnum == 0)
    failObject("it has no sections");
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    failObject("its table of sections has an unknown format");
  sectionTable =
      table<Elf64_Shdr>(header.e_shoff, header.e_shnum, "table of sections");
  if (header.e_shstrndx >= sectionTable.size())
    failObject("its sections have no names");
  sectionStrings = contents(sectionTable[header.e_shstrndx]);
}

void ElfFile::readSymbols() {
  bool seen = false;
  for (const Elf64_Shdr &section : sectionTable) {
    if (section.sh_type == SHT_SYMTAB_SHNDX)
      failObject("it has too many sections");
    if (section.sh_type != SHT_SYMTAB)
      continue;
    if (seen || section.sh_entsize != sizeof(Elf64_Sym) ||
        section.sh_link >= sectionTable.size())
      failObject("its table of symbols has an unknown format");
    seen = true;
    symbolTable =
        table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym),
                         "table of symbols");
    symbolStrings = contents(sectionTable[section.sh_link]);
  }
}

std::span<const std::byte> ElfFile::contents(const Elf64_Shdr &section) const {
  if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
    return {};
  return slice(section.sh_offset, section.sh_size, "section");
}

std::string_view ElfFile::text(std::span<const std::byte> strings,
                               uint64_t offset) const {
  if (offset >= strings.size())
    failObject("a name reaches beyond its table");
  const char *begin = reinterpret_cast<const char *>(strings.data()) + offset;
  size_t length = strnlen(begin, strings.size() - offset);
  if (length == strings.size() - offset)
    failObject("a name has no end");
  return {begin, length};
}

std::string_view ElfFile::sectionName(const Elf64_Shdr &section) const {
  return text(sectionStrings, section.sh_name);
}

std::string_view ElfFile::symbolName(const Elf64_Sym &symbol) const {
  return text(symbolStrings, symbol.st_name);
}

std::vector<Elf64_Rela> ElfFile::relocations(const Elf64_Shdr &section) const {
  if (section.sh_entsize != sizeof(Elf64_Rela))
    failObject("its relocations have an unknown format");
  return table<Elf64_Rela>(section.sh_offset,
                           section.sh_size / sizeof(Elf64_Rela),
                           "table of relocations");
}

} // namespace blocks

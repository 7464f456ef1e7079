// ElfFile: the parts of a relocatable x86-64 ELF object that the loader needs,
// with every offset checked before it is followed. A damaged or hostile object
// ends in a CorruptError, never in a read outside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blocks {

/// Throws the CorruptError of everything in here.
[[noreturn]] void failObject(const std::string &problem);

class ElfFile {
public:
  /// Refers to `bytes`. Throws CorruptError.
  explicit ElfFile(std::span<const std::byte> bytes);

  const std::vector<Elf64_Shdr> &sections() const { return sectionTable; }
  const std::vector<Elf64_Sym> &symbols() const { return symbolTable; }
  /// The bytes of a section; empty for one without (.bss).
  std::span<const std::byte> contents(const Elf64_Shdr &section) const;
  std::string_view sectionName(const Elf64_Shdr &section) const;
  std::string_view symbolName(const Elf64_Sym &symbol) const;
  std::vector<Elf64_Rela> relocations(const Elf64_Shdr &section) const;

private:
  std::span<const std::byte> slice(uint64_t offset, uint64_t size,
                                   const char *what) const;
  template <typename T>
  std::vector<T> table(uint64_t offset, uint64_t count, const char *what) const;
  std::string_view text(std::span<const std::byte> strings,
                        uint64_t offset) const;
  void readSections();
  void readSymbols();

  std::span<const std::byte> bytes;
  Elf64_Ehdr header;
  std::vector<Elf64_Shdr> sectionTable;
  std::vector<Elf64_Sym> symbolTable;
  std::span<const std::byte> sectionStrings, symbolStrings;
};

} // namespace blocks

// NpzFile: NumPy's .npz archives (ZIP files of .npy members) and single .npy
// files, read and written so that NumPy and we understand each other. Reading
// maps the file; every length in it is checked before memory is allocated, and
// every checksum before data is handed out.
#pragma once

#include "blocks/Array.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blocks {

class NpzFile {
public:
  /// Opens an archive and reads its directory. Throws IoError or CorruptError,
  /// naming the path.
  explicit NpzFile(const std::string &path);
  ~NpzFile();
  NpzFile(NpzFile &&) noexcept;

  /// Names without ".npy", in the order of the archive.
  const std::vector<std::string> &names() const;
  bool contains(const std::string &name) const;
  /// A copy, in C order. Throws InputError if there is no such member.
  Array read(const std::string &name) const;
  /// The member where it lies in the mapped file, without a copy, if it is
  /// stored, aligned and in C order; otherwise a decoded array that this file
  /// keeps. Valid as long as the file.
  ArrayView view(const std::string &name);

private:
  struct Contents;
  std::unique_ptr<Contents> contents;
};

/// Writes an archive of stored (or deflated) members. Nothing appears under the
/// path until `commit`.
class NpzWriter {
public:
  explicit NpzWriter(const std::string &path, bool deflate = false);
  ~NpzWriter();
  /// Appends member `name`.npy. Throws IoError (full disk), or
  /// UnsupportedError for archives beyond 4 GiB.
  void add(const std::string &name, const ArrayView &array);
  void commit();

private:
  struct Contents;
  std::unique_ptr<Contents> contents;
};

/// Reads and writes a single .npy file.
Array readNpy(const std::string &path);
void writeNpy(const std::string &path, const ArrayView &array);

/// True if the file begins like a ZIP archive.
bool looksLikeNpz(const std::string &path);

} // namespace blocks

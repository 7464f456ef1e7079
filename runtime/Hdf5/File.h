// File: an HDF5 file, opened for reading or created for writing. Datasets and
// groups keep it open, so `close` (which reports a failed last write, a full
// disk for example) refuses while any of them lives.
#pragma once

#include "runtime/Hdf5/Group.h"

namespace blocks::hdf5 {

class File {
public:
  /// Read-only. IoError if the system refuses, InputError if it is not HDF5,
  /// CorruptError if it is truncated or damaged.
  static File open(const std::string &path);

  /// For changes in place. The same errors.
  static File edit(const std::string &path);

  struct CreateOptions {
    /// Bytes before the HDF5 part, left to the caller: 0, 512, 1024 …
    uint64_t userBlock = 0;
    /// Allow the object headers of HDF5 1.8, needed by attributes over 64 KiB.
    bool largeAttributes = false;
  };
  /// A new file, or an emptied one.
  static File create(const std::string &path, const CreateOptions &options);
  static File create(const std::string &path) { return create(path, {}); }

  const std::string &path() const { return filePath; }
  Group root() const;
  /// Size of the user block in bytes.
  uint64_t userBlock() const;
  /// Writes everything out and closes; throws IoError if that fails. Groups,
  /// datasets and attributes must be gone.
  void close();

private:
  static File openAs(const std::string &path, unsigned flags);
  File(FileHandle handle, std::string path)
      : handle(std::move(handle)), filePath(std::move(path)) {}
  FileHandle handle;
  std::string filePath;
};

/// From now on this process loads no filters from plug-in files.
void refusePlugins();

/// Whether the library was built to be called from several threads.
bool isThreadSafe();

} // namespace blocks::hdf5

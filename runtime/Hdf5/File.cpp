// File: see File.h.
#include "runtime/Hdf5/File.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace blocks::hdf5 {

namespace {
const std::string rootPath = "/";

/// Tells a missing or unreadable file from one that HDF5 rejects.
void checkReadable(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  int error = descriptor < 0 || ::fstat(descriptor, &status) != 0 ? errno : 0;
  if (descriptor >= 0)
    ::close(descriptor);
  if (error)
    throw IoError("cannot open '" + path + "': " + std::strerror(error));
  if (S_ISDIR(status.st_mode))
    throw IoError("cannot open '" + path +
                  "': it is a directory; expected an HDF5 file");
}

/// Read access: file locks are honoured where the file system has them.
PropertyHandle readAccess(const Place &place) {
  PropertyHandle access(
      checked(H5Pcreate(H5P_FILE_ACCESS), "prepare to open", place));
#if H5_VERSION_GE(1, 10, 7)
  checked(H5Pset_file_locking(access.get(), true, true), "prepare to open",
          place);
#endif
  return access;
}
} // namespace

File File::open(const std::string &path) {
  return openAs(path, H5F_ACC_RDONLY);
}

File File::edit(const std::string &path) { return openAs(path, H5F_ACC_RDWR); }

File File::openAs(const std::string &path, unsigned flags) {
  checkReadable(path);
  QuietErrors quiet;
  Place place{path, rootPath};
  if (H5Fis_hdf5(path.c_str()) <= 0)
    throw InputError("'" + path +
                     "' is not an HDF5 file (its signature is missing)");
  PropertyHandle access = readAccess(place);
  hid_t opened = H5Fopen(path.c_str(), flags, access.get());
  return File(FileHandle(checked(opened, "open", place)), path);
}

File File::create(const std::string &path, const CreateOptions &options) {
  QuietErrors quiet;
  Place place{path, rootPath};
  PropertyHandle creation(
      checked(H5Pcreate(H5P_FILE_CREATE), "create", place, ErrorKind::Io));
  checked(H5Pset_userblock(creation.get(), options.userBlock), "create", place,
          ErrorKind::Usage);
  PropertyHandle access(
      checked(H5Pcreate(H5P_FILE_ACCESS), "create", place, ErrorKind::Io));
  if (options.largeAttributes)
    checked(
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST),
        "create", place, ErrorKind::Io);
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_SEMI), "create", place,
          ErrorKind::Io);
  hid_t created =
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  return File(FileHandle(checked(created, "create", place, ErrorKind::Io)),
              path);
}

Group File::root() const {
  QuietErrors quiet;
  hid_t opened = H5Oopen(handle.get(), "/", H5P_DEFAULT);
  return Group(ObjectHandle(checked(opened, "open the root group of",
                                    {filePath, rootPath})),
               filePath, "/");
}

uint64_t File::userBlock() const {
  QuietErrors quiet;
  Place place{filePath, rootPath};
  PropertyHandle creation(
      checked(H5Fget_create_plist(handle.get()), "read the header of", place));
  hsize_t bytes = 0;
  checked(H5Pget_userblock(creation.get(), &bytes), "read the header of",
          place);
  return bytes;
}

void File::close() {
  if (!handle)
    return;
  QuietErrors quiet;
  Place place{filePath, rootPath};
  checked(H5Fflush(handle.get(), H5F_SCOPE_GLOBAL), "write", place,
          ErrorKind::Io);
  checked(H5Fclose(handle.get()), "close", place, ErrorKind::Io);
  handle.release();
}

void refusePlugins() {
  QuietErrors quiet;
  H5PLset_loading_state(0);
}

bool isThreadSafe() {
  hbool_t safe = false;
  return H5is_library_threadsafe(&safe) >= 0 && safe;
}

} // namespace blocks::hdf5

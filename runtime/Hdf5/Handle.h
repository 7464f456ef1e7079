// Handle: the move-only owner of one HDF5 identifier, closed by the function
// that belongs to its kind. Closing in a destructor cannot report a failure;
// where that matters (a file being written) call File::close first.
#pragma once

#include "runtime/Hdf5/Failure.h"

#include <utility>

namespace blocks::hdf5 {

template <herr_t (*Close)(hid_t)> class Handle {
public:
  Handle() = default;
  explicit Handle(hid_t id) : id(id) {}
  Handle(Handle &&other) noexcept
      : id(std::exchange(other.id, H5I_INVALID_HID)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(id, other.id);
    return *this;
  }
  ~Handle() { reset(); }

  hid_t get() const { return id; }
  explicit operator bool() const { return id >= 0; }
  /// Gives up ownership without closing.
  hid_t release() { return std::exchange(id, H5I_INVALID_HID); }
  void reset() {
    if (id < 0)
      return;
    QuietErrors quiet;
    Close(release());
  }

private:
  hid_t id = H5I_INVALID_HID;
};

using FileHandle = Handle<H5Fclose>;
using ObjectHandle = Handle<H5Oclose>; ///< A group or a dataset.
using AttributeHandle = Handle<H5Aclose>;
using TypeHandle = Handle<H5Tclose>;
using SpaceHandle = Handle<H5Sclose>;
using PropertyHandle = Handle<H5Pclose>;

} // namespace blocks::hdf5

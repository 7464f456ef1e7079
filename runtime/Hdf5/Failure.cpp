// Failure: see Failure.h.
#include "runtime/Hdf5/Failure.h"

namespace blocks::hdf5 {

// After a failed write (a full disk) the library keeps the file among its open
// ones, and its exit handler crashes on it. All our handles are closed by their
// owners, so the handler has nothing to do: it is never registered.
static void skipExitHandler() {
  static const bool done = H5dont_atexit() >= 0;
  static_cast<void>(done);
}

QuietErrors::QuietErrors() {
  skipExitHandler();
  H5Eget_auto2(H5E_DEFAULT, &printer, &printerData);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, printer, printerData); }

std::string describe(const Place &place) {
  std::string text = "'" + place.file + "'";
  if (!place.object.empty() && place.object != "/")
    text += ", object '" + place.object + "'";
  return text;
}

namespace {
/// Keeps the first entry of an upward walk, which is the innermost one.
herr_t keepInnermost(unsigned depth, const H5E_error2_t *entry, void *text) {
  if (depth == 0 && entry->desc)
    *static_cast<std::string *>(text) = entry->desc;
  return 0;
}

std::string innermostReason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &reason);
  return reason.empty() ? "the HDF5 library gave no reason" : reason;
}
} // namespace

void fail(ErrorKind kind, const char *action, const Place &place) {
  std::string reason = innermostReason();
  throw Error(kind, std::string("cannot ") + action + " " + describe(place) +
                        ": " + reason);
}

} // namespace blocks::hdf5

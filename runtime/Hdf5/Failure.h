// Failure: how a failed HDF5 call becomes an exception. HDF5 reports an error
// by a negative return value and a stack of explanations per thread; by default
// it also prints that stack. Here every call runs under `QuietErrors`, its
// result goes through `checked`, and the user reads one sentence that names the
// file, the object and the library's innermost reason.
#pragma once

#include "blocks/Error.h"

#include <hdf5.h>

#include <string>

namespace blocks::hdf5 {

/// Keeps HDF5 from printing in the current thread, and restores what was set
/// before (a host program may use HDF5 itself). The setting is per thread, so
/// it must surround each call rather than be made once.
class QuietErrors {
public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors &) = delete;
  QuietErrors &operator=(const QuietErrors &) = delete;

private:
  H5E_auto2_t printer = nullptr;
  void *printerData = nullptr;
};

/// Where a call happened, for messages.
struct Place {
  const std::string &file;
  const std::string &object; ///< "/features"; may be empty.
};

/// "'data.hdf5', object '/features'".
std::string describe(const Place &place);

/// Throws `kind` with "cannot ACTION PLACE: REASON" from the error stack.
[[noreturn]] void fail(ErrorKind kind, const char *action, const Place &place);

/// Passes a result through, or throws if it is negative.
template <typename Result>
Result checked(Result result, const char *action, const Place &place,
               ErrorKind kind = ErrorKind::Corrupt) {
  if (result < 0)
    fail(kind, action, place);
  return result;
}

} // namespace blocks::hdf5

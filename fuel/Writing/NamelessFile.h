// NamelessFile: room on the disk for rows that wait for their place in a file
// being written. It has no name, so that nothing is left behind, whatever
// happens.
#pragma once

#include "runtime/Base/FileDescriptor.h"

namespace fuel {

/// In `folder`. Where the file system cannot make a file without a name, it is
/// made with one, of which `hint` is a part, and loses it at once.
blocks::FileDescriptor namelessFile(const std::string &folder,
                                    const std::string &hint);

} // namespace fuel

// Rewrite: a file in Fuel's format written anew, with rows of another file
// behind its own. Storage in chunks becomes contiguous, or stays compressed by
// gzip; everything else stays.
#pragma once

#include "fuel/AppendSplit.h"
#include "fuel/Writing/SplitEdit.h"

namespace fuel {

/// Replaces `path`. `parts` are those of the new split; of a source that gets
/// rows of `split.dataFile`, the part is set here.
void rewriteWithSplit(const std::string &path, const NewSplit &split,
                      std::vector<NewPart> parts, const std::string &origin,
                      Progress *progress);

} // namespace fuel

// Manifest: what a compiled object does not say about itself, as JSON. It
// describes state, entries and their arguments (docs/architecture.md lists the
// fields). The compiler writes it, the object cache keeps it, loadProgram reads
// it; both directions stand here so that they cannot drift apart.
#pragma once

#include "blocks/Program.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace blocks {

/// What the extents of the sources must be like for an entry to run.
struct ManifestRequirement {
  std::string formula; ///< Is not negative: "(time - 5)".
  std::string text;    ///< What needs it, for the message.
};

/// How an entry of ProgramSpec is called.
struct ManifestEntry {
  std::string symbol;           ///< In the object: "blocks_entry_train".
  std::vector<int64_t> state;   ///< Its state arguments, as indices.
  std::vector<int64_t> updates; ///< Those of them that it writes.
  std::vector<ManifestRequirement> requirements = {};
};

/// A place in the model that can report a bad label.
struct ManifestSite {
  std::string operation, brick;
};

/// An operation of the user's: CUDA C++, which NVRTC compiles when the program
/// is loaded.
struct ManifestUserKernel {
  std::string name;  ///< In the model.
  std::string entry; ///< The function in the text.
  std::string file;  ///< Where the text stands, for people.
  std::string text;
};

struct Manifest {
  ProgramSpec spec;
  std::vector<ManifestEntry> entries; ///< Beside spec.entries.
  std::vector<ManifestSite> sites;
  std::string cpu; ///< "x86-64-v4": the least that the object runs on.
  // Of a program for GPUs (spec.device is "cuda"):
  std::string arch = {};                 ///< "sm_90": the least GPU.
  std::vector<std::string> kernels = {}; ///< By their number in launches.
  /// The first of them, whose code is not in the device text.
  std::vector<ManifestUserKernel> userKernels = {};
  /// Products with an epilogue, which cuBLASLt does in one launch.
  int64_t epilogues = 0;
};

/// Throws CorruptError naming the field if the text is not a manifest, and
/// UnsupportedError if it is one of another version.
Manifest parseManifest(std::string_view json);

/// One line of JSON; equal manifests give equal text.
std::string formatManifest(const Manifest &manifest);

} // namespace blocks

// EntryCall: an entry of a loaded object and its arguments, the same for every
// device: what the caller gave is checked against the manifest, and a table of
// descriptors is filled anew for each run, so that a steady run allocates
// nothing.
#pragma once

#include "blocks/abi/StepABI.h"
#include "runtime/Abi/StepContext.h"
#include "runtime/Program/AxisExtents.h"
#include "runtime/Program/Manifest.h"
#include "runtime/Program/ObjectLoader.h"

#include <span>

namespace blocks {

/// The arguments of an entry as compiled code wants them: pointers to memref
/// descriptors {base, aligned, offset, sizes[rank], strides[rank]}.
class ArgumentTable {
public:
  void add(size_t rank);
  void set(size_t argument, const void *data, const Shape &shape);
  /// Pointers into the table; valid until the next `add`.
  void **pointers();
  /// All descriptors, one after the other.
  std::span<const int64_t> content() const { return words; }

private:
  std::vector<int64_t> words;
  std::vector<size_t> starts;
  std::vector<void *> table;
};

class EntryCall {
public:
  /// Keeps a reference to `manifest`.
  EntryCall(const Manifest &manifest, size_t entry, const LoadedObject &object);

  const EntrySpec &spec() const { return manifest.spec.entries[entry]; }
  /// The state arguments, as indices of the state.
  const std::vector<int64_t> &state() const {
    return manifest.entries[entry].state;
  }
  bool updatesState() const { return !manifest.entries[entry].updates.empty(); }

  /// Throws InputError if the inputs are not what the entry takes.
  void checkSources(std::span<const ArrayView> inputs);
  /// The same for the arrays of the state.
  void checkState(const ProgramState &state) const;
  /// Of output `i`, once the sources were checked; valid until the next call.
  const Shape &outputShape(size_t i) { return axes.shapeOf(i); }

  void setState(size_t i, const void *data, const Shape &shape);
  void setSource(size_t i, const void *data, const Shape &shape);
  void setOutput(size_t i, const void *data, const Shape &shape);

  BlocksEntry function = nullptr;
  ArgumentTable arguments;
  /// The extents of the named axes in this run.
  MemoryPlan plan(int64_t bytes) const;

private:
  const Manifest &manifest;
  size_t entry;
  AxisExtents axes;
};

/// What the user is told of a report.
StepStatus statusOf(const BlocksReport &report, const Manifest &manifest);

/// One call for each entry of the manifest.
std::vector<EntryCall> entryCalls(const Manifest &manifest,
                                  const LoadedObject &object);

/// Throws UsageError if there is no such entry.
void checkEntryNumber(size_t entry, size_t entries);

} // namespace blocks

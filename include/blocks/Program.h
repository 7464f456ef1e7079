// Program: a compiled model as the runtime sees it. The runtime owns this
// interface; runtime/Program implements it for compiled objects, tests by hand.
// A Program is immutable and holds no state: parameters, optimizer buffers and
// counters live in a ProgramState that the caller owns.
#pragma once

#include "blocks/Array.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blocks {

/// How a state array gets its first value. `kind` is the scheme's name in
/// snake_case (constant, isotropic_gaussian, uniform, identity, orthogonal, …);
/// `values` its numbers by name; `parts` the schemes that it is made of.
/// See runtime/Parameters/Initialization.h for the definitions.
struct InitializerSpec {
  std::string kind = "constant";
  std::map<std::string, double> values;
  std::vector<InitializerSpec> parts = {};
};

/// One persistent value of a model: a parameter, an optimizer buffer, a
/// hyperparameter, a counter. Order is the order of definition.
struct StateSpec {
  /// Path, the one name used everywhere: "/mlp/linear_0.W",
  /// "/algorithm/mlp/linear_0/W.mean", "/algorithm.learning_rate".
  std::string path;
  DType dtype = DType::Float32;
  Shape shape;
  std::vector<std::string> roles; ///< Most specific ones, snake_case: "weight".
  InitializerSpec initializer;
  std::string forParameter; ///< Of a buffer: the parameter's path; else "".
  bool hasRole(const std::string &role) const; ///< Hierarchy-aware.
};

/// One input of an entry.
struct SourceSpec {
  std::string name;
  DType dtype = DType::Float32;
  Shape shape;                   ///< -1 where dynamic.
  std::vector<std::string> axes; ///< One name per axis, "" where unnamed.
};

/// How an output is aggregated over batches.
enum class Aggregate {
  Last, ///< The value of the last batch.
  Mean, ///< Mean weighted by the number of examples in each batch.
  Sum,  ///< Sum over batches.
};

/// One output of an entry.
struct OutputSpec {
  std::string name;
  DType dtype = DType::Float32;
  Shape shape; ///< -1 where dynamic; {} for a scalar.
  std::vector<std::string> roles;
  Aggregate aggregate = Aggregate::Last;
  /// The axis names of dynamic dimensions, "" where unnamed.
  std::vector<std::string> axes;
};

/// One callable function of a program: "train", "eval", "predict", …
struct EntrySpec {
  std::string name;
  std::vector<SourceSpec> sources;
  std::vector<OutputSpec> outputs;
  bool updatesState = false; ///< True for the training entry.
};

/// A piece of the model's text, by which a resumed run finds a changed model.
struct ModelPart {
  std::string name;   ///< "brick @mlp", "graph @cost".
  std::string sha256; ///< Hash of its text, in hexadecimal digits.
};

struct ProgramSpec {
  std::vector<StateSpec> state;
  std::vector<EntrySpec> entries;
  std::string device = "cpu"; ///< What it runs on: "cpu" or "cuda".
  /// Notes of the compiler that every run must repeat (warnings).
  std::vector<std::string> warnings;
  /// Of a program that trains; empty if it was not made from a text.
  std::vector<ModelPart> model;
  const EntrySpec *findEntry(const std::string &name) const;
  /// Index in `state`, or -1.
  int64_t findState(const std::string &path) const;
};

/// A copy of a state's arrays on a device, where programs read and update it.
class StateMirror {
public:
  virtual ~StateMirror() = default;
  /// Copies to `arrays` what the device changed since they were equal.
  virtual void download(std::vector<Array> &arrays) = 0;
  /// The host changed the arrays: they are copied before the next run.
  virtual void hostChanged() = 0;
  /// The same for one of them; the others may be newer on the device.
  virtual void hostChanged(size_t array) = 0;
};

/// The arrays behind ProgramSpec::state, in its order. A program on a device
/// keeps them there between runs, so whoever reads the arrays after a run calls
/// `download` first, and whoever writes to them calls `download` before (unless
/// all are written) and `changed` after. On the processor both do nothing.
struct ProgramState {
  std::vector<Array> arrays;
  std::shared_ptr<StateMirror> mirror; ///< Made by the first run on a device.

  void download() {
    if (mirror)
      mirror->download(arrays);
  }
  void changed() {
    if (mirror)
      mirror->hostChanged();
  }
  /// After writing to the scalar `array`, which no program writes to.
  void changed(size_t array) {
    if (mirror)
      mirror->hostChanged(array);
  }
  /// Brings the arrays up to date and gives up the device's copy.
  void leaveDevice() {
    download();
    mirror.reset();
  }
};

/// A failure found while running: a label out of range. The rest of the step
/// was computed with a zero gradient for that row.
struct StepStatus {
  bool ok = true;
  std::string operation; ///< "categorical_cross_entropy"
  std::string brick;     ///< "/softmax"
  int64_t row = 0;       ///< Batch row (smallest, if several).
  int64_t value = 0;     ///< The offending value.
  int64_t limit = 0;     ///< Valid values are 0 … limit-1.
  /// The sentence shown to the user.
  std::string message() const;
};

/// The memory that an entry needs for given dimensions.
struct MemoryPlan {
  std::string entry;
  std::map<std::string, int64_t> shapes; ///< Axis name → extent.
  int64_t bytes = 0;
};

class Program {
public:
  virtual ~Program() = default;
  virtual const ProgramSpec &spec() const = 0;

  /// Runs entry number `entry` once: reads `inputs` (in the order of its
  /// sources), updates `state` in place if the entry does, and writes `outputs`
  /// (resized as needed, in the order of its outputs). Inputs must match the
  /// sources' types and ranks and agree on equally named axes, else InputError.
  /// Allocates nothing once the largest shape was seen. Not thread-safe.
  virtual StepStatus run(size_t entry, ProgramState &state,
                         std::span<const ArrayView> inputs,
                         std::vector<Array> &outputs) = 0;

  /// Starts to bring the inputs of the next run, which will be of this entry,
  /// to the device. Their arrays must stay as they are until that run. A hint:
  /// a next run with others is right, too.
  virtual void stage(size_t entry, std::span<const ArrayView> inputs) {}

  /// Called once in each run on a device, when the device works and the host
  /// would only wait for it: the time to read the next batch and stage it.
  std::function<void()> whileBusy;

  /// Called whenever a run needs a larger arena than any before.
  std::function<void(const MemoryPlan &)> onPlan;
};

} // namespace blocks

//===- GeneratorDeclaration.cpp - The children of a SequenceGenerator -----===//
//
// The transition is declared first, since the dimensions of the readout and of
// the fork follow from it; then it moves to its place behind them.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/GeneratorSteps.h"

using namespace mlir;

namespace blocks {

/// The transition with its attention, under Blocks' name for either case.
static LogicalResult declareWhole(BrickDeclaration &brick) {
  bool attends = bool(brick.config.get("attention"));
  NamedAttrList settings;
  for (StringRef key :
       {StringRef("transition"), StringRef("attention"),
        StringRef("distribute"), StringRef(orderSetting),
        StringRef("attended_name"), StringRef("attended_mask_name")}) {
    Attribute value = brick.config.get(key);
    if (value && !attends && key != "transition")
      return brick.config.error()
             << "has the setting '" << key << "', but no attention";
    if (value)
      settings.set(key, value);
  }
  StringRef name = attends ? "att_trans" : "with_fake_attention";
  if (failed(brick.child(
          name, attends ? "AttentionRecurrent" : "FakeAttentionRecurrent",
          settings.getDictionary(brick.getBuilder().getContext()))))
    return failure();
  return brick.declareChild(name);
}

/// `context_names` and `context_dims` are there together, as long as each
/// other.
static LogicalResult checkContexts(BrickDeclaration &brick) {
  if (!brick.config.get("context_names") && !brick.config.get("context_dims"))
    return success();
  FailureOr<ArrayAttr> names = brick.config.list("context_names");
  FailureOr<SmallVector<int64_t>> dims = brick.config.positives("context_dims");
  if (failed(names) || failed(dims))
    return failure();
  if (!llvm::all_of(*names, llvm::IsaPred<StringAttr>))
    return brick.config.wrong("context_names", "a list of names");
  if (names->size() != dims->size())
    return brick.config.error()
           << "has " << names->size() << " context_names, but " << dims->size()
           << " context_dims";
  return success();
}

/// States, glimpses, contexts and the generator's own values have one set of
/// names.
static LogicalResult checkNames(BrickDeclaration &brick,
                                const GeneratorNames &names) {
  std::set<std::string> taken{costs.str(), feedback.str(), outputs.str(),
                              mask.str()};
  for (const auto *values :
       {&names.states, &names.glimpses, &names.contexts, &names.given})
    for (const StepValue &value : *values)
      if (!taken.insert(value.name).second)
        return brick.config.error()
               << "has a state, glimpse or context called '" << value.name
               << "', which is also the name of another one or of the "
                  "generator's own 'outputs', 'feedback', 'costs' or 'mask'";
  return success();
}

/// The `feedback_dim` of the feedback brick, or else the readout's dimension.
static FailureOr<int64_t> feedbackDim(BrickDeclaration &brick,
                                      DictionaryAttr readout) {
  auto given = readout.getAs<DictionaryAttr>("feedback_brick");
  auto dim = given ? given.getAs<IntegerAttr>("feedback_dim") : IntegerAttr();
  if (!dim)
    dim = readout.getAs<IntegerAttr>("readout_dim");
  if (!dim || dim.getInt() <= 0)
    return brick.config.error()
           << "has a readout without a positive 'readout_dim'";
  return dim.getInt();
}

static FailureOr<SmallVector<int64_t>> sourceDims(BrickDeclaration &brick,
                                                  const GeneratorNames &names,
                                                  DictionaryAttr readout,
                                                  int64_t fed) {
  std::vector<StepValue> known = names.states;
  for (const StepValue &glimpse : names.glimpses)
    if (glimpse.dim > 0)
      known.push_back(glimpse);
  llvm::append_range(known, names.given);
  known.push_back({feedback.str(), fed});
  auto sources = readout.getAs<ArrayAttr>("source_names");
  if (!sources || sources.empty())
    return brick.config.error() << "has a readout without 'source_names'";
  SmallVector<int64_t> dims;
  for (Attribute source : sources) {
    auto name = dyn_cast<StringAttr>(source);
    auto found = llvm::find_if(known, [&](const StepValue &value) {
      return name && value.name == name.getValue();
    });
    if (found != known.end()) {
      dims.push_back(found->dim);
      continue;
    }
    InFlightDiagnostic error = brick.config.error()
                               << "has a readout with the unknown source "
                               << source << "; there are ";
    llvm::interleaveComma(known, error, [&](const StepValue &value) {
      error << "'" << value.name << "'";
    });
    return error;
  }
  return dims;
}

/// Declares the readout; gives the features of the feedback.
static FailureOr<int64_t> declareReadout(BrickDeclaration &brick,
                                         const GeneratorNames &names) {
  Attribute text = brick.config.get("readout");
  if (!text)
    return brick.config.error()
           << "needs the setting 'readout', such as {kind = \"Readout\", "
              "source_names = [\"states\"], readout_dim = 10}";
  auto spec = brick.childSpec("readout", text);
  if (failed(spec))
    return failure();
  FailureOr<int64_t> fed = feedbackDim(brick, spec->settings);
  if (failed(fed))
    return failure();
  FailureOr<SmallVector<int64_t>> dims =
      sourceDims(brick, names, spec->settings, *fed);
  if (failed(dims))
    return failure();
  NamedAttrList settings(spec->settings);
  if (failed(brick.fix(settings, "readout", "source_dims",
                       brick.getBuilder().getI64ArrayAttr(*dims))) ||
      failed(
          brick.child(readoutChild, spec->kind,
                      settings.getDictionary(brick.getBuilder().getContext()))))
    return failure();
  return fed;
}

static LogicalResult declareFork(BrickDeclaration &brick,
                                 const GeneratorNames &names, int64_t fed) {
  Builder &builder = brick.getBuilder();
  SmallVector<Attribute> outputNames, dims;
  for (const StepValue &sequence : fedSequences(names.signature)) {
    outputNames.push_back(builder.getStringAttr(sequence.name));
    dims.push_back(builder.getI64IntegerAttr(sequence.dim));
  }
  NamedAttrList settings;
  if (Attribute text = brick.config.get("fork")) {
    auto given = dyn_cast<DictionaryAttr>(text);
    if (!given)
      return brick.config.wrong("fork",
                                "settings such as {prototype = \"Linear\"}");
    settings = NamedAttrList(given);
  }
  if (failed(brick.fix(settings, "fork", "output_names",
                       builder.getArrayAttr(outputNames))) ||
      failed(brick.fix(settings, "fork", "output_dims",
                       builder.getArrayAttr(dims))) ||
      failed(brick.fix(settings, "fork", "input_dim",
                       builder.getI64IntegerAttr(fed))))
    return failure();
  return brick.child(forkChild, "Fork",
                     settings.getDictionary(builder.getContext()));
}

LogicalResult declareGenerator(BrickDeclaration &brick) {
  if (failed(declareWhole(brick)) || failed(checkContexts(brick)))
    return failure();
  GeneratorNames names(brick.getBrick(), brick.getLibrary());
  if (failed(checkNames(brick, names)))
    return failure();
  Operation *transition =
      SymbolTable::lookupSymbolIn(brick.getBrick(), names.transition);
  FailureOr<int64_t> fed = declareReadout(brick, names);
  if (failed(fed) || failed(declareFork(brick, names, *fed)))
    return failure();
  // The order of Blocks: readout, fork, transition.
  transition->moveBefore(transition->getBlock(), transition->getBlock()->end());
  return success();
}

} // namespace blocks

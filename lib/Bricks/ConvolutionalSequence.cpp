//===- ConvolutionalSequence.cpp - A chain of bricks over images ----------===//
//
// Convolutions, pools and activations, each fed by the one before. The number
// of channels and the size of the images are said once and handed on from layer
// to layer, so that a layer states only what is its own.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Chain.h"
#include "lib/Bricks/ImageConfig.h"

using namespace mlir;

namespace blocks {
namespace {

/// What reaches a layer.
struct Images {
  int64_t channels;
  std::optional<Pair> size;
};

class ConvolutionalSequence : public BrickKind {
public:
  explicit ConvolutionalSequence(const BrickLibrary &library)
      : library(library) {}

private:
  StringRef getName() const override { return "ConvolutionalSequence"; }
  std::vector<StringRef> getSettings() const override {
    return {"layers",      "num_channels", "image_size", "border_mode",
            "tied_biases", "use_bias",     weightsInit,  biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ArrayAttr> layers = brick.config.list("layers");
    FailureOr<int64_t> channels = brick.config.positive("num_channels");
    // What no layer takes is checked here, the rest twice.
    if (failed(layers) || failed(channels) ||
        failed(readBorderMode(brick.config, {1, 1})) ||
        failed(brick.config.flag("tied_biases", true)) ||
        failed(brick.config.flag("use_bias", true)))
      return failure();
    if (layers->empty())
      return brick.config.wrong("layers", "at least one brick");
    Images images{*channels, std::nullopt};
    if (brick.config.get("image_size")) {
      FailureOr<Pair> size = readPair(brick.config, "image_size", 1);
      if (failed(size))
        return failure();
      images.size = *size;
    }
    SmallVector<BrickDeclaration::ChildSpec> specs;
    for (Attribute layer : *layers) {
      auto spec = brick.childSpec("layers", layer);
      if (failed(spec))
        return failure();
      specs.push_back(*spec);
    }
    for (size_t i = 0; i < specs.size(); ++i)
      if (failed(declareLayer(brick, specs, i, images)))
        return failure();
    return success();
  }

  /// Adds the layer, and turns `images` into what leaves it.
  LogicalResult declareLayer(BrickDeclaration &brick,
                             ArrayRef<BrickDeclaration::ChildSpec> specs,
                             size_t i, Images &images) const {
    DictionaryAttr settings = layerSettings(brick, specs[i], images);
    if (failed(brick.child(nameOf(specs, i), specs[i].kind, settings)))
      return failure();
    auto layer = cast<BrickOp>(&brick.getBody().back());
    BrickConfig config(layer);
    if (isConvolution(specs[i].kind)) {
      FailureOr<ConvolutionConfig> read = ConvolutionConfig::read(config);
      if (failed(read))
        return failure();
      images.channels = read->filters;
      if (images.size)
        images.size = read->resultSize(*images.size);
    } else if (isPool(specs[i].kind)) {
      FailureOr<PoolConfig> read = PoolConfig::read(config);
      if (failed(read))
        return failure();
      if (images.size)
        images.size = read->resultSize(*images.size);
    }
    if (images.size && ((*images.size)[0] < 1 || (*images.size)[1] < 1))
      return config.error() << "leaves nothing of its images: kernel and "
                               "window must not be larger than they are";
    return success();
  }

  static bool isConvolution(StringRef kind) { return kind == "Convolutional"; }
  static bool isPool(StringRef kind) {
    return kind == "MaxPooling" || kind == "AveragePooling";
  }

  /// A layer's name is its own, or its class's; layers of one class without
  /// names are numbered.
  static std::string nameOf(ArrayRef<BrickDeclaration::ChildSpec> specs,
                            size_t i) {
    if (!specs[i].name.empty())
      return specs[i].name;
    size_t before = 0, all = 0;
    for (auto [j, spec] : llvm::enumerate(specs))
      if (spec.name.empty() && spec.kind == specs[i].kind) {
        ++all;
        before += j < i;
      }
    std::string name = defaultBrickName(specs[i].kind);
    return all == 1 ? name : name + "_" + std::to_string(before);
  }

  /// The layer's settings, with what reaches it, and with what the sequence
  /// states for all of them; its own win.
  DictionaryAttr layerSettings(BrickDeclaration &brick,
                               const BrickDeclaration::ChildSpec &spec,
                               const Images &images) const {
    Builder &builder = brick.getBuilder();
    NamedAttrList settings(spec.settings);
    const BrickKind *kind = library.find(spec.kind);
    auto set = [&](StringRef key, Attribute value) {
      if (kind && value && !settings.get(key) &&
          llvm::is_contained(kind->getSettings(), key))
        settings.set(key, value);
    };
    set("num_channels", builder.getI64IntegerAttr(images.channels));
    if (images.size) {
      auto [height, width] = *images.size;
      set("image_size", builder.getI64ArrayAttr({height, width}));
      if (spec.kind != "Linear")
        set("input_dim",
            builder.getI64ArrayAttr({images.channels, height, width}));
    }
    for (StringRef key : {"border_mode", "tied_biases", "use_bias"})
      set(key, brick.config.get(key));
    return settings.getDictionary(builder.getContext());
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    return buildChainOfChildren(builder);
  }

  const BrickLibrary &library;
};

} // namespace

void addConvolutionSequenceBrick(BrickLibrary &library) {
  library.add(std::make_unique<ConvolutionalSequence>(library));
}

} // namespace blocks

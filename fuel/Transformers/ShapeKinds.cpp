// Transformers of shapes: flatten, label (names for axes), stack (examples of
// one shape in a batch that allows different ones), one_hot.
#include "fuel/SourceLayers.h"
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/Elements.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {

int64_t productOf(std::span<const int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size = extent < 0 || size < 0 ? -1 : size * extent;
  return size;
}

/// One axis for each example. Nothing moves: only shapes change.
class Flatten : public SourceLayer {
public:
  Flatten(std::unique_ptr<Layer> inner, const std::vector<std::string> &which,
          std::string text)
      : SourceLayer(std::move(inner), which, std::move(text)) {
    describeSources();
  }

protected:
  size_t kept() const { return producesExamples() ? 0 : 1; }
  void changeInfo(SourceInfo &info) const override {
    int64_t size = productOf(std::span(info.shape).subspan(kept()));
    info.shape.resize(kept());
    info.shape.push_back(size);
    info.axisLabels.resize(kept());
    info.axisLabels.push_back("feature");
  }
  void change(InnerWork &work, size_t i, Batch &in, Batch &out) const override {
    Array &array = out.sources[i];
    std::swap(in.sources[i], array);
    std::swap(in.items[i], out.items[i]);
    if (infos[i].ragged) {
      RaggedItems &items = out.items[i];
      items.rank = 1;
      items.shapes.clear();
      for (int64_t k = 0; k < items.count(); ++k)
        items.shapes.push_back(items.size(k));
      return;
    }
    const blocks::Shape &before = array.shape();
    work.shape.assign(before.begin(), before.begin() + long(kept()));
    work.shape.push_back(productOf(std::span(before).subspan(kept())));
    array.reshape(work.shape);
  }
};

class Label : public SourceLayer {
public:
  Label(std::unique_ptr<Layer> inner, const std::vector<std::string> &which,
        std::string text, std::vector<std::string> labels)
      : SourceLayer(std::move(inner), which, std::move(text)),
        labels(std::move(labels)) {
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    size_t own = producesExamples() ? 0 : 1;
    if (info.shape.size() != labels.size() + own)
      refuse("names " + std::to_string(labels.size()) +
             " axes, but an example of '" + info.name + "' has " +
             std::to_string(info.shape.size() - own));
    info.axisLabels.assign(own, "batch");
    info.axisLabels.insert(info.axisLabels.end(), labels.begin(), labels.end());
  }
  void change(InnerWork &, size_t i, Batch &in, Batch &out) const override {
    std::swap(in.sources[i], out.sources[i]);
    std::swap(in.items[i], out.items[i]);
  }

private:
  std::vector<std::string> labels;
};

class Stack : public SourceLayer {
public:
  Stack(std::unique_ptr<Layer> inner, const std::vector<std::string> &which,
        std::string text, std::vector<int64_t> shape)
      : SourceLayer(std::move(inner), which, std::move(text)),
        shape(std::move(shape)) {
    expectBatches();
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    if (!info.ragged)
      refuse("joins examples of different shapes, but those of '" + info.name +
             "' have one shape already; choose the sources with which=…");
    if (info.shape.size() != shape.size() + 1)
      refuse("gives " + std::to_string(shape.size()) +
             " axes, but an example of '" + info.name + "' has " +
             std::to_string(info.shape.size() - 1));
    std::copy(shape.begin(), shape.end(), info.shape.begin() + 1);
    info.ragged = false;
  }
  void change(InnerWork &work, size_t i, Batch &in, Batch &out) const override {
    const RaggedItems &items = in.items[i];
    for (int64_t k = 0; k < items.count(); ++k)
      if (!std::ranges::equal(items.shape(k), shape))
        throw blocks::InputError(
            "example " + std::to_string(k) + " of a batch of '" +
            infos[i].name + "' has shape " +
            blocks::formatShape(
                {items.shape(k).begin(), items.shape(k).end()}) +
            "; the transformer '" + text + "' expects " +
            blocks::formatShape(shape) + " (crop, scale or pad them first)");
    std::swap(in.sources[i], out.sources[i]);
    work.shape.assign(1, items.count());
    work.shape.insert(work.shape.end(), shape.begin(), shape.end());
    out.sources[i].reshape(work.shape);
  }

private:
  std::vector<int64_t> shape;
};

/// A last axis of `classes` elements, 1 at the number's and 0 elsewhere. An
/// axis of length 1 gives way to it.
class OneHot : public SourceLayer {
public:
  OneHot(std::unique_ptr<Layer> inner, const std::vector<std::string> &which,
         std::string text, int64_t classes, DType dtype)
      : SourceLayer(std::move(inner), which, std::move(text)), classes(classes),
        dtype(dtype) {
    if (classes < 1 || classes > (int64_t(1) << 24))
      refuse("has " + std::to_string(classes) +
             " classes; expected 1 to 16777216");
    describeSources();
  }

protected:
  bool replaces(const SourceInfo &info) const {
    return info.shape.size() > (producesExamples() ? 0 : 1) &&
           info.shape.back() == 1 && !info.ragged;
  }
  void changeInfo(SourceInfo &info) const override {
    if (info.dtype >= DType::Float16 || info.dtype == DType::Bool)
      refuse("takes whole numbers, but '" + info.name + "' is of type " +
             std::string(blocks::dtypeName(info.dtype)) + "; cast it before");
    if (replaces(info)) {
      info.shape.pop_back();
      if (!info.axisLabels.empty())
        info.axisLabels.pop_back();
    }
    info.shape.push_back(classes);
    if (!info.axisLabels.empty())
      info.axisLabels.push_back("class");
    info.dtype = dtype;
    info.text = false;
  }
  void change(InnerWork &work, size_t i, Batch &in, Batch &out) const override {
    Array numbers;
    castElements(in.sources[i], DType::Int64, numbers);
    Array flat(DType::UInt8, {numbers.size() * classes});
    std::memset(flat.data(), 0, flat.bytes());
    for (int64_t k = 0; k < numbers.size(); ++k) {
      int64_t value = numbers.as<int64_t>()[k];
      if (value < 0 || value >= classes)
        throw blocks::InputError(
            "'" + infos[i].name + "' holds " + std::to_string(value) +
            ", but the transformer '" + text + "' expects 0 to " +
            std::to_string(classes - 1) + "; raise classes");
      flat.as<uint8_t>()[k * classes + value] = 1;
    }
    castElements(flat, dtype, out.sources[i]);
    RaggedItems &items = out.items[i];
    if (infos[i].ragged) {
      const RaggedItems &before = in.items[i];
      items.clear(before.rank + 1);
      for (int64_t k = 0; k < before.count(); ++k) {
        work.shape.assign(before.shape(k).begin(), before.shape(k).end());
        work.shape.push_back(classes);
        items.append(work.shape);
      }
      return;
    }
    work.shape = in.sources[i].shape();
    if (replaces(inner->sources()[i]))
      work.shape.pop_back();
    work.shape.push_back(classes);
    out.sources[i].reshape(work.shape);
  }

private:
  int64_t classes;
  DType dtype;
};
} // namespace

void addShapeKinds(Registry &registry) {
  registry.add({"flatten",
                "one axis for each example",
                {whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  return std::make_unique<Flatten>(std::move(inner), which,
                                                   options.written());
                }});
  registry.add(
      {"label",
       "names the axes of an example",
       {{"axes", "", "a label an axis: channel+height+width"}, whichOption()},
       [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
         auto which = options.takeWhich();
         if (!options.has("axes"))
           options.take("axes");
         return std::make_unique<Label>(std::move(inner), which,
                                        options.written(),
                                        options.takeList("axes"));
       }});
  registry.add({"stack",
                "joins examples that may differ in shape but do not",
                {{"shape", "", "of every example: 3x224x224"}, whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  return std::make_unique<Stack>(std::move(inner), which,
                                                 options.written(),
                                                 options.takeExtents("shape"));
                }});
  registry.add({"one_hot",
                "class numbers as vectors with a single 1",
                {{"classes", "", "length of a vector"},
                 {"dtype", "f32", "of the result"},
                 whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  int64_t classes = options.takeInteger("classes");
                  DType dtype = options.takeDType("dtype", "f32");
                  return std::make_unique<OneHot>(std::move(inner), which,
                                                  options.written(), classes,
                                                  dtype);
                }});
}

} // namespace fuel

// Transformers of elements: scale_and_shift, cast, force_floatX. They apply to
// examples, batches and batches of items of different shapes alike.
#include "fuel/Config.h"
#include "fuel/SourceLayers.h"
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/ByteScale.h"
#include "fuel/Transformers/Elements.h"

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {

/// x * scale + shift, with NumPy's promotion after either operation; and the
/// cast that follows, if there is one, in the same pass over the memory.
class ScaleAndShift : public ElementLayer {
public:
  ScaleAndShift(std::unique_ptr<Layer> inner,
                const std::vector<std::string> &which, std::string text,
                Scalar scale, Scalar shift)
      : ElementLayer(std::move(inner), which, std::move(text)), scale(scale),
        shift(shift) {
    describeSources();
    prepareBytes();
  }

  /// Joins a cast of the same sources; false if they are others.
  bool joinCast(const std::vector<std::string> &which, DType dtype,
                const std::string &written) {
    std::vector<bool> wanted(infos.size(), which.empty());
    for (const std::string &name : which)
      for (size_t i = 0; i < infos.size(); ++i)
        wanted[i] = wanted[i] || infos[i].name == name;
    if (wanted != selected || target)
      return false;
    target = dtype;
    text += "; " + written;
    for (size_t i = 0; i < infos.size(); ++i)
      if (selected[i])
        infos[i].dtype = dtype;
    prepareBytes();
    return true;
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    info.text = false;
    info.dtype = promote(promote(info.dtype, scale), shift);
  }
  void changeElements(Array &in, Array &out) const override {
    if (in.dtype() != DType::UInt8)
      return scaleElements(in, scale, shift, resultOf(in.dtype()), out);
    out.resize(bytes->dtype(), in.shape());
    bytes->apply(in.as<uint8_t>(), in.size(), out.data(),
                 ByteScale::isLarge(out.bytes()));
  }
  bool changesParts() const override {
    for (size_t i = 0; i < infos.size(); ++i)
      if (selected[i] && inner->sources()[i].dtype != DType::UInt8)
        return false;
    return true;
  }
  void changePart(InnerWork &, size_t, const blocks::ArrayView &in, int64_t,
                  std::byte *out, bool large) const override {
    bytes->apply(in.as<uint8_t>(), in.size(), out, large);
  }

private:
  DType resultOf(DType from) const {
    return target.value_or(promote(promote(from, scale), shift));
  }
  void prepareBytes() { bytes.emplace(scale, shift, resultOf(DType::UInt8)); }
  Scalar scale, shift;
  std::optional<DType> target;
  std::optional<ByteScale> bytes; ///< For sources of bytes.
};

class Cast : public ElementLayer {
public:
  /// `floatsOnly`: other sources stay as they are.
  Cast(std::unique_ptr<Layer> inner, const std::vector<std::string> &which,
       std::string text, DType dtype, bool floatsOnly)
      : ElementLayer(std::move(inner), which, std::move(text)), dtype(dtype),
        floatsOnly(floatsOnly) {
    describeSources();
  }

protected:
  bool stays(DType from) const {
    return from == dtype || (floatsOnly && from < DType::Float16);
  }
  void changeInfo(SourceInfo &info) const override {
    if (stays(info.dtype))
      return;
    info.dtype = dtype;
    info.text = false;
  }
  void changeElements(Array &in, Array &out) const override {
    if (stays(in.dtype()))
      return std::swap(in, out);
    castElements(in, dtype, out);
  }

private:
  DType dtype;
  bool floatsOnly;
};

std::unique_ptr<Layer> makeCast(std::unique_ptr<Layer> inner,
                                TransformerOptions &options) {
  auto which = options.takeWhich();
  DType dtype = options.takeDType("dtype", nullptr);
  auto *scaled = dynamic_cast<ScaleAndShift *>(inner.get());
  if (scaled && scaled->joinCast(which, dtype, options.written()))
    return inner;
  return std::make_unique<Cast>(std::move(inner), which, options.written(),
                                dtype, false);
}
} // namespace

void addElementKinds(Registry &registry) {
  registry.add({"scale_and_shift",
                "x * scale + shift, in the type that NumPy gives it",
                {{"scale", "1", "a number, or 1/255"},
                 {"shift", "0", "a number"},
                 whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  Scalar scale = Scalar::parse(options.take("scale", "1"));
                  Scalar shift = Scalar::parse(options.take("shift", "0"));
                  return std::make_unique<ScaleAndShift>(
                      std::move(inner), which, options.written(), scale, shift);
                }});
  registry.add({"cast",
                "another element type; numbers are cut as in C",
                {{"dtype", "", "f32, float32, ui8, bool …"}, whichOption()},
                makeCast});
  registry.add({"force_floatX",
                "sources of any float type in the one given",
                {{"dtype", "floatX",
                  "f16, f32 or f64; the configuration's floatX is f32 if "
                  "nothing sets it"},
                 whichOption()},
                [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
                  auto which = options.takeWhich();
                  std::string configured = loadConfig().floatX;
                  DType dtype = options.takeDType(
                      "dtype", configured.empty() ? "f32" : configured.c_str());
                  if (dtype < DType::Float16)
                    options.refuse("makes floats; expected f16, f32 or f64");
                  return std::make_unique<Cast>(std::move(inner), which,
                                                options.written(), dtype, true);
                }});
}

} // namespace fuel

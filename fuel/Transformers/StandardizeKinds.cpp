// standardize: (x - mean) / deviation, with statistics that were computed once
// over the training set and stored in a file, so that validation, testing and
// a resumed run use the same numbers.
#include "fuel/SourceLayers.h"
#include "fuel/Statistics.h"
#include "fuel/Transformers/BuiltIn.h"
#include "fuel/Transformers/Elements.h"

#include "blocks/Error.h"

#include <cmath>

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {

class Standardize : public ElementLayer {
public:
  Standardize(std::unique_ptr<Layer> below,
              const std::vector<std::string> &which, std::string text,
              DType dtype, const Statistics &statistics)
      : ElementLayer(std::move(below), which,
                     std::move(text) +
                         " mean=" + std::to_string(statistics.mean) +
                         " deviation=" + std::to_string(statistics.deviation)),
        dtype(dtype), statistics(statistics) {
    describeSources();
  }

protected:
  void changeInfo(SourceInfo &info) const override {
    info.dtype = dtype;
    info.text = false;
  }
  void changeElements(Array &in, Array &out) const override {
    Array doubles;
    castElements(in, DType::Float64, doubles);
    double deviation = statistics.deviation > 0 ? statistics.deviation : 1;
    double *x = doubles.as<double>();
    for (int64_t i = 0; i < doubles.size(); ++i)
      x[i] = (x[i] - statistics.mean) / deviation;
    castElements(doubles, dtype, out);
  }

private:
  DType dtype;
  Statistics statistics;
};
} // namespace

void addStandardizeKinds(Registry &registry) {
  registry.add(
      {"standardize",
       "(x - mean) / deviation, by the statistics of the training set",
       {{"source", "", "the source to change"},
        {"statistics", "none", "a file that fuel-cat --write-statistics made"},
        {"mean", "none", "instead of a file"},
        {"deviation", "none", "instead of a file"},
        {"dtype", "f32", "of the result"}},
       [](std::unique_ptr<Layer> inner, TransformerOptions &options) {
         std::string source = options.take("source");
         DType dtype = options.takeDType("dtype", "f32");
         if (dtype < DType::Float16)
           options.refuse("makes floats; expected f16, f32 or f64");
         Statistics statistics;
         if (options.has("statistics")) {
           statistics = readStatistics(options.take("statistics"), source);
         } else {
           statistics.mean = options.takeNumber("mean");
           statistics.deviation = options.takeNumber("deviation");
         }
         return std::make_unique<Standardize>(
             std::move(inner), std::vector<std::string>{source},
             options.written(), dtype, statistics);
       }});
}

} // namespace fuel

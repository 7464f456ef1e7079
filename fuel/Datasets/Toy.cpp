// Toy sets: Fuel's spiral and Swiss roll, with its numbers for equal seeds. The
// draws come in Fuel's order: positions, then labels or heights, then noise.
#include "fuel/Datasets.h"

#include "blocks/Error.h"
#include "fuel/Mt19937.h"

#include <cmath>
#include <numbers>

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {
constexpr double pi = std::numbers::pi;

/// Normal deviates by the polar method (Marsaglia & Bray 1964), as NumPy's
/// RandomState makes them: of each pair the second comes first.
class Normals {
public:
  explicit Normals(Mt19937 &generator) : generator(generator) {}
  double next() {
    if (held)
      return *std::exchange(held, std::nullopt);
    double x, y, square;
    do {
      x = 2 * generator.randomSample() - 1;
      y = 2 * generator.randomSample() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = std::sqrt(-2 * std::log(square) / square);
    held = factor * x;
    return factor * y;
  }

private:
  Mt19937 &generator;
  std::optional<double> held;
};

void requireExamples(int64_t examples) {
  if (examples < 1)
    throw blocks::UsageError("a toy set of " + std::to_string(examples) +
                             " examples; expected 1 or more");
}

std::vector<double> uniforms(Mt19937 &generator, int64_t count, double low,
                             double high) {
  std::vector<double> result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(generator.uniform(low, high));
  return result;
}

/// Stored in f32 before the noise is added in f64, as Fuel does.
void addNoise(Array &features, Normals normals, double noise) {
  for (int64_t i = 0; i < features.size(); ++i) {
    float &x = features.as<float>()[i];
    x = float(double(x) + noise * normals.next());
  }
}

double radiusAt(double position) { return (2 * position + 1) / 3; }

std::unique_ptr<Dataset> asDataset(std::vector<HeldSource> sources) {
  return makeIndexableDataset(std::move(sources));
}
} // namespace

std::unique_ptr<Dataset> makeSpiral(const SpiralOptions &options) {
  requireExamples(options.examples);
  if (options.classes < 1)
    throw blocks::UsageError("a spiral of " + std::to_string(options.classes) +
                             " classes; expected 1 or more");
  int64_t n = options.examples;
  Mt19937 generator(options.seed);
  std::vector<double> at = uniforms(generator, n, 0, options.cycles);
  Array features(DType::Float32, {n, 2}), position(DType::Float64, {n}),
      label(DType::Int64, {n});
  for (int64_t i = 0; i < n; ++i)
    label.as<int64_t>()[i] = generator.randomInteger(0, options.classes - 1);
  for (int64_t i = 0; i < n; ++i) {
    double offset =
        double(label.as<int64_t>()[i]) * (2 * pi) / double(options.classes);
    double angle = 2 * pi * at[size_t(i)] + offset;
    double radius = radiusAt(at[size_t(i)]);
    features.as<float>()[2 * i] = float(radius * std::sin(angle));
    features.as<float>()[2 * i + 1] = float(radius * std::cos(angle));
    position.as<double>()[i] = at[size_t(i)];
  }
  addNoise(features, Normals(generator), options.noise);
  std::vector<HeldSource> sources;
  sources.push_back({"features", std::move(features), std::nullopt});
  sources.push_back({"position", std::move(position), std::nullopt});
  sources.push_back({"label", std::move(label), std::nullopt});
  return asDataset(std::move(sources));
}

std::unique_ptr<Dataset> makeSwissRoll(const SwissRollOptions &options) {
  requireExamples(options.examples);
  int64_t n = options.examples;
  Mt19937 generator(options.seed);
  std::vector<double> at = uniforms(generator, n, 0, 1);
  std::vector<double> height = uniforms(generator, n, -1, 1);
  Array features(DType::Float32, {n, 3}), position(DType::Float32, {n, 2});
  for (int64_t i = 0; i < n; ++i) {
    double angle = 1.5 * pi * (1 + 2 * at[size_t(i)]);
    double radius = radiusAt(at[size_t(i)]);
    float *x = features.as<float>() + 3 * i;
    x[0] = float(radius * std::cos(angle));
    x[1] = float(radius * std::sin(angle));
    x[2] = float(height[size_t(i)]);
    position.as<float>()[2 * i] = float(at[size_t(i)]);
    position.as<float>()[2 * i + 1] = float(height[size_t(i)]);
  }
  addNoise(features, Normals(generator), options.noise);
  std::vector<HeldSource> sources;
  sources.push_back({"features", std::move(features), std::nullopt});
  sources.push_back({"position", std::move(position), std::nullopt});
  return asDataset(std::move(sources));
}

} // namespace fuel

// Statistics: see include/fuel/Statistics.h.
#include "fuel/Statistics.h"

#include "blocks/Error.h"
#include "fuel/Transformers/Elements.h"
#include "runtime/Base/AtomicFile.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace fuel {

using Json = nlohmann::ordered_json;

namespace {
struct Moments {
  double count = 0, mean = 0, squares = 0; ///< About the mean.
  void add(const blocks::Array &array) {
    blocks::Array doubles;
    castElements(array, blocks::DType::Float64, doubles);
    Moments batch;
    batch.count = double(doubles.size());
    if (batch.count == 0)
      return;
    const double *x = doubles.as<double>(), *end = x + doubles.size();
    for (const double *at = x; at != end; ++at)
      batch.mean += *at;
    batch.mean /= batch.count;
    for (const double *at = x; at != end; ++at)
      batch.squares += (*at - batch.mean) * (*at - batch.mean);
    double total = count + batch.count, delta = batch.mean - mean;
    mean += delta * batch.count / total;
    squares += batch.squares + delta * delta * count * batch.count / total;
    count = total;
  }
};
} // namespace

std::map<std::string, Statistics> computeStatistics(DataStream &stream) {
  std::vector<Moments> moments(stream.sources().size());
  Batch batch;
  stream.startEpoch();
  while (stream.next(batch))
    for (size_t i = 0; i < moments.size(); ++i)
      if (!stream.sources()[i].text)
        moments[i].add(batch.sources[i]);
  std::map<std::string, Statistics> result;
  for (size_t i = 0; i < moments.size(); ++i)
    if (moments[i].count > 0)
      result[stream.sources()[i].name] = {
          int64_t(moments[i].count), moments[i].mean,
          std::sqrt(moments[i].squares / moments[i].count)};
  return result;
}

void writeStatistics(const std::string &path,
                     const std::map<std::string, Statistics> &statistics) {
  Json json = Json::object();
  for (const auto &[name, s] : statistics)
    json[name] = {
        {"count", s.count}, {"mean", s.mean}, {"deviation", s.deviation}};
  blocks::AtomicFile file(path);
  file.write(json.dump(1) + "\n");
  file.commit();
}

Statistics readStatistics(const std::string &path, const std::string &source) {
  std::ifstream file(path);
  if (!file)
    throw blocks::IoError("cannot read the statistics '" + path + "'");
  Json json = Json::parse(file, nullptr, false);
  auto number = [&](const char *key) -> double {
    if (!json.is_object() || !json.contains(source) ||
        !json[source].is_object() || !json[source].contains(key) ||
        !json[source][key].is_number())
      throw blocks::InputError("'" + path + "' does not hold the " + key +
                               " of '" + source +
                               "'; expected a file of statistics over that "
                               "source");
    return json[source][key].get<double>();
  };
  return {0, number("mean"), number("deviation")};
}

} // namespace fuel

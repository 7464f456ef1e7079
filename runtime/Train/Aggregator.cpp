// Aggregator: see Aggregator.h.
#include "runtime/Train/Aggregator.h"

#include "blocks/Error.h"

#include <algorithm>
#include <limits>

namespace blocks {

double scalarValue(const Array &array) {
  switch (array.dtype()) {
  case DType::Float32:
    return double(*array.as<float>());
  case DType::Float64:
    return *array.as<double>();
  case DType::Int64:
    return double(*array.as<int64_t>());
  case DType::UInt64:
    return double(*array.as<uint64_t>());
  case DType::Int32:
    return double(*array.as<int32_t>());
  case DType::UInt32:
    return double(*array.as<uint32_t>());
  case DType::Int16:
    return double(*array.as<int16_t>());
  case DType::UInt16:
    return double(*array.as<uint16_t>());
  case DType::Int8:
    return double(*array.as<int8_t>());
  case DType::UInt8:
  case DType::Bool:
    return double(*array.as<uint8_t>());
  case DType::Float16:
    break;
  }
  throw UnsupportedError("values of type f16 cannot be monitored; cast them to "
                         "f32 in the graph");
}

std::vector<std::string> scalarOutputs(const EntrySpec &entry) {
  std::vector<std::string> names;
  for (const OutputSpec &output : entry.outputs)
    if (output.shape.empty())
      names.push_back(output.name);
  return names;
}

namespace {
size_t findOutput(const EntrySpec &entry, const std::string &name) {
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    const OutputSpec &output = entry.outputs[i];
    if (output.name == name && output.shape.empty())
      return i;
    if (output.name == name)
      throw InputError("output '" + name + "' of entry '" + entry.name +
                       "' has shape " + formatShape(output.shape) +
                       "; only scalars can be monitored");
  }
  std::string known;
  for (const std::string &one : scalarOutputs(entry))
    known += (known.empty() ? "'" : ", '") + one + "'";
  throw InputError("entry '" + entry.name + "' has no output '" + name +
                   "' to monitor; it has " + (known.empty() ? "none" : known));
}
} // namespace

Aggregator::Aggregator(const EntrySpec &entry,
                       const std::vector<std::string> &names,
                       const std::string &prefix) {
  std::vector<size_t> chosen;
  for (const std::string &name : names)
    if (size_t i = findOutput(entry, name);
        std::find(chosen.begin(), chosen.end(), i) == chosen.end())
      chosen.push_back(i);
  for (size_t i : chosen) {
    const OutputSpec &output = entry.outputs[i];
    items.push_back(
        {prefix + "/" + output.name, i, output.dtype, output.aggregate, 0, 0});
  }
}

void Aggregator::accumulate(const std::vector<Array> &outputs,
                            int64_t examples) {
  seenExamples += examples;
  for (Item &item : items) {
    double value = scalarValue(outputs[item.output]);
    if (item.aggregate == Aggregate::Mean) {
      item.sum += value * double(examples);
      item.weight += double(examples);
    } else {
      item.sum = item.aggregate == Aggregate::Sum ? item.sum + value : value;
      item.weight = 1;
    }
  }
}

NamedValue Aggregator::Item::value() const {
  // A single value keeps its precision; sums and means are in double.
  if (aggregate == Aggregate::Last)
    return {name, sum, dtype};
  if (aggregate == Aggregate::Sum)
    return {name, sum, DType::Float64};
  return {name,
          weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN(),
          DType::Float64};
}

void Aggregator::flush(std::vector<NamedValue> &row) {
  for (Item &item : items) {
    row.push_back(item.value());
    item.sum = item.weight = 0;
  }
  seenExamples = 0;
}

void Aggregator::save(StateRecord &record, const std::string &prefix) const {
  for (const Item &item : items)
    record.setReals(prefix + " " + item.name, {item.sum, item.weight});
  record.setInt(prefix + " examples", seenExamples);
}

void Aggregator::restore(const StateRecord &record, const std::string &prefix) {
  for (Item &item : items) {
    std::string key = prefix + " " + item.name;
    if (!record.has(key))
      continue;
    std::vector<double> values = record.getReals(key);
    if (values.size() != 2)
      throw CorruptError("the checkpoint's sums of '" + item.name +
                         "' are damaged");
    item.sum = values[0];
    item.weight = values[1];
  }
  if (record.has(prefix + " examples"))
    seenExamples = record.getInt(prefix + " examples");
}

} // namespace blocks

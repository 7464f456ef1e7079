// StateRecord: see include/blocks/StateRecord.h.
#include "blocks/StateRecord.h"

#include "blocks/Error.h"

#include <bit>

namespace blocks {

void StateRecord::setInt(const std::string &key, int64_t value) {
  numbers[key] = {uint64_t(value)};
}

void StateRecord::setReal(const std::string &key, double value) {
  numbers[key] = {std::bit_cast<uint64_t>(value)};
}

void StateRecord::setReals(const std::string &key,
                           const std::vector<double> &values) {
  std::vector<uint64_t> &words = numbers[key];
  words.clear();
  for (double value : values)
    words.push_back(std::bit_cast<uint64_t>(value));
}

void StateRecord::setText(const std::string &key, std::string value) {
  texts[key] = std::move(value);
}

bool StateRecord::has(const std::string &key) const {
  return numbers.count(key) || texts.count(key);
}

namespace {
template <typename Map> auto &find(const Map &map, const std::string &key) {
  auto it = map.find(key);
  if (it == map.end())
    throw CorruptError("the checkpoint lacks the value '" + key +
                       "'; was it written by another version?");
  return it->second;
}

uint64_t single(const StateRecord &record, const std::string &key) {
  const std::vector<uint64_t> &words = find(record.numbers, key);
  if (words.size() != 1)
    throw CorruptError("the checkpoint's value '" + key + "' has " +
                       std::to_string(words.size()) + " numbers, expected one");
  return words[0];
}
} // namespace

int64_t StateRecord::getInt(const std::string &key) const {
  return int64_t(single(*this, key));
}

double StateRecord::getReal(const std::string &key) const {
  return std::bit_cast<double>(single(*this, key));
}

std::vector<double> StateRecord::getReals(const std::string &key) const {
  std::vector<double> values;
  for (uint64_t word : find(numbers, key))
    values.push_back(std::bit_cast<double>(word));
  return values;
}

const std::string &StateRecord::getText(const std::string &key) const {
  return find(texts, key);
}

} // namespace blocks

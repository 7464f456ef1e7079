// StateRecord: named numbers and texts, the form in which the main loop, the
// data stream and the extensions hand their state to a checkpoint and get it
// back. Real numbers are kept as bit patterns, so NaN and infinity survive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blocks {

class StateRecord {
public:
  void setInt(const std::string &key, int64_t value);
  void setReal(const std::string &key, double value);
  void setReals(const std::string &key, const std::vector<double> &values);
  void setText(const std::string &key, std::string value);

  bool has(const std::string &key) const;
  /// These throw CorruptError, naming the key, if it is absent or of another
  /// kind.
  int64_t getInt(const std::string &key) const;
  double getReal(const std::string &key) const;
  std::vector<double> getReals(const std::string &key) const;
  const std::string &getText(const std::string &key) const;

  // What a checkpoint stores.
  std::map<std::string, std::vector<uint64_t>> numbers;
  std::map<std::string, std::string> texts;
};

/// The records of a checkpoint by name: "loop", "stream", "extension/…".
using StateRecords = std::map<std::string, StateRecord>;

} // namespace blocks

// SequenceStream: what streams of examples without random access share: they
// count epochs and examples, and go on after a restore by walking to the same
// place again.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Streams/StreamState.h"

namespace fuel {

class SequenceStream : public DataStream {
public:
  const std::vector<SourceInfo> &sources() const override { return infos; }
  bool producesExamples() const override { return true; }
  std::optional<int64_t> batchesPerEpoch() const override { return length; }
  std::optional<int64_t> examplesPerEpoch() const override { return length; }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override;
  void restore(const std::string &state) override;

protected:
  /// Goes to the beginning.
  virtual void rewind() = 0;
  /// Fills `batch.sources`; false at the end.
  virtual bool produce(Batch &batch) = 0;

  std::vector<SourceInfo> infos;
  std::optional<int64_t> length;

private:
  int64_t epoch = 0, consumed = 0;
  bool ended = true;
};

} // namespace fuel

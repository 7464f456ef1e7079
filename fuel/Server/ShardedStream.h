// ShardedStream: of each epoch's batches, one rank's: number rank, rank +
// ranks, and so on. The others are made and dropped, so that transformers and
// random numbers are those of the whole stream.
#pragma once

#include "fuel/DataStream.h"

namespace fuel {

class ShardedStream : public DataStream {
public:
  ShardedStream(std::unique_ptr<DataStream> stream, int64_t rank,
                int64_t ranks);

  const std::vector<SourceInfo> &sources() const override {
    return stream->sources();
  }
  bool producesExamples() const override { return stream->producesExamples(); }
  std::optional<int64_t> batchesPerEpoch() const override;
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override;
  void restore(const std::string &state) override;
  std::string fingerprint() const override;

private:
  std::string prefix() const;

  std::unique_ptr<DataStream> stream;
  int64_t rank, ranks;
  int64_t position = 0; ///< Batches of the epoch, all ranks', so far.
};

} // namespace fuel

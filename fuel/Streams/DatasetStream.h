// DatasetStream: a dataset under an iteration scheme. Its state is small: the
// scheme's generator at the epoch's start and the items delivered since.
#pragma once

#include "fuel/Streams.h"
#include "fuel/Streams/StreamState.h"

namespace fuel {

class DatasetStream : public DataStream {
public:
  DatasetStream(std::shared_ptr<const Dataset> dataset,
                std::unique_ptr<IterationScheme> scheme);

  const std::vector<SourceInfo> &sources() const override { return infos; }
  bool producesExamples() const override {
    return scheme->kind() == RequestKind::Example;
  }
  std::optional<int64_t> batchesPerEpoch() const override {
    return scheme->requestsPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return scheme->examplesPerEpoch();
  }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override;
  void restore(const std::string &state) override;
  std::string fingerprint() const override;

private:
  std::shared_ptr<const Dataset> dataset;
  std::unique_ptr<IterationScheme> scheme;
  std::vector<SourceInfo> infos;
  int64_t epoch = 0, consumed = 0;
};

} // namespace fuel

// DatasetLayer: the end of most pipelines, a dataset under an iteration scheme.
// Requests are made in order; rows are fetched by any worker. StreamLayer: the
// end of a pipeline over a stream that is no pipeline itself.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"
#include "fuel/Layer.h"

namespace fuel {

class DatasetLayer : public Layer {
public:
  DatasetLayer(std::shared_ptr<const Dataset> dataset,
               std::unique_ptr<IterationScheme> scheme);

  bool producesExamples() const override {
    return scheme->kind() == RequestKind::Example;
  }
  std::optional<int64_t> batchesPerEpoch() const override {
    return scheme->requestsPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return scheme->examplesPerEpoch();
  }
  std::unique_ptr<Work> makeWork() const override;
  void startEpoch() override;
  bool prepare(Work &work) override;
  void savePosition(Position &position) const override {
    position.counts.push_back(made);
  }
  void loadPosition(PositionReader &reader) override;
  void saveRandom(std::vector<std::string> &states) const override {
    states.push_back(scheme->epochState());
  }
  void loadRandom(RandomReader &reader) override {
    scheme->restoreEpoch(reader.next());
  }
  std::string fingerprint() const override {
    return dataset->fingerprint() + "; " + scheme->describe();
  }
  void addTimes(std::vector<LayerTime> &times) const override {
    times.push_back(timeTaken("read"));
  }
  bool usableFromAnyThread() const override {
    return dataset->usableFromAnyThread();
  }
  bool divisible() const override;

protected:
  void produce(Work &work, Batch &batch) override;
  void producePart(Work &work, int64_t start, int64_t count,
                   Part &part) override;

private:
  struct Request : Work {
    std::vector<int64_t> rows;
    Batch some; ///< Rows of a part.
  };
  std::shared_ptr<const Dataset> dataset;
  std::unique_ptr<IterationScheme> scheme;
  int64_t made = 0; ///< Requests of this epoch.
  bool started = false;
};

class StreamLayer : public Layer {
public:
  explicit StreamLayer(std::unique_ptr<DataStream> stream);

  bool producesExamples() const override { return stream->producesExamples(); }
  std::optional<int64_t> batchesPerEpoch() const override {
    return stream->batchesPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return stream->examplesPerEpoch();
  }
  std::unique_ptr<Work> makeWork() const override;
  void startEpoch() override { stream->startEpoch(); }
  bool prepare(Work &work) override;
  void savePosition(Position &position) const override {
    position.texts.push_back(stream->state());
  }
  void loadPosition(PositionReader &reader) override {
    stream->restore(reader.text());
  }
  void saveRandom(std::vector<std::string> &) const override {}
  void loadRandom(RandomReader &) override {}
  std::string fingerprint() const override { return stream->fingerprint(); }
  void addTimes(std::vector<LayerTime> &times) const override {
    times.push_back(timeTaken("stream"));
  }

protected:
  void produce(Work &work, Batch &batch) override;

private:
  struct Item : Work {
    Batch batch;
  };
  std::unique_ptr<DataStream> stream;
};

} // namespace fuel

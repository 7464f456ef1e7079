// Transformer: a stream that changes some sources of another one, item by item,
// whether items are batches or examples. Position, state and order are those of
// the stream beneath.
#pragma once

#include "fuel/Streams.h"

namespace fuel {

class Transformer : public DataStream {
public:
  const std::vector<SourceInfo> &sources() const override { return infos; }
  bool producesExamples() const override { return inner->producesExamples(); }
  std::optional<int64_t> batchesPerEpoch() const override {
    return inner->batchesPerEpoch();
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return inner->examplesPerEpoch();
  }
  void startEpoch() override { inner->startEpoch(); }
  bool next(Batch &batch) override;
  std::string state() const override { return inner->state(); }
  void restore(const std::string &state) override { inner->restore(state); }
  std::string fingerprint() const override {
    return inner->fingerprint() + "; " + text;
  }

protected:
  /// `which`: names of the sources to change; empty: all. `text` describes the
  /// transformer, for the fingerprint. UsageError for an unknown source.
  Transformer(std::unique_ptr<DataStream> inner,
              const std::vector<std::string> &which, std::string text);
  /// Fills `infos`; derived constructors call it.
  void describeSources();

  virtual void changeInfo(SourceInfo &info) const = 0;
  /// Makes `out` of `in`, which may be changed or swapped with it.
  virtual void change(blocks::Array &in, blocks::Array &out) = 0;

private:
  std::unique_ptr<DataStream> inner;
  std::vector<bool> selected;
  std::vector<SourceInfo> infos;
  std::string text;
  Batch input; ///< Of the stream beneath; its buffers are reused.
};

} // namespace fuel

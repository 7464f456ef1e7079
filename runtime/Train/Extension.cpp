// Triggers and SimpleExtension: see include/blocks/Extension.h.
#include "blocks/Extension.h"

#include "blocks/MainLoop.h"

namespace blocks {

namespace {
bool every(int64_t n, int64_t done) { return n > 0 && done % n == 0; }
bool from(int64_t n, int64_t done) { return n > 0 && done >= n; }
} // namespace

bool Triggers::hold(Moment moment, const LoopStatus &status) const {
  switch (moment) {
  case Moment::BeforeTraining:
    return beforeTraining;
  case Moment::OnResumption:
    return onResumption || from(fromEpochs, status.epochs) ||
           from(fromBatches, status.iterations);
  case Moment::BeforeEpoch:
    return beforeEpoch || (beforeFirstEpoch && status.epochs == 0);
  case Moment::BeforeBatch:
    return beforeBatch;
  case Moment::AfterBatch:
    return afterBatch || every(everyBatches, status.iterations) ||
           from(fromBatches, status.iterations);
  case Moment::AfterEpoch:
    return afterEpoch || every(everyEpochs, status.epochs) ||
           from(fromEpochs, status.epochs);
  case Moment::AfterTraining:
    return afterTraining;
  case Moment::OnInterrupt:
    return onInterrupt;
  case Moment::OnError:
    return onError;
  }
  return false;
}

void SimpleExtension::check(MainLoop &loop, Moment moment) {
  if (triggers.hold(moment, loop.status()))
    act(loop, moment);
}

void SimpleExtension::beforeTraining(MainLoop &loop) {
  check(loop, Moment::BeforeTraining);
}
void SimpleExtension::onResumption(MainLoop &loop) {
  check(loop, Moment::OnResumption);
}
void SimpleExtension::beforeEpoch(MainLoop &loop) {
  check(loop, Moment::BeforeEpoch);
}
void SimpleExtension::beforeBatch(MainLoop &loop) {
  check(loop, Moment::BeforeBatch);
}
void SimpleExtension::afterBatch(MainLoop &loop) {
  check(loop, Moment::AfterBatch);
}
void SimpleExtension::afterEpoch(MainLoop &loop) {
  check(loop, Moment::AfterEpoch);
}
void SimpleExtension::afterTraining(MainLoop &loop) {
  check(loop, Moment::AfterTraining);
}
void SimpleExtension::onInterrupt(MainLoop &loop) {
  check(loop, Moment::OnInterrupt);
}
void SimpleExtension::onError(MainLoop &loop, const std::exception &) {
  check(loop, Moment::OnError);
}

} // namespace blocks

// Trial: a whole run of `train` with a program and streams by hand, and what
// it told its surroundings.
#pragma once

#include "test/runtime/FakeProgram.h"

#include "blocks/Training.h"

#include <filesystem>
#include <fstream>
#include <functional>

using namespace blocks;
namespace fs = std::filesystem;

inline fs::path dir; ///< The test's scratch folder.

inline std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline int64_t lines(const fs::path &path) {
  std::string text = contents(path);
  return std::count(text.begin(), text.end(), '\n');
}

/// Records events as lines.
struct Recorder : EventSink {
  std::string events;
  std::function<void(const RowView &)> onEpoch;
  void epoch(const RowView &row) override {
    events += "epoch " + std::to_string(row.epoch) + "\n";
    if (onEpoch)
      onEpoch(row);
  }
  void eval(const std::string &split, int64_t examples,
            std::span<const NamedValue> values) override {
    events += "eval " + split + " " + std::to_string(examples) + "\n";
  }
  void checkpoint(const std::string &, int64_t iterations) override {
    events += "checkpoint " + std::to_string(iterations) + "\n";
  }
  void error(const std::string &message) override {
    events += "error " + message + "\n";
  }
  void end(int status, int64_t iterations, double) override {
    events += "end " + std::to_string(status) + " " +
              std::to_string(iterations) + "\n";
  }
};

/// A run with 95 training examples in batches of 10, and 23 for validation.
struct Trial {
  fake::Program program;
  fake::Stream stream{95, 10, 1};
  fake::Stream test{23, 10, 1};
  TrainOptions options;
  Recorder recorder;
  std::ostringstream text, messages;
  std::vector<int64_t> rows;

  explicit Trial(const std::string &name) {
    stream.history = &rows;
    options.progressBar = false;
    options.checkpointPath = dir / (name + ".ckpt");
    options.logPath = dir / (name + ".jsonl");
    options.saveParametersPath = dir / (name + ".npz");
    options.epochs = 3;
    options.platform = "cpu test";
    options.fixed = {{"--batch-size", "10"}, {"--scheme", "shuffled"}};
  }
  int run() { return run(program); }
  /// With a program of the test's own.
  int run(blocks::Program &own) {
    return train(own, stream, {{"test", &test}}, options, recorder, text,
                 messages);
  }
};

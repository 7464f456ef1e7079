// Writes a file in Fuel's format with sentences of different lengths, reads it
// back, and gathers a few images: the C++ that docs/fuel.md shows.
//
//     example-fuel-files FASHION_MNIST.hdf5 OUTPUT_DIRECTORY
#include "fuel/Dataset.h"
#include "fuel/Writer.h"

#include <cstdio>
#include <exception>
#include <filesystem>

/// 1000 sentences of 0 to 6 numbers, and four words.
static void write() {
  std::vector<std::string> words{"<S>", "</S>", "<UNK>", "the"};
  fuel::RaggedItems items;
  items.clear(1);
  for (int64_t sentence = 0; sentence < 1000; ++sentence)
    items.append(std::vector<int64_t>{sentence % 7});
  auto values = blocks::Array::zeros(blocks::DType::Int64, {items.offsets.back()});

  fuel::Writer writer("words.hdf5");
  fuel::SourceInfo tokens{"tokens", blocks::DType::Int64, {-1, -1}, {"batch", "time"}};
  tokens.ragged = true;
  writer.addSource(tokens);
  writer.append("tokens", values.view(), items);   // As often as needed.
  writer.setSplit("train", "tokens", 0, 900);
  writer.setSplit("sample", "tokens", {5, 80, 81}); // By index.
  writer.setTexts("vocabulary", words);
  writer.commit("my-converter corpus.txt");
}

static int64_t countSentences() {
  fuel::H5PYDatasetOptions options;
  options.file = "words.hdf5";
  options.whichSets = {"train", "sample"};
  return fuel::openH5PYDataset(options)->numExamples();
}

static int64_t countImages() {
  fuel::H5PYDatasetOptions options;
  options.file = "fashion_mnist.hdf5";
  options.whichSets = {"train"};          // Several are joined.
  options.sources = {{"features"}};       // All that the splits share, if absent.
  options.subset = fuel::RowSlice{0, 50000};
  auto dataset = fuel::openH5PYDataset(options);
  fuel::Batch batch;
  dataset->getRows(std::vector<int64_t>{3, 3, 1}, batch); // Any order, repeated.
  return batch.sources[0].shape()[0];
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FASHION_MNIST.hdf5 OUTPUT_DIRECTORY\n", argv[0]);
    return 2;
  }
  try {
    auto images = std::filesystem::absolute(argv[1]);
    std::filesystem::create_directories(argv[2]);
    std::filesystem::current_path(argv[2]);
    std::filesystem::remove("fashion_mnist.hdf5");
    std::filesystem::create_symlink(images, "fashion_mnist.hdf5");
    write();
    std::printf("%ld sentences, %ld images\n", long(countSentences()), long(countImages()));
    return countSentences() == 900 && countImages() == 3 ? 0 : 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "error: %s\n", problem.what());
    return 1;
  }
}

// Originals: the readers of data sets' original files, in this process: what
// they read of sound ones, and that altered ones give data or an error that
// names the file, never a crash.
//
//   test-fuel-originals SCRATCH DATA [MUTATIONS [SEED]]
//
// The suite runs a few hundred mutations of each file.
#include "blocks/Error.h"
#include "fuel/Converters/ArchiveFiles.h"
#include "fuel/Converters/DigitStruct.h"
#include "fuel/Converters/Gunzip.h"
#include "fuel/Converters/MatFile.h"
#include "fuel/Converters/Pickle.h"
#include "fuel/Converters/WavFile.h"
#include "fuel/Mt19937.h"
#include "runtime/Base/MappedFile.h"
#include "test/Check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

using namespace fuel;

namespace {
using Bytes = std::vector<std::byte>;
using Reader = std::function<void(const Bytes &)>;

Bytes contents(const std::string &path) {
  blocks::MappedFile file(path);
  return {file.bytes().begin(), file.bytes().end()};
}

//===-- Sound files -------------------------------------------------------===//

int pixel(int n, int c, int y, int x) {
  return (50 * n + 80 * c + 3 * y + 5 * x + y * x / 7) % 256;
}

void readPickle(const Bytes &bytes) {
  Pickle pickle(bytes, "the file");
  pickle.array(pickle.at(pickle.root(), "data"), "data", blocks::DType::UInt8);
  pickle.integers(pickle.at(pickle.root(), "labels"), "labels", 0, 9);
}

void soundPickle(const Bytes &bytes) {
  Pickle pickle(bytes, "the file");
  blocks::Array pixels = pickle.array(pickle.at(pickle.root(), "data"), "data",
                                      blocks::DType::UInt8);
  CHECK_EQ(blocks::formatShape(pixels.shape()), std::string("2x3072"));
  bool same = true;
  for (int i = 0; i < 2 * 3072; ++i)
    same = same && pixels.as<uint8_t>()[i] ==
                       pixel(i / 3072, i / 1024 % 3, i / 32 % 32, i % 32);
  CHECK(same);
  CHECK((pickle.integers(pickle.at(pickle.root(), "labels"), "labels", 0, 9) ==
         std::vector<int64_t>{6, 9}));
}

void readMat(const Bytes &bytes) {
  MatFile file(bytes, "the file");
  for (const MatVariable &variable : file.variables()) {
    file.read(variable);
    if (variable.kind != MatVariable::Kind::Numbers)
      continue;
    MatFile::Numbers numbers = file.numbers(variable);
    std::vector<double> values(size_t(
        std::min<int64_t>(blocks::numElements(variable.shape), 1 << 16)));
    numbers.read(values.data(), values.size());
  }
}

void soundMat(const Bytes &bytes) {
  MatFile file(bytes, "the file");
  MatValue table =
      file.read(file.find("synsets", MatVariable::Kind::Structure));
  CHECK_EQ(table.fieldNames.size(), size_t(8));
  CHECK_EQ(table.fields.size(), size_t(32));
  CHECK_EQ(table.fields[9].text, std::string("n00000002"));
  CHECK(table.fields[30].numbers == (std::vector<double>{1, 2}));
}

void readBoxes(const Bytes &bytes, const std::string &path) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             std::streamsize(bytes.size()));
  readDigitStruct(path, "the file", 2);
}

void readArchive(const Bytes &bytes, const std::string &scratch) {
  ArchiveFiles files(bytes, "'the file'", scratch);
  Bytes buffer;
  for (size_t i = 0; i < files.count(); ++i)
    files.read(i, buffer);
}

//===-- Files made here ---------------------------------------------------===//

void append(Bytes &bytes, const void *data, size_t count) {
  auto *from = static_cast<const std::byte *>(data);
  bytes.insert(bytes.end(), from, from + count);
}

Bytes wavFile() {
  Bytes bytes;
  append(bytes, "RIFF\x34\0\0\0WAVEfmt \x10\0\0\0", 20);
  append(bytes, "\1\0\2\0\x40\x1f\0\0\0\x7d\0\0\4\0\x10\0", 16);
  append(bytes, "data\x10\0\0\0", 8);
  append(bytes, "0123456789abcdef", 16);
  return bytes;
}

/// Two files of 700 bytes.
Bytes tarFile() {
  Bytes bytes;
  for (const char *name : {"folder/one", "folder/two"}) {
    char header[512] = {};
    std::strcpy(header, name);
    std::strcpy(header + 100, "0000644");
    std::strcpy(header + 124, "00000001274"); // 700
    std::strcpy(header + 136, "00000000000");
    std::memset(header + 148, ' ', 8);
    header[156] = '0';
    std::memcpy(header + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (char c : header)
      sum += uint8_t(c);
    std::snprintf(header + 148, 8, "%06o", sum);
    append(bytes, header, sizeof header);
    bytes.resize(bytes.size() + 1024, std::byte('x'));
  }
  bytes.resize(bytes.size() + 1024);
  return bytes;
}

//===-- Altered files -----------------------------------------------------===//

Bytes altered(Bytes bytes, Mt19937 &random) {
  auto place = [&] { return size_t(random.interval(bytes.size() - 1)); };
  switch (random.interval(3)) {
  case 0: // Cut off.
    bytes.resize(place());
    break;
  case 1: // A part taken out.
  {
    size_t from = place();
    size_t count = std::min<size_t>(random.interval(64), bytes.size() - from);
    bytes.erase(bytes.begin() + ptrdiff_t(from),
                bytes.begin() + ptrdiff_t(from + count));
    break;
  }
  default: // Some bytes changed, mostly near the beginning.
    for (uint64_t n = random.interval(3) + 1; n-- > 0;) {
      size_t at = random.interval(1) ? place()
                                     : std::min(size_t(random.interval(600)),
                                                bytes.size() - 1);
      bytes[at] = random.interval(2) ? std::byte(random.interval(255))
                                     : std::byte(0xff);
    }
  }
  return bytes;
}

void alter(const std::string &what, const Bytes &sound, const Reader &read,
           int mutations, uint64_t seed) {
  read(sound);
  Mt19937 random(seed);
  int errors = 0;
  for (int i = 0; i < mutations; ++i) {
    try {
      read(altered(sound, random));
    } catch (const blocks::Error &error) {
      ++errors;
      if (!std::strstr(error.what(), "the file"))
        checkFailed(__FILE__, __LINE__, what + ": " + error.what());
    }
  }
  CHECK(errors > mutations / 10);
  std::printf("%s: %d errors of %d\n", what.c_str(), errors, mutations);
}
} // namespace

int main(int argc, char **argv) {
  std::string scratch = argv[1], data = std::string(argv[2]) + "/converters/";
  int mutations = argc > 3 ? std::atoi(argv[3]) : 400;
  uint64_t seed = argc > 4 ? uint64_t(std::atoll(argv[4])) : 1;

  Bytes pickle = contents(data + "cifar10_batch");
  soundPickle(pickle);
  alter("pickle", pickle, readPickle, mutations, seed);
  soundMat(contents(data + "meta2010.mat"));
  for (const char *name : {"meta2010.mat", "train_32x32.mat", "test_32x32.mat",
                           "caltech101_silhouettes_16_split1.mat"})
    alter(name, contents(data + name), readMat, mutations, seed);
  CHECK_EQ(readWav(wavFile(), "the file").samples.shape[0], int64_t(4));
  alter(
      "wav", wavFile(), [](const Bytes &b) { readWav(b, "the file"); },
      mutations, seed);
  alter(
      "tar", tarFile(), [&](const Bytes &b) { readArchive(b, scratch); },
      mutations, seed);
  alter(
      "digitStruct.mat", contents(data + "digitStruct.mat"),
      [&](const Bytes &b) { readBoxes(b, scratch + "/the file"); },
      mutations / 4, seed);
  return checkSummary();
}

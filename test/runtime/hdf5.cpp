// Hdf5: what the wrapper writes it reads back; failures name the file and the
// object; nothing is printed by the library itself.
#include "test/Check.h"

#include "runtime/Hdf5/File.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace blocks;
namespace fs = std::filesystem;

static Array counting(DType dtype, Shape shape) {
  Array array = Array::zeros(dtype, std::move(shape));
  for (size_t i = 0; i < array.bytes(); ++i)
    array.data()[i] = std::byte(dtype == DType::Bool ? i % 2 : i * 7 % 251);
  return array;
}

static bool equal(const Array &a, const Array &b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.bytes() == 0 || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

static void roundTripsEveryType(const fs::path &dir) {
  std::string path = dir / "types.hdf5";
  hdf5::File file = hdf5::File::create(path, {.userBlock = 512});
  for (int t = 0; t <= int(DType::Float64); ++t) {
    Array array = counting(DType(t), {3, 2});
    file.root().write("group/" + std::string(dtypeName(DType(t))),
                      array.view());
  }
  file.root().write("empty", Array(DType::Float32, {0, 4}).view());
  file.root().write("scalar", counting(DType::Int32, {}).view());
  file.close();

  hdf5::File again = hdf5::File::open(path);
  CHECK_EQ(again.userBlock(), 512u);
  for (int t = 0; t <= int(DType::Float64); ++t) {
    std::string name = "group/" + std::string(dtypeName(DType(t)));
    hdf5::Dataset dataset = again.root().dataset(name);
    CHECK(equal(dataset.read(), counting(DType(t), {3, 2})));
    CHECK(dataset.mappableOffset().has_value());
    Array row(DType(t), {1, 2});
    dataset.readRows(1, 1, row.data());
    CHECK(!std::memcmp(row.data(), dataset.read().data() + row.bytes(),
                       row.bytes()));
  }
  CHECK(equal(again.root().read("scalar"), counting(DType::Int32, {})));
  CHECK_EQ(again.root().read("empty").shape().size(), 2u);
  CHECK_EQ(again.root().children().size(), 3u);
  CHECK(again.root().isGroup("group"));
  CHECK(again.root().isDataset("group/f32"));
  CHECK(!again.root().has("group/none/deeper"));
}

static void mappedBytesAreTheArray(const fs::path &dir) {
  std::string path = dir / "mapped.hdf5";
  Array array = counting(DType::UInt8, {100, 7});
  {
    hdf5::File file = hdf5::File::create(path, {.userBlock = 512});
    file.root().write("x", array.view());
    file.close();
  }
  uint64_t offset =
      *hdf5::File::open(path).root().dataset("x").mappableOffset();
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  CHECK(!std::memcmp(bytes.data() + offset, array.data(), array.bytes()));
}

static void attributes(const fs::path &dir) {
  std::string path = dir / "attributes.hdf5";
  hdf5::File file = hdf5::File::create(path);
  {
    hdf5::Group root = file.root();
    root.writeString("title", "plain");
    root.writeString("utf8", "caf\xc3\xa9");
    root.writeStrings("labels", {"batch", "", "feature"});
    root.writeInt("count", -5);
    hdf5::Group group = root.createGroup("a/b");
    group.writeString("deep", "");
    CHECK_EQ(root.createGroup("a/b").readString("deep"), "");
  }
  file.close();
  hdf5::Group root = hdf5::File::open(path).root();
  CHECK_EQ(root.readString("title"), "plain");
  CHECK_EQ(root.readString("utf8"), "caf\xc3\xa9");
  CHECK(root.readStrings("labels") ==
        (std::vector<std::string>{"batch", "", "feature"}));
  CHECK_EQ(root.readInt("count"), -5);
  CHECK_THROWS(root.readString("none"),
               "attribute 'none' is missing in '" + path);
  CHECK_THROWS(root.readString("labels"), "holds 3 strings; expected one");
  CHECK_THROWS(root.readInt("title"), "is not one integer");
}

static void errorsNameFileAndObject(const fs::path &dir) {
  CHECK_THROWS(hdf5::File::open(dir / "absent.hdf5"),
               (dir / "absent.hdf5").string() + "': No such file");
  CHECK_THROWS(hdf5::File::open(dir), "it is a directory");
  std::ofstream(dir / "text") << "hello";
  CHECK_THROWS(hdf5::File::open(dir / "text"), "is not an HDF5 file");

  std::string path = dir / "whole.hdf5";
  hdf5::File file = hdf5::File::create(path);
  file.root().write("x", counting(DType::Float32, {100}).view());
  CHECK_THROWS(file.root().dataset("y"),
               "the dataset '/y' is missing in '" + path + "'");
  CHECK_THROWS(file.root().group("x"), "is not a group");
  CHECK_THROWS(file.root().write("x", counting(DType::Int8, {1}).view()),
               "cannot create the dataset '" + path + "', object '/x'");
  file.close();

  fs::copy_file(path, dir / "cut.hdf5", fs::copy_options::overwrite_existing);
  fs::resize_file(dir / "cut.hdf5", fs::file_size(path) - 100);
  CHECK_THROWS(hdf5::File::open(dir / "cut.hdf5"), "cut.hdf5': truncated file");
}

// A file size limit stands for a full disk: SIGXFSZ is ignored, writes fail.
static void reportsFailedWrites(const fs::path &dir) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {.rlim_cur = 64 * 1024, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string path = dir / "full.hdf5";
  auto fill = [&] {
    hdf5::File file = hdf5::File::create(path);
    file.root().write("x", counting(DType::UInt8, {1 << 20}).view());
    file.close();
  };
  CHECK_THROWS(fill(), path);
  setrlimit(RLIMIT_FSIZE, &before);
  path = dir / "roomy.hdf5";
  fill();
  CHECK_EQ(hdf5::File::open(path).root().read("x").size(), 1 << 20);
}

int main(int, char **argv) {
  fs::path dir = argv[1];
  roundTripsEveryType(dir);
  mappedBytesAreTheArray(dir);
  attributes(dir);
  errorsNameFileAndObject(dir);
  reportsFailedWrites(dir);
  return checkSummary();
}

// NPZ and NPY files: our own round trip, exchange with NumPy (npz.py calls this
// program as `roundtrip IN OUT`), and hostile archives: truncated or changed at
// every place, they give an error or the right data, never a crash.
#include "test/Check.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"
#include "runtime/Base/NpyFormat.h"

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace blocks;
namespace fs = std::filesystem;

static Array counting(DType dtype, Shape shape) {
  Array array = Array::zeros(dtype, shape);
  for (size_t i = 0; i < array.bytes(); ++i)
    array.data()[i] = std::byte(i * 37);
  return array;
}

static bool same(const ArrayView &a, const ArrayView &b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         (a.bytes() == 0 || !std::memcmp(a.data, b.data, a.bytes()));
}

static int roundtrip(const std::string &in, const std::string &out,
                     bool deflate) {
  NpzFile from(in);
  NpzWriter to(out, deflate);
  for (const std::string &name : from.names()) {
    Array copy = from.read(name);
    if (!same(copy.view(), from.view(name)))
      return 1;
    to.add(name, copy.view());
  }
  to.commit();
  return 0;
}

static void writesWhatItReads(const std::string &path, bool deflate) {
  Array a = counting(DType::Float32, {3, 5}), b = counting(DType::Int64, {}),
        c = counting(DType::UInt8, {0, 4});
  NpzWriter writer(path, deflate);
  writer.add("/mlp/linear_0.W", a.view());
  writer.add("scalar", b.view());
  writer.add("empty", c.view());
  CHECK_THROWS(writer.add("empty", c.view()), "two members");
  writer.commit();
  NpzFile file(path);
  CHECK_EQ(file.names().size(), 3u);
  CHECK(same(file.read("/mlp/linear_0.W").view(), a.view()));
  CHECK(same(file.view("scalar"), b.view()));
  CHECK(same(file.read("empty").view(), c.view()));
  ArrayView view = file.view("/mlp/linear_0.W");
  CHECK(deflate || reinterpret_cast<uintptr_t>(view.data) % 64 == 0);
  CHECK_THROWS(file.read("other"), "no member 'other.npy'");
  CHECK(looksLikeNpz(path));
}

static std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void put(const std::string &path, const std::string &bytes) {
  fs::remove(path); // Truncating instead would make ext4 flush each time.
  std::ofstream(path, std::ios::binary) << bytes;
}

static bool readsAll(const std::string &path) {
  try {
    NpzFile file(path);
    for (const std::string &name : file.names())
      file.read(name);
    return true;
  } catch (const Error &) {
    return false;
  }
}

static void survivesDamage(const std::string &good, const std::string &bad) {
  std::string bytes = contents(good);
  CHECK(readsAll(good));
  for (size_t n = 0; n < bytes.size(); n += 7) {
    put(bad, bytes.substr(0, n));
    CHECK(!readsAll(bad));
  }
  for (size_t i = 0; i < bytes.size(); i += 2)
    for (int change : {0x01, 0xFF}) {
      std::string changed = bytes;
      changed[i] = char(changed[i] ^ change);
      put(bad, changed);
      readsAll(bad);
    }
}

static void npyFiles(const std::string &path) {
  Array a = counting(DType::Float64, {2, 3});
  writeNpy(path, a.view());
  CHECK(same(readNpy(path).view(), a.view()));
  std::string bytes = contents(path);
  auto with = [&](const char *from, const char *to) {
    std::string changed = bytes;
    changed.replace(changed.find(from), std::strlen(from), to);
    put(path, changed);
    return path;
  };
  CHECK_THROWS(readNpy(with("(2, 3)", "(9, 3)")), "needs 216 bytes");
  CHECK_THROWS(readNpy(with("(2, 3)", "(-1,3)")), "no number");
  CHECK_THROWS(readNpy(with("<f8", "<c8")), "'<c8'");
  Array turned = readNpy(with("<f8", ">f8")); // Read big-endian.
  swapBytes(turned.data(), 6, 8);
  CHECK(same(turned.view(), a.view()));
  CHECK_THROWS(readNpy(with("'<f8'", "[('a'")), "no text in quotes");
  CHECK_THROWS(readNpy(with("NUMPY", "NUMPX")), "not an NPY file");
  CHECK_THROWS(readNpy(with("descr", "descx")), "'descx'");
  put(path, bytes.substr(0, 40));
  CHECK_THROWS(readNpy(path), "cut off");
}

static void parameters(const std::string &path) {
  auto state = [](std::string name, Shape shape) {
    return StateSpec{name, DType::Float32, shape, {}, {}, ""};
  };
  ProgramSpec spec{{state("/a.W", {2, 2}), state("/a.b", {2}),
                    state("/algorithm.learning_rate", {})},
                   {},
                   {}};
  ProgramState values = makeInitialState(spec, 1);
  values.arrays[0].as<float>()[3] = 5;
  saveParameters(spec, values, path);
  ProgramState other = makeInitialState(spec, 1);
  loadParameters(spec, other, path);
  CHECK_EQ(other.arrays[0].as<float>()[3], 5.f);
  CHECK_EQ(NpzFile(path).names().size(), 2u);

  ProgramSpec wrong{{state("/a.W", {2, 3}), state("/a.c", {2})}, {}, {}};
  ProgramState unchanged = makeInitialState(wrong, 1);
  CHECK_THROWS(loadParameters(wrong, unchanged, path), "'/a.W' is f32 2x2");
  CHECK_THROWS(loadParameters(wrong, unchanged, path),
               "'/a.c' (f32 2) is miss");
  CHECK_THROWS(loadParameters(wrong, unchanged, path), "'/a.b' is no param");
}

int main(int argc, char **argv) {
  if (argc >= 4 && std::string(argv[1]).starts_with("roundtrip"))
    return roundtrip(argv[2], argv[3], std::string(argv[1]) != "roundtrip");
  fs::path dir(argv[1]);
  std::string good = dir / "good.npz", bad = dir / "bad.npz";
  for (bool deflate : {false, true}) {
    writesWhatItReads(good, deflate);
    survivesDamage(good, bad);
  }
  npyFiles(dir / "a.npy");
  parameters(dir / "parameters.npz");
  return checkSummary();
}

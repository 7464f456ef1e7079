// ObjectLoader: objects of several code models run; what they must not contain
// or refer to is refused; and damaged objects end in an error or a load, never
// in a crash of the loader (their code is not run).
#include "test/Check.h"
#include "test/runtime/TestProgram.h"

#include "blocks/Error.h"
#include "runtime/Program/ObjectLoader.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <sys/mman.h>

using namespace blocks;

/// mov rax, rdi; add rax, 100; ret: somewhere far from everything else.
static void *farFunction() {
  const unsigned char code[] = {0x48, 0x89, 0xf8, 0x48, 0x83, 0xc0, 100, 0xc3};
  void *hint = reinterpret_cast<void *>(uintptr_t(0x100000000000));
  void *page = mmap(hint, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(page, code, sizeof code);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  return page;
}

static void checkShapes(const std::vector<std::byte> &bytes, void *far) {
  RuntimeSymbol symbols[] = {{"far_function", far}};
  LoadedObject object(bytes, symbols);
  using Integer = int64_t (*)(int64_t);
  auto find = [&](const char *name) { return object.function(name); };
  auto factor = reinterpret_cast<float (*)(int64_t)>(find("factor_of"));
  CHECK_EQ(factor(4), 7.0f);
  auto name = reinterpret_cast<const char *(*)(int64_t)>(find("name_of"));
  CHECK_EQ(std::string(name(1)), "second");
  CHECK_EQ(reinterpret_cast<Integer>(find("use_far"))(5), 106);
  auto address = reinterpret_cast<Integer (*)()>(find("far_address"));
  CHECK_EQ(address()(1), 101);
  auto count = reinterpret_cast<int64_t (*)()>(find("count"));
  CHECK_EQ(count(), 41);
  CHECK_EQ(count(), 42);
  auto choose = reinterpret_cast<int64_t (*)(int64_t, int64_t)>(find("choose"));
  CHECK_EQ(choose(2, 9), 81);
  CHECK_EQ(choose(1, 9), 109);
  CHECK_EQ(choose(5, 1), 20);
  CHECK_THROWS(find("nothing"), "has no function 'nothing'");
  CHECK_THROWS(LoadedObject(bytes, {}), "refers to 'far_function'");
}

/// Code is not writable, and nothing else can be run.
static void checkProtection(const std::vector<std::byte> &bytes, void *far) {
  RuntimeSymbol symbols[] = {{"far_function", far}};
  LoadedObject object(bytes, symbols);
  uintptr_t code = reinterpret_cast<uintptr_t>(object.function("use_far"));
  std::ifstream maps("/proc/self/maps");
  bool seen = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char rights[5] = {};
    std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights);
    CHECK(!(rights[1] == 'w' && rights[2] == 'x'));
    if (begin <= code && code < end) {
      CHECK_EQ(std::string(rights), "r-xp");
      seen = true;
    }
  }
  CHECK(seen);
}

/// Loads; returns whether it was accepted. Anything but blocks::Error is a bug.
static bool tryLoad(std::span<const std::byte> bytes, void *far) {
  std::vector<RuntimeSymbol> symbols(runtimeSymbols().begin(),
                                     runtimeSymbols().end());
  symbols.push_back({"far_function", far});
  try {
    LoadedObject object(bytes, symbols);
    return true;
  } catch (const Error &) {
    return false;
  }
}

static void checkDamage(const std::vector<std::byte> &bytes, void *far) {
  std::mt19937 random(3);
  auto below = [&](size_t n) { return size_t(random() % n); };
  int accepted = 0, rounds = 1500;
  for (int round = 0; round < rounds; ++round) {
    auto damaged = bytes;
    for (size_t i = 0, n = 1 + below(8); i < n; ++i) {
      // The header, the tables near the end, anywhere; a bit or a byte.
      size_t size = damaged.size();
      size_t at = i % 3 == 0   ? below(64)
                  : i % 3 == 1 ? size - 1 - below(size / 2)
                               : below(size);
      damaged[at] = round % 2 ? std::byte(random())
                              : damaged[at] ^ std::byte(1 << below(8));
    }
    if (round % 10 == 0)
      damaged.resize(below(damaged.size()));
    accepted += tryLoad(damaged, far);
  }
  std::printf("%d of %d damaged objects were loaded\n", accepted, rounds);
  for (size_t size = 0; size < bytes.size(); size += 13)
    CHECK(!tryLoad(std::span(bytes).first(size), far));
}

int main(int argc, char **argv) {
  void *far = farFunction();
  for (int i = 2; i < argc; ++i) {
    auto bytes = readBytes(argv[i]);
    CHECK(tryLoad(bytes, far));
    if (std::strstr(argv[i], "shapes")) {
      checkShapes(bytes, far);
      checkProtection(bytes, far);
    }
    checkDamage(bytes, far);
  }
  return checkSummary();
}

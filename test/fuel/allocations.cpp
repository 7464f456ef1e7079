// Allocations: a steady stream makes none, in any thread. Counts `new` and the
// aligned allocations behind Array (by the linker's --wrap).
#include "fuel/OpenStream.h"
#include "test/Check.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<int64_t> allocations;

extern "C" void *__real_aligned_alloc(size_t alignment, size_t bytes);
extern "C" void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __real_aligned_alloc(alignment, bytes);
}
void *operator new(size_t bytes) {
  ++allocations;
  if (void *p = std::malloc(bytes ? bytes : 1))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }

/// Allocations of the last two epochs. Buffers rotate between the stages and
/// the ring, so it takes some batches until each of them held a full one.
static int64_t steadyAllocations(const fuel::StreamOptions &options) {
  auto stream = fuel::openStream(options);
  fuel::Batch batch;
  int64_t before = 0;
  for (int epoch = 0; epoch < 10; ++epoch) {
    stream->startEpoch();
    if (epoch == 8)
      before = allocations;
    // The last, shorter batch and the fresh shuffle are part of it, but not the
    // text of the state that a prefetching stream keeps for each epoch.
    int64_t atStart = allocations;
    while (stream->next(batch)) {
    }
    if (epoch >= 8)
      CHECK_EQ(allocations - atStart, 0);
  }
  return allocations - before;
}

/// Sources of every storage, of fixed and of varying length: in the order of
/// the file each epoch is like the first.
static void everyStorage(const std::string &data) {
  fuel::StreamOptions options;
  options.batchSize = 7;
  options.scheme = "sequential";
  options.prefetch = false;
  for (const char *name : {"/vlen_sequences.hdf5", "/vlen_images.hdf5",
                           "/storage/earliest.hdf5", "/dtypes.hdf5"}) {
    options.file = data + name;
    CHECK_EQ(steadyAllocations(options), 0);
  }
}

int main(int, char **argv) {
  fuel::StreamOptions options;
  options.file = std::string(argv[2]) + "/mnist_small.hdf5";
  options.batchSize = 32;
  for (bool prefetch : {false, true})
    for (const char *scheme : {"sequential", "shuffled"}) {
      options.prefetch = prefetch;
      options.scheme = scheme;
      options.transforms.clear();
      int64_t plain = steadyAllocations(options);
      options.transforms = {"scale_and_shift(scale=1/255,which=features)",
                            "cast(dtype=f32,which=features)", "flatten"};
      int64_t transformed = steadyAllocations(options);
      if (!prefetch)
        CHECK_EQ(plain + transformed, 0);
    }
  everyStorage(argv[2]);
  return checkSummary();
}

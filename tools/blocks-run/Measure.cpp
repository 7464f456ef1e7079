// Measuring: see the header. The allocator's functions are replaced by ones
// that count and call glibc's; the caller's address tells whose call it was.
#include "tools/blocks-run/Measure.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BLOCKS_COUNT_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BLOCKS_COUNT_ALLOCATIONS 0
#endif
#endif
#ifndef BLOCKS_COUNT_ALLOCATIONS
#define BLOCKS_COUNT_ALLOCATIONS 1
#endif

static std::atomic<uint64_t> ownCalls{0}, libraryCalls{0};

#if BLOCKS_COUNT_ALLOCATIONS
extern "C" {
extern char __executable_start, etext;
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

static void count(const void *caller) {
  auto *address = static_cast<const char *>(caller);
  bool own = address >= &__executable_start && address < &etext;
  (own ? ownCalls : libraryCalls).fetch_add(1, std::memory_order_relaxed);
}
#define COUNT_CALL() count(__builtin_return_address(0))

extern "C" {
void *malloc(size_t size) {
  COUNT_CALL();
  return __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
  COUNT_CALL();
  return __libc_calloc(n, size);
}
void *realloc(void *p, size_t size) {
  COUNT_CALL();
  return __libc_realloc(p, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  COUNT_CALL();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  COUNT_CALL();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
}

void *operator new(size_t size) {
  COUNT_CALL();
  if (void *p = __libc_malloc(size ? size : 1))
    return p;
  throw std::bad_alloc();
}
void *operator new[](size_t size) {
  COUNT_CALL();
  if (void *p = __libc_malloc(size ? size : 1))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete[](void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }
void operator delete[](void *p, size_t) noexcept { std::free(p); }
#endif

namespace blocks::cli {

AllocationCounts allocationCounts() {
  return {ownCalls.load(), libraryCalls.load()};
}

/// RssAnon of /proc/self/status in kB, without allocating.
static int64_t readRssAnonKb() {
  char text[4096];
  int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  text[length > 0 ? length : 0] = 0;
  const char *line = std::strstr(text, "RssAnon:");
  return line ? std::atoll(line + 8) : 0;
}

PrivateMemorySampler::PrivateMemorySampler()
    : thread([this] {
        while (!stop.load()) {
          int64_t now = readRssAnonKb();
          if (now > peakKb.load())
            peakKb = now;
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }) {}

PrivateMemorySampler::~PrivateMemorySampler() {
  stop = true;
  thread.join();
}

double peakResidentMb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) * 1024 / 1e6;
}

} // namespace blocks::cli

// Counts the allocations of a test program's own code: a library that it opens,
// such as the emulator, has its own, as any driver. To be included once in a
// program, since it replaces operator new.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

extern "C" char __executable_start, etext;
static std::atomic<int64_t> allocations{0};
void *operator new(size_t bytes) {
  char *caller = static_cast<char *>(__builtin_return_address(0));
  if (caller >= &__executable_start && caller < &etext)
    ++allocations;
  if (void *p = std::malloc(bytes ? bytes : 1))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }

// Hostile: altered configurations, keys, option texts and states give an error
// that says where, or a stream that works; never a signal, an endless loop, or
// an allocation beyond 2 GiB.
//
//   test-fuel-hostile SCRATCH DATA [EACH [SEED]]
//
// EACH mutations of every subject (the suite: 60; the long form is documented
// in docs/fuel.md). They run in processes of their own, 20 at a time, with ten
// seconds for each.
#include "test/fuel/Isolated.h"
#include "test/fuel/Reference.h"
#include "test/fuel/hostile/Subjects.h"

#include <cstdlib>

using hostile::Subject;

namespace {
struct Tally {
  int works = 0, errors = 0, unplaced = 0, noMemory = 0;
  void add(const Tally &part) {
    works += part.works;
    errors += part.errors;
    unplaced += part.unplaced;
    noMemory += part.noMemory;
  }
};

void tryOne(const Subject &subject, uint64_t seed, Tally &tally) {
  fuel::Mt19937 random(seed);
  std::string text = subject.alter(random), place;
  try {
    subject.use(text, place);
    ++tally.works;
  } catch (const std::bad_alloc &) {
    ++tally.noMemory;
    std::fprintf(stderr, "%s: no memory for '%.400s'\n", subject.name.c_str(),
                 text.c_str());
  } catch (const std::exception &error) {
    ++tally.errors;
    std::string message = error.what();
    if (message.find(place) == std::string::npos && ++tally.unplaced <= 3)
      std::fprintf(stderr, "%s: '%s' is not named: %.300s\n",
                   subject.name.c_str(), place.c_str(), message.c_str());
  }
}

/// Mutations [first, last); after a signal, which of them caused it.
void runSome(const Subject &subject, uint64_t seed, int first, int last,
             Tally &total) {
  constexpr size_t gigabyte = size_t(1) << 30;
  Tally part;
  int signal = isolated::run(part, [&](Tally &tally) {
    isolated::limitMemory(2 * gigabyte);
    for (int i = first; i < last; ++i) {
      isolated::allowSeconds(10);
      tryOne(subject, seed * 1000003 + uint64_t(i), tally);
    }
  });
  if (signal == 0)
    return total.add(part);
  if (last - first > 1) {
    for (int i = first; i < last; ++i)
      runSome(subject, seed, i, i + 1, total);
    return;
  }
  fuel::Mt19937 random(seed * 1000003 + uint64_t(first));
  checkFailed(__FILE__, __LINE__,
              subject.name + ": signal " + std::to_string(signal) +
                  " from mutation " + std::to_string(first) + ": '" +
                  subject.alter(random) + "'");
}
} // namespace

int main(int argc, char **argv) {
  int each = argc > 3 ? std::atoi(argv[3]) : 60;
  uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  Tally total;
  for (const Subject &subject : hostile::subjects(argv[1], argv[2])) {
    Tally tally;
    for (int first = 0; first < each; first += 20)
      runSome(subject, seed, first, std::min(first + 20, each), tally);
    std::printf("%-24s %d work, %d errors\n", subject.name.c_str(), tally.works,
                tally.errors);
    total.add(tally);
  }
  std::printf("%d mutations: %d work, %d errors\n", total.works + total.errors,
              total.works, total.errors);
  CHECK_EQ(total.unplaced, 0);
  CHECK_EQ(total.noMemory, 0);
  CHECK(total.works > 0 && total.errors > 0);
  return checkSummary();
}

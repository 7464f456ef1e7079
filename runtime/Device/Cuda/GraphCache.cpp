// Captures and replays: see GraphCache.h.
#include "runtime/Device/Cuda/GraphCache.h"

#include "blocks/Error.h"

#include <algorithm>

namespace blocks::cuda {

namespace {
uint64_t hashOf(size_t entry, std::span<const int64_t> words) {
  uint64_t hash = 0xcbf29ce484222325u ^ entry;
  for (int64_t word : words)
    hash = (hash ^ uint64_t(word)) * 0x100000001b3u;
  return hash;
}

constexpr const char *advice =
    "; BLOCKS_CUDA_GRAPHS=0 in the environment runs without graphs";
} // namespace

GraphCache::GraphCache(std::shared_ptr<CudaDevice> theDevice, bool enabled)
    : device(std::move(theDevice)), enabled(enabled) {}

GraphCache::Record *GraphCache::find(size_t entry,
                                     std::span<const int64_t> arguments) {
  uint64_t hash = hashOf(entry, arguments);
  for (auto it = records.begin(); it != records.end(); ++it)
    if (it->hash == hash && it->entry == entry &&
        std::equal(arguments.begin(), arguments.end(), it->arguments.begin(),
                   it->arguments.end())) {
      records.splice(records.begin(), records, it);
      return &*it;
    }
  return nullptr;
}

void GraphCache::remember(size_t entry, std::span<const int64_t> arguments) {
  if (find(entry, arguments))
    return;
  if (records.size() >= capacity) {
    destroy(records.back());
    records.pop_back();
  }
  Record &record = records.emplace_front();
  record.entry = entry;
  record.hash = hashOf(entry, arguments);
  record.arguments.assign(arguments.begin(), arguments.end());
  record.seen = true;
}

void GraphCache::begin() {
  device->driver().check(
      device->driver().captureBegin(device->compute(), captureThisThread),
      std::string("begin to capture a step as a CUDA graph") + advice);
}

void GraphCache::abandon() noexcept {
  Graph graph = nullptr;
  device->driver().captureEnd(device->compute(), &graph);
  if (graph)
    device->driver().graphDestroy(graph);
}

GraphCache::Record &GraphCache::end(size_t entry,
                                    std::span<const int64_t> arguments) {
  const CudaDriver &driver = device->driver();
  Graph graph = nullptr;
  driver.check(driver.captureEnd(device->compute(), &graph),
               std::string("capture a step as a CUDA graph") + advice);
  Record *record = find(entry, arguments);
  if (!record) // The body cleared the cache, which it must not.
    throw UnsupportedError("memory moved while a step was captured");
  GraphExec executable = nullptr;
  Result result = driver.graphInstantiate(&executable, graph, 0);
  driver.graphDestroy(graph);
  driver.check(result, std::string("prepare a CUDA graph") + advice);
  record->graph = executable;
  return *record;
}

void GraphCache::launch(Record &record) {
  device->driver().check(
      device->driver().graphLaunch(record.graph, device->compute()),
      "start a CUDA graph");
  ++launches;
}

void GraphCache::destroy(Record &record) noexcept {
  if (!record.graph)
    return;
  device->settle();
  device->driver().graphExecDestroy(record.graph);
}

void GraphCache::clear() noexcept {
  for (Record &record : records)
    destroy(record);
  records.clear();
}

size_t GraphCache::graphs() const {
  return size_t(std::count_if(records.begin(), records.end(),
                              [](const Record &r) { return r.graph; }));
}

} // namespace blocks::cuda

// The state behind the driver's interface: one device, its memory, contexts,
// modules, streams, events and graphs. Everything is guarded by one mutex,
// which each entry point holds while it runs.
//
// Work on a stream is queued, and done only when something waits for it
// (cuStreamSynchronize, a query, a copy that must be complete on return): a
// host that reads or reuses memory too early is found out.
#pragma once

#include "../decode/Load.h"
#include "../machine/Launch.h"
#include "Driver.h"
#include "Settings.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace ptxemu {

/// A piece of work of a stream, or a node of a graph.
struct Work {
  enum Kind { kernel = 0, copy = 1, fill = 2, host = 3, empty = 5 };
  Kind kind = empty;
  std::function<void()> run;
  // Of a kernel:
  CUfunction function = nullptr;
  LaunchRequest launch;
};
using WorkPtr = std::shared_ptr<const Work>;

struct Capture;

/// One cuEventRecord, shared by the event and by streams that wait for it.
struct Record {
  CUstream stream = nullptr;
  uint64_t sequence = 0;
  bool done = false;
  uint64_t nanoseconds = 0;
};

} // namespace ptxemu

struct CUctx_st {
  bool primary = false;
  unsigned flags = 0;
};
struct CUfunc_st {
  ptxemu::Code *code = nullptr;
  CUmodule module = nullptr;
  int maxDynamicShared = 48 * 1024;
  int carveout = -1;
};
struct CUmod_st {
  std::unique_ptr<ptxemu::ModuleCode> code;
  std::deque<CUfunc_st> functions;
  unsigned ptxVersion = 0;
};
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  struct Item {
    uint64_t sequence;
    std::function<void()> run;
  };
  std::deque<Item> queue;
  uint64_t nextSequence = 1;
  bool saidNotReady = false;
  std::shared_ptr<ptxemu::Capture> capture;
  std::vector<CUgraphNode> tail; ///< last nodes captured from this stream
  bool blocking() const { return !(flags & 1); }
};
struct CUevent_st {
  unsigned flags = 0;
  std::shared_ptr<ptxemu::Record> record; ///< null: never recorded
  std::shared_ptr<ptxemu::Capture> capture;
  std::vector<CUgraphNode> tail;
};
struct CUgraphNode_st {
  ptxemu::WorkPtr work;
  std::vector<CUgraphNode> dependencies;
  CUgraph graph = nullptr;
  std::vector<void *> params; ///< what cuGraphKernelNodeGetParams points to
};
struct CUgraph_st {
  std::deque<std::unique_ptr<CUgraphNode_st>> nodes; ///< in a valid order
};
struct CUgraphExec_st {
  std::vector<CUgraphNode> nodes; ///< of the graph it was made from
  std::vector<ptxemu::WorkPtr> works;
  std::vector<std::vector<size_t>> dependencies;
};
struct CUmemPoolHandle_st {
  uint64_t releaseThreshold = 0;
};

namespace ptxemu {

/// A capture in progress, shared by the streams that take part.
struct Capture {
  CUgraph graph = nullptr;
  CUstream origin = nullptr;
  int mode = 0; ///< 0 global, 1 thread-local, 2 relaxed
  uint64_t id = 0;
  bool invalidated = false;
  std::set<CUstream> streams;
};

/// An entry point gives up with this code.
struct DriverError {
  CUresult code;
};

/// A set of live handles of one kind.
template <class T> class Handles {
public:
  T *add(std::unique_ptr<T> object) {
    T *handle = object.get();
    objects[handle] = std::move(object);
    return handle;
  }
  T &get(T *handle, CUresult error = CUDA_ERROR_INVALID_HANDLE) const {
    auto found = objects.find(handle);
    if (found == objects.end())
      throw DriverError{error};
    return *found->second;
  }
  bool has(T *handle) const { return objects.count(handle) != 0; }
  void remove(T *handle) { objects.erase(handle); }
  auto begin() const { return objects.begin(); }
  auto end() const { return objects.end(); }
  size_t size() const { return objects.size(); }

private:
  std::map<T *, std::unique_ptr<T>> objects;
};

class Emulator {
public:
  std::recursive_mutex mutex;
  Settings settings;
  bool initialized = false;
  CUresult sticky = CUDA_SUCCESS; ///< of the context, after a fault
  std::string lastReport;
  DeviceMemory memory;
  SharedShadow shadow;
  GlobalRaces globalRaces;
  Handles<CUctx_st> contexts;
  Handles<CUmod_st> modules;
  Handles<CUstream_st> streams;
  Handles<CUevent_st> events;
  Handles<CUgraph_st> graphs;
  Handles<CUgraphExec_st> executables;
  Handles<CUmemPoolHandle_st> pools;
  CUcontext primary = nullptr;
  int primaryUses = 0;
  CUmemoryPool defaultPool = nullptr, currentPool = nullptr;
  CUstream_st defaultStream;
  uint64_t launches = 0;     ///< kernels run so far
  uint64_t captureCount = 0; ///< also the id of the last

  Emulator() : memory(settings.memory) {}

  /// The stream of a handle; the null and legacy handles are the default one.
  CUstream_st &stream(CUstream handle);
  /// Queues work, or adds it to the graph that the stream captures.
  void enqueue(CUstream_st &stream, WorkPtr work);
  void queue(CUstream_st &stream, std::function<void()> run);
  /// Does the work of a stream up to a sequence number.
  void drain(CUstream_st &stream, uint64_t sequence = ~0ull);
  void drainBlocking();
  void drainAll();
  /// Runs a kernel now. A fault becomes the sticky error.
  void run(const LaunchRequest &request);
  void fail(CUresult code, const std::string &report);
  /// Throws when a capture forbids what the caller does.
  void forbidInCapture();
  void invalidate(CUstream_st &stream);
  CUgraphNode addNode(CUgraph graph, WorkPtr work,
                      std::vector<CUgraphNode> dependencies);
};

Emulator &emulator();
CUcontext currentContext();

/// What every entry point does around its own work: the mutex, errors. One
/// that waits for work returns the error which that work has met.
enum class Need { nothing, initialized, context, waits };
template <class F> CUresult entry(Need need, F f) {
  Emulator &e = emulator();
  std::lock_guard lock(e.mutex);
  if (need != Need::nothing && !e.initialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (need >= Need::context && !currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (need >= Need::context && e.sticky)
    return e.sticky;
  try {
    CUresult result = f(e);
    return need == Need::waits && e.sticky ? e.sticky : result;
  } catch (const DriverError &error) {
    return error.code;
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    e.lastReport = error.what();
    return CUDA_ERROR_UNKNOWN;
  }
}

template <class T> T &checked(T *pointer) {
  if (!pointer)
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  return *pointer;
}

} // namespace ptxemu

// Stream capture: what a capturing stream is given becomes nodes of a graph.
#include "Emulator.h"

using namespace ptxemu;

namespace {

/// All nodes that the given ones depend on, and they themselves.
std::set<CUgraphNode> ancestors(const std::vector<CUgraphNode> &nodes) {
  std::set<CUgraphNode> seen;
  std::vector<CUgraphNode> open = nodes;
  while (!open.empty()) {
    CUgraphNode node = open.back();
    open.pop_back();
    if (seen.insert(node).second)
      open.insert(open.end(), node->dependencies.begin(),
                  node->dependencies.end());
  }
  return seen;
}

/// Streams that joined must have been waited for by the origin.
bool isJoined(const Capture &capture) {
  std::set<CUgraphNode> reached = ancestors(capture.origin->tail);
  for (CUstream stream : capture.streams)
    for (CUgraphNode node : stream->tail)
      if (!reached.count(node))
        return false;
  return true;
}

CUresult endCapture(Emulator &e, CUstream_st &stream, CUgraph *graph) {
  if (!stream.capture)
    return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Capture> capture = stream.capture;
  if (capture->origin != &stream)
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  bool joined = isJoined(*capture);
  for (CUstream member : capture->streams) {
    member->capture = nullptr;
    member->tail.clear();
  }
  for (auto &[handle, event] : e.events)
    if (event->capture == capture) {
      event->capture = nullptr;
      event->tail.clear();
    }
  if (!capture->invalidated && joined) {
    checked(graph) = capture->graph;
    return CUDA_SUCCESS;
  }
  e.graphs.remove(capture->graph);
  *graph = nullptr;
  return capture->invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                              : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

int statusOf(const CUstream_st &stream) {
  return !stream.capture ? 0 : stream.capture->invalidated ? 2 : 1;
}

} // namespace

namespace ptxemu {

void Emulator::forbidInCapture() {
  for (auto &[handle, stream] : streams)
    if (stream->capture && stream->capture->mode == 0) {
      invalidate(*stream);
      throw DriverError{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED};
    }
}

void Emulator::invalidate(CUstream_st &stream) {
  if (stream.capture)
    stream.capture->invalidated = true;
}

} // namespace ptxemu

CUDA_API cuStreamBeginCapture_v2(CUstream handle, int mode) {
  return entry(Need::context, [&](Emulator &e) {
    CUstream_st &stream = e.stream(handle);
    if (&stream == &e.defaultStream)
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream.capture)
      return CUDA_ERROR_INVALID_VALUE;
    if (e.settings.fails("capture"))
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    auto capture = std::make_shared<Capture>();
    capture->graph = e.graphs.add(std::make_unique<CUgraph_st>());
    capture->origin = &stream;
    capture->mode = mode;
    capture->id = ++e.captureCount;
    capture->streams = {&stream};
    stream.capture = capture;
    stream.tail.clear();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  return entry(Need::context, [&](Emulator &e) {
    return endCapture(e, e.stream(stream), graph);
  });
}

CUDA_API cuStreamIsCapturing(CUstream stream, int *status) {
  return entry(Need::context, [&](Emulator &e) {
    checked(status) = statusOf(e.stream(stream));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamGetCaptureInfo_v2(CUstream handle, int *status, uint64_t *id,
                                   CUgraph *graph,
                                   const CUgraphNode **dependencies,
                                   size_t *count) {
  return entry(Need::context, [&](Emulator &e) {
    CUstream_st &stream = e.stream(handle);
    checked(status) = statusOf(stream);
    if (!stream.capture)
      return CUDA_SUCCESS;
    if (id)
      *id = stream.capture->id;
    if (graph)
      *graph = stream.capture->graph;
    if (dependencies)
      *dependencies = stream.tail.data();
    if (count)
      *count = stream.tail.size();
    return CUDA_SUCCESS;
  });
}

/// Version 3 has edge data between the dependencies and their number.
CUDA_API cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id,
                                   CUgraph *graph,
                                   const CUgraphNode **dependencies,
                                   const void **edges, size_t *count) {
  if (edges)
    *edges = nullptr;
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies,
                                   count);
}

CUDA_API cuThreadExchangeStreamCaptureMode(int *mode) {
  return entry(Need::initialized, [&](Emulator &) {
    thread_local int current = 0;
    std::swap(current, checked(mode));
    return CUDA_SUCCESS;
  });
}

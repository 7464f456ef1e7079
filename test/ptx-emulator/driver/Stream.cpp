// Streams, events and host functions.
#include "Emulator.h"

#include <chrono>

using namespace ptxemu;

namespace {

uint64_t now() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

CUresult makeStream(CUstream *stream, unsigned flags, int priority) {
  return entry(Need::context, [&](Emulator &e) {
    if (flags > 1)
      return CUDA_ERROR_INVALID_VALUE;
    CUstream made = e.streams.add(std::make_unique<CUstream_st>());
    made->flags = flags;
    made->priority = priority;
    checked(stream) = made;
    return CUDA_SUCCESS;
  });
}

/// Waiting on a capturing stream is an error that ends the capture.
void forbidCapturing(Emulator &e, CUstream_st &stream) {
  if (!stream.capture)
    return;
  e.invalidate(stream);
  throw DriverError{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED};
}

/// The work that a recorded event stands for has been done.
void await(Emulator &e, const std::shared_ptr<Record> &record) {
  if (!record || record->done)
    return;
  auto value = reinterpret_cast<uintptr_t>(record->stream);
  if (value <= 2)
    e.drain(e.defaultStream, record->sequence);
  else if (e.streams.has(record->stream))
    e.drain(*record->stream, record->sequence);
}

void forbidCaptured(const CUevent_st &event) {
  if (event.capture)
    throw DriverError{CUDA_ERROR_CAPTURED_EVENT};
}

CUresult record(Emulator &e, CUevent event, CUstream handle) {
  CUevent_st &to = e.events.get(event);
  CUstream_st &stream = e.stream(handle);
  if (stream.capture) {
    to.capture = stream.capture;
    to.tail = stream.tail;
    return CUDA_SUCCESS;
  }
  to.capture = nullptr;
  auto record = std::make_shared<Record>();
  record->stream = &stream == &e.defaultStream ? nullptr : &stream;
  record->sequence = stream.nextSequence;
  to.record = record;
  e.queue(stream, [record] {
    record->done = true;
    record->nanoseconds = now();
  });
  return CUDA_SUCCESS;
}

/// A stream that waits for a captured event joins its capture.
void joinCapture(CUstream_st &stream, const CUevent_st &event) {
  if (stream.capture && stream.capture != event.capture)
    throw DriverError{CUDA_ERROR_STREAM_CAPTURE_MERGE};
  if (!stream.capture) {
    stream.capture = event.capture;
    stream.tail.clear();
    stream.capture->streams.insert(&stream);
  }
  for (CUgraphNode node : event.tail)
    stream.tail.push_back(node);
}

CUresult elapsed(Emulator &e, float *milliseconds, CUevent start, CUevent end) {
  CUevent_st &from = e.events.get(start), &to = e.events.get(end);
  if (!from.record || !to.record || (from.flags & 2) || (to.flags & 2))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!from.record->done || !to.record->done)
    return CUDA_ERROR_NOT_READY;
  checked(milliseconds) =
      float(double(to.record->nanoseconds) - double(from.record->nanoseconds)) *
      1e-6f;
  return CUDA_SUCCESS;
}

} // namespace

CUDA_API cuStreamCreate(CUstream *stream, unsigned flags) {
  return makeStream(stream, flags, 0);
}

CUDA_API cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                    int priority) {
  return makeStream(stream, flags, priority);
}

CUDA_API cuStreamDestroy_v2(CUstream stream) {
  return entry(Need::waits, [&](Emulator &e) {
    CUstream_st &gone = e.streams.get(stream);
    if (gone.capture) {
      e.invalidate(gone);
      gone.capture->streams.erase(&gone);
    }
    e.drain(gone);
    e.streams.remove(stream);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamSynchronize(CUstream handle) {
  return entry(Need::waits, [&](Emulator &e) {
    CUstream_st &stream = e.stream(handle);
    forbidCapturing(e, stream);
    if (&stream == &e.defaultStream)
      e.drainBlocking();
    e.drain(stream);
    return CUDA_SUCCESS;
  });
}

/// The first question about unfinished work is answered with "not ready", and
/// gets it done.
CUDA_API cuStreamQuery(CUstream handle) {
  return entry(Need::waits, [&](Emulator &e) {
    CUstream_st &stream = e.stream(handle);
    forbidCapturing(e, stream);
    if (!stream.queue.empty() && !stream.saidNotReady) {
      stream.saidNotReady = true;
      return CUDA_ERROR_NOT_READY;
    }
    e.drain(stream);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamGetFlags(CUstream stream, unsigned *flags) {
  return entry(Need::context, [&](Emulator &e) {
    checked(flags) = e.stream(stream).flags;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamGetPriority(CUstream stream, int *priority) {
  return entry(Need::context, [&](Emulator &e) {
    checked(priority) = e.stream(stream).priority;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamGetCtx(CUstream, CUcontext *context) {
  return entry(Need::context, [&](Emulator &) {
    checked(context) = currentContext();
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamWaitEvent(CUstream handle, CUevent event, unsigned) {
  return entry(Need::context, [&](Emulator &e) {
    CUstream_st &stream = e.stream(handle);
    CUevent_st &on = e.events.get(event);
    if (on.capture) {
      joinCapture(stream, on);
      return CUDA_SUCCESS;
    }
    if (stream.capture) {
      if (!on.record)
        return CUDA_SUCCESS;
      e.invalidate(stream);
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (auto record = on.record)
      e.queue(stream, [record] { await(emulator(), record); });
    return CUDA_SUCCESS;
  });
}

CUDA_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return entry(Need::context, [&](Emulator &e) {
    checked(&function);
    auto work = std::make_shared<Work>();
    work->kind = Work::host;
    work->run = [=] { function(data); };
    e.enqueue(e.stream(stream), work);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuStreamAddCallback(CUstream handle,
                             void (*callback)(CUstream, CUresult, void *),
                             void *data, unsigned) {
  return entry(Need::context, [&](Emulator &e) {
    e.queue(e.stream(handle),
            [=] { callback(handle, emulator().sticky, data); });
    return CUDA_SUCCESS;
  });
}

CUDA_API cuEventCreate(CUevent *event, unsigned flags) {
  return entry(Need::context, [&](Emulator &e) {
    CUevent made = e.events.add(std::make_unique<CUevent_st>());
    made->flags = flags;
    checked(event) = made;
    return CUDA_SUCCESS;
  });
}

CUDA_API cuEventDestroy_v2(CUevent event) {
  return entry(Need::context, [&](Emulator &e) {
    e.events.get(event);
    e.events.remove(event);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuEventRecord(CUevent event, CUstream stream) {
  return entry(Need::context,
               [&](Emulator &e) { return record(e, event, stream); });
}

CUDA_API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  return cuEventRecord(event, stream);
}

CUDA_API cuEventSynchronize(CUevent event) {
  return entry(Need::waits, [&](Emulator &e) {
    CUevent_st &of = e.events.get(event);
    forbidCaptured(of);
    await(e, of.record);
    return CUDA_SUCCESS;
  });
}

CUDA_API cuEventQuery(CUevent event) {
  return entry(Need::waits, [&](Emulator &e) {
    CUevent_st &of = e.events.get(event);
    forbidCaptured(of);
    if (!of.record || of.record->done)
      return CUDA_SUCCESS;
    await(e, of.record); // done for the next question
    return CUDA_ERROR_NOT_READY;
  });
}

CUDA_API cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return entry(Need::context, [&](Emulator &e) {
    return elapsed(e, milliseconds, start, end);
  });
}
CUDA_API cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                               CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

// Queues, kernels and faults of the emulated device.
#include "Emulator.h"

#include <chrono>
#include <cstdio>

namespace ptxemu {

Emulator &emulator() {
  // Never destroyed: the host may still call in its own destructors.
  static Emulator *instance = new Emulator;
  return *instance;
}

CUstream_st &Emulator::stream(CUstream handle) {
  auto value = reinterpret_cast<uintptr_t>(handle);
  return value <= 2 ? defaultStream : streams.get(handle);
}

void Emulator::enqueue(CUstream_st &to, WorkPtr work) {
  if (to.capture) {
    if (to.capture->invalidated)
      throw DriverError{CUDA_ERROR_STREAM_CAPTURE_INVALIDATED};
    to.tail = {addNode(to.capture->graph, std::move(work), to.tail)};
    return;
  }
  queue(to, [work = std::move(work)] { work->run(); });
}

/// The default stream waits for the blocking ones and does its work at once.
void Emulator::queue(CUstream_st &to, std::function<void()> run) {
  if (&to == &defaultStream) {
    for (auto &[handle, other] : streams)
      if (other->capture && other->blocking() && other->capture->mode != 2) {
        invalidate(*other);
        throw DriverError{CUDA_ERROR_STREAM_CAPTURE_IMPLICIT};
      }
    drainBlocking();
  }
  to.queue.push_back({to.nextSequence++, std::move(run)});
  to.saidNotReady = false;
  if (&to == &defaultStream || settings.eager)
    drain(to);
}

void Emulator::drain(CUstream_st &from, uint64_t sequence) {
  while (!from.queue.empty() && from.queue.front().sequence <= sequence) {
    std::function<void()> run = std::move(from.queue.front().run);
    from.queue.pop_front();
    if (!sticky)
      run();
  }
}

void Emulator::drainBlocking() {
  for (auto &[handle, stream] : streams)
    if (stream->blocking())
      drain(*stream);
}

void Emulator::drainAll() {
  drain(defaultStream);
  for (auto &[handle, stream] : streams)
    drain(*stream);
}

void Emulator::fail(CUresult code, const std::string &report) {
  sticky = code;
  lastReport = report;
  std::fprintf(stderr, "ptx emulator: %s\n", report.c_str());
}

namespace {

CUresult codeOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::address:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case FaultKind::misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case FaultKind::instruction:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case FaultKind::assertion:
    return CUDA_ERROR_ASSERT;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

} // namespace

void Emulator::run(const LaunchRequest &request) {
  ++launches;
  if (settings.fails("fault"))
    return fail(CUDA_ERROR_ILLEGAL_ADDRESS,
                "fault in kernel '" + request.code->name +
                    "', asked for by BLOCKS_PTX_EMULATOR_FAIL");
  auto begin = std::chrono::steady_clock::now();
  Launch launch(request, memory, settings.checks, shadow);
  launch.stepLimit = settings.stepLimit;
  if (settings.checks.globalRaces) {
    globalRaces.startLaunch();
    launch.globalRaces = &globalRaces;
  }
  try {
    launch.run();
  } catch (const Fault &fault) {
    return fail(codeOf(fault.kind), fault.what());
  }
  if (settings.profile)
    std::fprintf(stderr, "ptx emulator: %9.3f ms  %s\n",
                 secondsSince(begin) * 1e3, request.code->name.c_str());
  if (launch.findings.empty())
    return;
  std::string report;
  for (const std::string &finding : launch.findings)
    report += (report.empty() ? "" : "\n") + finding;
  if (launch.findingCount > launch.findings.size())
    report += "\nand " +
              std::to_string(launch.findingCount - launch.findings.size()) +
              " more";
  if (!settings.checks.warnOnly)
    return fail(CUDA_ERROR_LAUNCH_FAILED, report);
  lastReport = report;
  std::fprintf(stderr, "ptx emulator: %s\n", report.c_str());
}

} // namespace ptxemu

/// The text of the last fault or finding; empty when there was none.
CUDA_EXPORT const char *ptxemuLastReport() {
  return ptxemu::emulator().lastReport.c_str();
}

/// Tells the emulator about a suballocation: live from now on, or dead. Once an
/// allocation has such parts, kernels may touch nothing else of it.
CUDA_API ptxemuMarkPart(CUdeviceptr address, size_t size, int live) {
  return ptxemu::entry(ptxemu::Need::context, [&](ptxemu::Emulator &e) {
    return e.memory.markPart(address, size, live) ? CUDA_SUCCESS
                                                  : CUDA_ERROR_INVALID_VALUE;
  });
}

/// Kernels run so far.
CUDA_EXPORT unsigned long long ptxemuLaunchCount() {
  return ptxemu::emulator().launches;
}

// Results of a run: see CudaOutputs.h.
#include "runtime/Program/CudaOutputs.h"

#include <cstring>

namespace blocks {

using namespace cuda;

namespace {
/// The record as kernels see it: see blocks_rt_status.
struct StatusRecord {
  int64_t present, site, row, value, limit;
};
} // namespace

CudaOutputs::CudaOutputs(std::shared_ptr<CudaDevice> theDevice)
    : device(std::move(theDevice)), gpu(device), host(device) {}

void CudaOutputs::begin() {
  parts.clear();
  length = alignUp(sizeof(StatusRecord));
}

void CudaOutputs::add(size_t bytes) {
  parts.push_back({length, bytes});
  length += alignUp(bytes);
}

bool CudaOutputs::end(const std::string &entry) {
  host.reserve(length);
  if (gpu.holds(length))
    return false;
  return gpu.reserve(length, "the outputs of entry '" + entry + "'");
}

DevicePointer CudaOutputs::address(size_t i) const {
  return gpu.address() + parts[i].offset;
}

void CudaOutputs::clearStatus() {
  device->driver().check(device->driver().fillBytes(gpu.address(), 0,
                                                    sizeof(StatusRecord),
                                                    device->compute()),
                         "clear the status record on the GPU");
}

// All in one copy: what lies between the outputs is less than a further one
// would cost.
void CudaOutputs::fetch() {
  const CudaDriver &driver = device->driver();
  driver.check(
      driver.copyToHost(host.data(), gpu.address(), length, device->compute()),
      "copy the outputs from the GPU");
}

BlocksReport CudaOutputs::report() const {
  StatusRecord record;
  std::memcpy(&record, host.data(), sizeof record);
  return {record.present != 0, record.site, record.row, record.value,
          record.limit};
}

void CudaOutputs::store(size_t i, Array &output) const {
  if (parts[i].bytes)
    std::memcpy(output.data(), host.data() + parts[i].offset, parts[i].bytes);
}

} // namespace blocks

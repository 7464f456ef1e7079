// CudaStep: the functions of StepABI.h on a GPU (DeviceStep): the arena,
// kernels by their number, products, and the status record. Everything goes to
// the device's compute stream, in order.
#pragma once

#include "runtime/Device/Cuda/CudaBuffers.h"
#include "runtime/Device/Cuda/CudaModule.h"
#include "runtime/Device/Cuda/GraphCache.h"
#include "runtime/Device/Cuda/Products.h"

namespace blocks::cuda {

/// What the environment and the caller decide.
struct StepSettings {
  bool tf32 = false;
  /// Replays steps as CUDA graphs; BLOCKS_CUDA_GRAPHS=0 turns it off.
  bool graphs = true;
  /// Waits for each kernel, so that an error names the right one:
  /// BLOCKS_CUDA_BLOCKING=1. Without graphs.
  bool blocking = false;
  static StepSettings fromEnvironment(bool tf32);
};

/// A kernel by its number in launches.
struct NamedKernel {
  std::string name;
  Function function = nullptr;
};

class CudaStep : public DeviceStep {
public:
  /// `first` are the user's kernels, which live elsewhere and longer; those of
  /// the text have the numbers behind them.
  /// `image` is made of the text, or empty.
  CudaStep(std::shared_ptr<CudaDevice> device, std::string_view text,
           std::vector<std::string> kernels, const StepSettings &settings,
           std::vector<NamedKernel> first = {}, std::string_view image = {});

  void *arena(int64_t bytes) override;
  void *status() override { return reinterpret_cast<void *>(statusRecord); }
  void launch(const KernelLaunch &launch) override;
  void gemm(const GemmArguments<float> &arguments,
            const GemmStack &stack) override;
  void gemm(const GemmArguments<double> &arguments,
            const GemmStack &stack) override;
  void gemm(const RoundedGemm &arguments, const GemmStack &stack) override;
  void gemm(const GemmArguments<float> &arguments,
            const GemmEpilogue &epilogue) override;
  void gemm(const RoundedGemm &arguments,
            const GemmEpilogue &epilogue) override;

  /// Where the status record is, and what to call the entry in errors.
  void begin(DevicePointer record, const std::string &entry);
  /// Waits for the work since; throws if some of it failed.
  void finish() const;
  GraphCache &graphs() { return graphCache; }
  int64_t largestArena() const { return largest; }
  /// True if the kernels were loaded as the GPU's own code.
  bool runsImage() const { return module.isImage(); }
  /// Why products are slow, or empty.
  const std::string &notice() const { return products.notice(); }
  /// Why each of their epilogues is a launch, or empty.
  const std::string &epilogueNotice() const {
    return products.epilogueNotice();
  }

private:
  void checkLaunch(Result result, const KernelLaunch &launch) const;
  void waitFor(const std::string &work) const;
  template <typename Product, typename Further>
  void multiply(const Product &product, const Further &further);
  void allowShared(size_t kernel, int64_t bytes);

  std::shared_ptr<CudaDevice> device;
  StepSettings settings;
  CudaModule module;
  std::vector<NamedKernel> kernels; ///< By number.
  Products products;
  DeviceBuffer arenaBuffer;
  GraphCache graphCache;
  std::vector<int64_t> sharedAllowed; ///< By kernel.
  DevicePointer statusRecord = 0;
  const std::string *entryName = nullptr;
  int64_t largest = 0;
};

} // namespace blocks::cuda

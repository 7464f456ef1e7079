// See DeviceModule.h.
#include "lib/Conversion/LinalgToGpu/DeviceModule.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>

using namespace mlir;

namespace blocks {

DeviceModule::DeviceModule(ModuleOp host) : host(host) {
  auto user = host->getAttrOfType<ArrayAttr>(kUserKernelsAttr);
  userKernels = user ? int64_t(user.size()) : 0;
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  device = ModuleOp::create(builder, host.getLoc(), kDeviceModule);
}

int64_t DeviceModule::add(func::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel.print(stream, OpPrintingFlags().useLocalScope());
  auto [place, isNew] = kernels.try_emplace(text, int64_t(kernels.size()));
  if (!isNew) {
    kernel.erase();
    return userKernels + place->second;
  }
  kernel.setName("kernel_" + std::to_string(place->second));
  kernel->setAttr(kKernelAttr, UnitAttr::get(kernel.getContext()));
  device.getBody()->push_back(kernel);
  return userKernels + place->second;
}

void DeviceModule::declareShared() {
  if (device.lookupSymbol(kSharedMemory))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(device.getBody());
  // Without a size: each launch gives its own.
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), 0);
  LLVM::GlobalOp::create(builder, device.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, kSharedMemory, Attribute(),
                         /*alignment=*/16,
                         unsigned(NVVM::NVVMMemorySpace::Shared));
}

void DeviceModule::copyGlobal(Operation *global) {
  StringRef name = cast<SymbolOpInterface>(global).getName();
  if (device.lookupSymbol(name))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(device.getBody());
  builder.clone(*global);
}

func::FuncOp DeviceModule::declareOnHost(StringRef name, TypeRange arguments,
                                         TypeRange results) {
  if (auto known = host.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(host.getBody());
  auto function =
      func::FuncOp::create(builder, host.getLoc(), name,
                           builder.getFunctionType(arguments, results));
  function.setPrivate();
  return function;
}

} // namespace blocks

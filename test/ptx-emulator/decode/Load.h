// From a PTX text to code that can run: parsing, placing the variables in
// device and shared memory, decoding every function.
#pragma once

#include "../machine/Code.h"
#include "../machine/DeviceMemory.h"
#include "../ptx/Ptx.h"

#include <memory>

namespace ptxemu {

/// Throws PtxError. The variables live in `memory` until `unloadModule`.
std::unique_ptr<ModuleCode>
loadModule(const Module &module, const std::string &text, DeviceMemory &memory);
void unloadModule(const ModuleCode &module, DeviceMemory &memory);

} // namespace ptxemu

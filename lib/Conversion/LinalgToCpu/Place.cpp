// brickOf, emitNoForm: see the header.
#include "lib/Conversion/LinalgToCpu/Place.h"

using namespace mlir;

namespace blocks {

std::string brickOf(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  return name && name.getName().getValue().starts_with("/")
             ? " in brick " + name.getName().str()
             : "";
}

InFlightDiagnostic emitNoForm(Operation *op) {
  return emitError(op->getLoc()) << "internal error: '" << op->getName() << "'"
                                 << brickOf(op->getLoc()) << ": ";
}

std::string noFormAdvice(StringRef alternative) {
  return ("; " + alternative +
          ", and report this with the model: it is a fault of the compiler, "
          "not of the model")
      .str();
}

} // namespace blocks

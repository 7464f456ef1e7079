//===- ConvertToF64.cpp - f32 to f64, for gradient checks -----------------===//
//
// Finite differences need double precision. Every f32 in types, constants and
// signatures becomes f64; casts between the two become casts of f64 to itself.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/Passes.h"

#include <mlir/IR/AttrTypeSubElements.h>

namespace blocks {
#define GEN_PASS_DEF_CONVERTTOF64
#include "lib/Autodiff/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

llvm::APFloat toDouble(llvm::APFloat value) {
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

std::optional<Attribute> convertElements(DenseElementsAttr elements) {
  if (!elements.getElementType().isF32())
    return std::nullopt;
  Type f64 = Float64Type::get(elements.getContext());
  return elements.mapValues(f64, [](const llvm::APFloat &value) {
    return toDouble(value).bitcastToAPInt();
  });
}

struct ConvertToF64 : impl::ConvertToF64Base<ConvertToF64> {
  void runOnOperation() override {
    Type f64 = Float64Type::get(&getContext());
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](Float32Type) -> Type { return f64; });
    replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
      if (!attr.getType().isF32())
        return std::nullopt;
      return FloatAttr::get(f64, toDouble(attr.getValue()));
    });
    replacer.addReplacement(convertElements);
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};

} // namespace
} // namespace blocks

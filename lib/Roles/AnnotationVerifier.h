//===- AnnotationVerifier.h - No pass loses an annotation -----------------===//
//
// A pass instrumentation, on in the tests by `blocks-opt --verify-annotations`:
// it counts the live annotations (entry, call path, brick, application, name,
// roles) before and after each pass, and reports those that a pass lost or
// made without having said so (AnnotationEffects.h).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_ROLES_ANNOTATIONVERIFIER_H
#define LIB_ROLES_ANNOTATIONVERIFIER_H

#include <memory>
#include <mlir/Pass/PassInstrumentation.h>

namespace blocks {

std::unique_ptr<mlir::PassInstrumentation> createAnnotationVerifier();

} // namespace blocks

#endif

//===- AnnotationEffects.h - What a pass does to annotations --------------===//
//
// A pass that adds or retires annotations says so by inheriting from this
// besides its generated base; AnnotationVerifier asks it. A pass that does not
// inherit keeps every annotation.
//
//   class DropoutPass : public impl::DropoutBase<DropoutPass>,
//                       public AnnotationEffects {
//     bool adds(AnnotationAttr a) const override {
//       return a.getRoles().has(Role::Dropout);
//     }
//
//===----------------------------------------------------------------------===//
#ifndef LIB_ROLES_ANNOTATIONEFFECTS_H
#define LIB_ROLES_ANNOTATIONEFFECTS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

class AnnotationEffects {
public:
  virtual ~AnnotationEffects() = default;
  /// True if the pass may create this annotation.
  virtual bool adds(AnnotationAttr) const { return false; }
  /// True if the pass may let go of this annotation.
  virtual bool retires(AnnotationAttr) const { return false; }
};

} // namespace blocks

#endif

// BuiltIn: the families of transformers, each of which adds itself to a
// registry; and the options that many have.
#pragma once

#include "fuel/Registry.h"

namespace fuel {

void addElementKinds(Registry &registry);     ///< Elements in place.
void addShapeKinds(Registry &registry);       ///< Shapes and labels.
void addSourceKinds(Registry &registry);      ///< Names and choice of sources.
void addItemKinds(Registry &registry);        ///< Filters, order in a batch.
void addBatchingKinds(Registry &registry);    ///< Examples to batches and back.
void addSequenceKinds(Registry &registry);    ///< Padding, windows, n-grams.
void addCropKinds(Registry &registry);        ///< Parts of images.
void addImageKinds(Registry &registry);       ///< Decoding, scaling, turning.
void addStandardizeKinds(Registry &registry); ///< Statistics of the data.

inline TransformerKind::Option whichOption() {
  return {"which", "all", "the sources to change: a+b"};
}
inline TransformerKind::Option seedOption() {
  return {"seed", "1", "seed of its random numbers"};
}

} // namespace fuel

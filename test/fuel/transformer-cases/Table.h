// Table: how each of the reference's transformer cases is made here.
#pragma once

#include "test/fuel/transformer-cases/Inputs.h"

#include <map>

namespace cases {

struct Case {
  /// Makes the stream, transformers included.
  std::function<Stream()> make;
  /// Part of the error, where the reference has one; where it has none but a
  /// result, nothing. Some of Fuel's errors are ours to give earlier.
  std::string error = "";
  /// The reference keeps all items of an epoch, or the first ones.
  bool whole = true;
};

/// By the reference's names; `data` is the folder of the reference data.
std::map<std::string, Case> table(const std::string &data);

/// The images of crop_ndarray_seed3 as i32, under the same crop.
Stream croppedIntegers();

} // namespace cases

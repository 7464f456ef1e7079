// MatFile: reads MATLAB's files of versions 5 to 7: arrays of numbers, texts
// and structures, compressed or not, of either byte order. Numbers are streamed
// in the file's order, the first axis fastest, so that an array need not fit
// into memory. (Files of version 7.3 are HDF5.)
#pragma once

#include "fuel/Converters/MatStream.h"

#include "blocks/Array.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fuel {

struct MatVariable {
  enum class Kind : uint8_t { Numbers, Text, Structure, Other };
  std::string name;
  Kind kind = Kind::Other;
  blocks::Shape shape;
  uint64_t offset = 0; ///< Of its element in the file.
};

/// A part of a value: a structure's field, or a variable read whole.
struct MatValue {
  MatVariable::Kind kind = MatVariable::Kind::Other;
  blocks::Shape shape;
  std::vector<double> numbers;
  std::string text;
  /// Of a structure: names, and for each of its elements as many values.
  std::vector<std::string> fieldNames;
  std::vector<MatValue> fields;
};

class MatFile {
public:
  /// Lists the variables. `where` names the bytes, which must outlive this, in
  /// errors. Throws CorruptError if they are no such file.
  MatFile(std::span<const std::byte> bytes, std::string where);

  const std::vector<MatVariable> &variables() const { return table; }
  /// InputError that lists what there is, unless there is one of `kind`.
  const MatVariable &find(const std::string &name,
                          MatVariable::Kind kind) const;
  /// "variable 'X' of 'train_32x32.mat'".
  std::string describe(const MatVariable &variable) const;

  /// Reads a variable's numbers piece by piece.
  class Numbers {
  public:
    /// How they are stored.
    blocks::DType dtype() const { return storedType; }
    /// The next `count` numbers as doubles, or as bytes; InputError if one of
    /// them is no whole number from 0 to 255.
    void read(double *out, size_t count);
    void read(uint8_t *out, size_t count);

  private:
    friend class MatFile;
    std::unique_ptr<MatStream> stream;
    std::string where;
    blocks::DType storedType = blocks::DType::UInt8;
    bool swapped = false;
    std::vector<std::byte> buffer;
  };
  Numbers numbers(const MatVariable &variable) const;

  /// A variable as a whole. CorruptError if it has more than 64 MiB.
  MatValue read(const MatVariable &variable) const;

private:
  std::unique_ptr<MatStream> open(uint64_t offset) const;
  std::span<const std::byte> bytes;
  std::string where;
  bool swapped = false;
  std::vector<MatVariable> table;
};

} // namespace fuel

// Inputs: the streams that the reference's transformer cases start from. The
// small ones are made in memory, with the values that the cases name.
#pragma once

#include "fuel/DataStream.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cases {

using Stream = std::unique_ptr<fuel::DataStream>;
/// Stands for a stream of single examples where a batch size is expected.
constexpr int64_t examples = 0;

/// x = arange(24) as f32 (6, 2, 2), y = arange(6) as i64 (6, 1), labelled.
Stream labelled(int64_t batchSize);
/// x = 0 … 9, y = 10 x, i64, without labels.
Stream numbers(int64_t batchSize);
/// features = [1 2 3] [4 5] [6 … 10] [11] [12 13], targets = arange(2 length)
/// as f32 (length, 2).
Stream sequences(int64_t batchSize);
/// data = [1 … 5] [6 7] [8 … 11], example by example.
Stream lists();
/// x = [1] [2 3] [4 5 6], example by example.
Stream shortLists();
/// im = arange(9 * 3 * 7 * 5) % 251 as (9, 3, 7, 5) of `dtype`, with labels.
Stream images(int64_t batchSize,
              std::vector<std::string> labels = {"batch", "channel", "height",
                                                 "width"},
              blocks::DType dtype = blocks::DType::UInt8);
/// One source of one example: a row of numbers.
Stream row(blocks::DType dtype, const std::vector<double> &values);
/// a = 0 1 2 as f64, b = 0 1 2 as i64.
Stream floatsAndIntegers();
/// A source of i64 examples.
Stream scalars(const std::string &name, const std::vector<int64_t> &values,
               int64_t batchSize);
/// A file in order.
Stream file(const std::string &path, int64_t batchSize,
            std::vector<std::string> sources = {});

} // namespace cases

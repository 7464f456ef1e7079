// Table: see Table.h. Transformers in writing, as in a command line; filters,
// mappings and sorting by functions.
#include "test/fuel/transformer-cases/Table.h"

#include "fuel/Streams.h"
#include "fuel/Transformers.h"

#include <numeric>

namespace cases {

using namespace fuel;
using blocks::DType;
using Names = std::vector<std::string>;

namespace {
/// `make`'s stream under the transformers.
std::function<Stream()> chain(std::function<Stream()> make, Names texts) {
  return [make = std::move(make), texts = std::move(texts)] {
    Stream stream = make();
    for (const std::string &text : texts)
      stream = transform(std::move(stream), text);
    return stream;
  };
}

std::function<Stream()> of(Stream (*make)(int64_t), int64_t batchSize,
                           Names texts) {
  return chain([=] { return make(batchSize); }, std::move(texts));
}

std::function<Stream()> under(std::function<Stream()> make, MakeLayer layer) {
  return [make = std::move(make), layer = std::move(layer)] {
    return addLayer(make(), layer);
  };
}

std::function<Stream()> filtered(int64_t batchSize,
                                 std::function<bool(const Batch &)> keep) {
  return under([=] { return labelled(batchSize); },
               [=](std::unique_ptr<Layer> inner) {
                 return filterLayer(std::move(inner), keep);
               });
}

std::function<Stream()> mapped(std::vector<SourceInfo> made, bool add,
                               Mapping map) {
  return under([] { return numbers(5); },
               [=](std::unique_ptr<Layer> inner) {
                 return mappingLayer(std::move(inner), map, made, add);
               });
}

std::function<Stream()> sorted(bool reverse) {
  return under([] { return sequences(5); },
               [=](std::unique_ptr<Layer> inner) {
                 return sortLayer(
                     std::move(inner),
                     [](const Batch &batch, int64_t i) {
                       return double(batch.items[0].size(i));
                     },
                     reverse);
               });
}

const SourceInfo x{"x", DType::Int64, {-1}, {}};
const SourceInfo y{"y", DType::Int64, {-1}, {}};
const SourceInfo sum{"sum", DType::Int64, {-1}, {}};

/// The sum of an i64 source.
int64_t total(const Batch &batch, size_t source) {
  const int64_t *values = batch.sources[source].as<int64_t>();
  return std::accumulate(values, values + batch.sources[source].size(),
                         int64_t(0));
}

void appendNinetyNine(const Batch &in, Batch &out) {
  int64_t count = in.sources[0].size();
  out.sources[0].resize(DType::Int64, {count + 1});
  std::copy_n(in.sources[0].as<int64_t>(), count, out.sources[0].as<int64_t>());
  out.sources[0].as<int64_t>()[count] = 99;
}

void swapBoth(const Batch &in, Batch &out) {
  for (size_t i : {0, 1}) {
    out.sources[i].resize(DType::Int64, in.sources[1 - i].shape());
    std::copy_n(in.sources[1 - i].as<int64_t>(), in.sources[1 - i].size(),
                out.sources[i].as<int64_t>());
  }
}

void addBoth(const Batch &in, Batch &out) {
  out.sources[0].resize(DType::Int64, in.sources[0].shape());
  for (int64_t i = 0; i < in.sources[0].size(); ++i)
    out.sources[0].as<int64_t>()[i] =
        in.sources[0].as<int64_t>()[i] + in.sources[1].as<int64_t>()[i];
}

std::function<Stream()> merged(int64_t first, int64_t second, Names names) {
  return [=] {
    std::vector<Stream> parts;
    parts.push_back(scalars("data", {1, 2}, first));
    parts.push_back(scalars("data", {10, 20, 30}, second));
    return mergeStreams(std::move(parts), names);
  };
}

//===-- Families ----------------------------------------------------------===//

using Table = std::map<std::string, Case>;

void addElements(Table &cases, const std::string &data) {
  std::string mnist = data + "/mnist_small.hdf5";
  auto digits = [mnist] { return file(mnist, 20); };
  std::string scale = "scale_and_shift(scale=1/255,shift=0,which=features)";
  cases["mnist_default_stream_floatX_float32"] = {
      chain(digits, {scale, "cast(dtype=f32,which=features)"}), "", false};
  cases["mnist_default_stream_floatX_float64"] = {
      chain(digits, {scale, "cast(dtype=f64,which=features)"}), "", false};
  cases["flatten_batch"] = {
      chain([mnist] { return file(mnist, 8); }, {"flatten(which=features)"}),
      "", false};
  cases["flatten_example"] = {chain([mnist] { return file(mnist, examples); },
                                    {"flatten(which=features)"}),
                              "", false};
  cases["scale_shift_f32"] = {
      of(labelled, 4, {"scale_and_shift(scale=2,shift=-1,which=x)"})};
  cases["scale_shift_f32_pyfloat"] = {
      of(labelled, 4, {"scale_and_shift(scale=0.1,shift=0.5)"})};
  cases["scale_shift_u8"] = {
      chain([] { return row(DType::UInt8, {0, 1, 254, 255}); },
            {"scale_and_shift(scale=1/255,shift=0)"})};
  cases["scale_shift_u8_int"] = {
      chain([] { return row(DType::UInt8, {0, 100, 200, 255}); },
            {"scale_and_shift(scale=2,shift=0)"})};
  cases["cast"] = {
      chain([] { return row(DType::Float64, {-1.7, -0.5, 0.5, 1.9, 300.7}); },
            {"cast(dtype=int32)"})};
  cases["cast_floatX"] = {of(labelled, 6, {"cast(dtype=float32)"})};
  cases["force_floatX"] = {chain(floatsAndIntegers, {"force_floatX"})};
}

void addItems(Table &cases) {
  cases["filter_examples"] = {filtered(
      examples, [](const Batch &batch) { return total(batch, 1) % 2 == 0; })};
  cases["filter_batches"] = {
      filtered(2, [](const Batch &batch) { return total(batch, 1) > 2; })};
  // Fuel's result lacks one of the declared sources; ours declares one.
  cases["mapping_list"] = {mapped({x}, false, appendNinetyNine)};
  cases["mapping_dict"] = {mapped({x, y}, false, swapBoth)};
  cases["mapping_add_sources"] = {mapped({sum}, true, addBoth)};
  cases["sort_mapping"] = {sorted(false)};
  cases["sort_mapping_reverse"] = {sorted(true)};
  cases["merge"] = {merged(examples, examples, {"a", "b"})};
  cases["merge_wrong_sources"] = {merged(examples, examples, {"a"}),
                                  "1 names were given"};
  cases["merge_mixed"] = {merged(1, examples, {"a", "b"}),
                          "a stream of batches with one of single examples"};
  cases["rename"] = {of(numbers, 5, {"rename(from=x,to=features)"}), "", false};
  cases["rename_swap"] = {of(numbers, 5, {"rename(from=x+y,to=y+x)"}), "",
                          false};
  cases["rename_clash"] = {of(numbers, 5, {"rename(from=x,to=y)"}),
                           "two sources named 'y'"};
  cases["rename_missing"] = {of(numbers, 5, {"rename(from=z,to=y)"}),
                             "renames 'z', which the stream does not have"};
  cases["rename_missing_ignore"] = {
      of(numbers, 5, {"rename(from=z+x,to=q+features,ignore_missing=true)"}),
      "", false};
  cases["filter_sources"] = {of(numbers, 5, {"filter_sources(sources=y)"}), "",
                             false};
  cases["filter_sources_bad"] = {of(numbers, 5, {"filter_sources(sources=z)"}),
                                 "names the source 'z'"};
}

void addBatching(Table &cases) {
  for (auto [child, request] :
       {std::pair{5, 3}, {4, 2}, {3, 3}, {2, 3}, {10, 4}, {3, 5}}) {
    std::string size = std::to_string(request);
    cases["cache_child" + std::to_string(child) + "_req" + size] = {
        of(numbers, child, {"cache(size=" + size + ")"})};
  }
  cases["cache_num_examples"] = {
      of(numbers, 5, {"cache(size=4,num_examples=10)"})};
  // A scheme of rows cannot be written: only sizes can.
  cases["cache_wrong_scheme"] = {of(numbers, 5, {"cache(scheme=sequential)"}),
                                 "lacks the option 'size'"};
  cases["batch_s0"] = {of(numbers, examples, {"batch(size=4)"})};
  cases["batch_s1"] = {of(numbers, examples, {"batch(size=4,strictness=1)"})};
  cases["batch_s2"] = {of(numbers, examples, {"batch(size=4,strictness=2)"}),
                       "the last batch has 2 examples"};
  cases["batch_times"] = {of(numbers, examples, {"batch(size=3,times=2)"})};
  cases["batch_on_batches"] = {of(numbers, 5, {"batch(size=4)"}),
                               "single examples"};
  cases["batch_ragged"] = {chain(shortLists, {"batch(size=3)"})};
  cases["batch_axis_labels"] = {of(labelled, examples, {"batch(size=3)"}), "",
                                false};
  cases["unpack"] = {of(labelled, 4, {"unpack"})};
  cases["unpack_examples_error"] = {of(labelled, examples, {"unpack"}),
                                    "batches"};
}

void addSequences(Table &cases, const std::string &data) {
  cases["padding_default"] = {of(sequences, 3, {"padding"})};
  cases["padding_mask_sources"] = {
      of(sequences, 3, {"padding(which=features,mask_dtype=int8)"})};
  cases["padding_hdf5_sequences"] = {chain(
                                         [=] {
                                           return file(
                                               data + "/vlen_sequences.hdf5", 6,
                                               {"recordings", "transcripts"});
                                         },
                                         {"padding"}),
                                     "", false};
  cases["padding_images_error"] = {chain(
                                       [=] {
                                         return file(data + "/vlen_images.hdf5",
                                                     4, {"image_features"});
                                       },
                                       {"padding"}),
                                   "all axes but the first must agree"};
  cases["padding_examples_error"] = {of(sequences, examples, {"padding"}),
                                     "batches"};
  for (const char *name :
       {"o0_s2_t1_no", "o1_s2_t2_ov", "o1_s3_t3_ov", "o0_s1_t1_no",
        "o-1_s2_t1_ov", "o-3_s2_t2_no", "o0_s6_t1_no"}) {
    int offset = 0, source = 0, target = 0;
    char kind = 0;
    std::sscanf(name, "o%d_s%d_t%d_%c", &offset, &source, &target, &kind);
    cases["window_" + std::string(name)] = {
        chain(lists, {"window(offset=" + std::to_string(offset) +
                      ",source_window=" + std::to_string(source) +
                      ",target_window=" + std::to_string(target) +
                      ",overlapping=" + (kind == 'o' ? "true)" : "false)")})};
  }
  for (const char *order : {"1", "2", "3"})
    cases["ngrams_" + std::string(order)] = {
        chain(lists, {"ngrams(order=" + std::string(order) + ")"})};
  cases["ngrams_hdf5"] = {chain(
                              [=] {
                                return file(data + "/text_corpus.hdf5",
                                            examples, {"tokens"});
                              },
                              {"ngrams(order=4)"}),
                          "", false};
}

void addImages(Table &cases, const std::string &data) {
  auto ragged = [data](Names texts) {
    return chain(
        [data] {
          return file(data + "/vlen_images.hdf5", 3, {"image_features"});
        },
        std::move(texts));
  };
  auto whole = [](int64_t batchSize, Names texts) {
    return chain([=] { return images(batchSize); }, std::move(texts));
  };
  Names crop = {"random_fixed_size_crop(window=5x4,seed=3)"};
  cases["crop_ndarray_seed3"] = {whole(4, crop)};
  cases["crop_examples_seed3"] = {whole(examples, crop)};
  cases["crop_default_seed"] = {
      whole(9, {"random_fixed_size_crop(window=7x4)"})};
  cases["crop_vlen_list"] = {ragged({"random_fixed_size_crop(window=3x3,seed=5)"}), "",
                             false};
  cases["crop_too_big"] = {whole(9, {"random_fixed_size_crop(window=8x4)"}),
                           "smaller than the window 8x4"};
  cases["crop_bad_labels"] = {
      chain([] { return images(9, {"batch", "height", "width", "channel"}); },
            crop),
      "works on axes labelled (channel, height, width)"};
  cases["crop_no_labels"] = {chain([] { return images(9, {}); }, crop),
                             "are labelled ('', '', '')"};
  cases["minimum_dims"] = {ragged({"minimum_image_dimensions(shape=6x7)"}), "",
                           false};
  cases["rotation_nearest_seed1"] = {
      whole(2, {"random_2d_rotation(maximum_rotation=0.5)"}), "", false};
  cases["encoded_default"] = {
      chain([=] { return file(data + "/images/encoded_images.hdf5", 2); },
            {"images_from_bytes(which=encoded_images)"})};
}
} // namespace

Stream croppedIntegers() {
  return transform(
      images(4, {"batch", "channel", "height", "width"}, DType::Int32),
      "random_fixed_size_crop(window=5x4,seed=3)");
}

Table table(const std::string &data) {
  Table cases;
  addElements(cases, data);
  addItems(cases);
  addBatching(cases);
  addSequences(cases, data);
  addImages(cases, data);
  return cases;
}

} // namespace cases

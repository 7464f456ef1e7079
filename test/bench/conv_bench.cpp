// Convolutions of a training step: our kernels beside oneDNN's primitives
// (where that library is installed), one thread, the best of many runs. usage:
// conv_bench [SECONDS] Both get a block of images as the step does; oneDNN may
// choose its layouts for filters and gradients of filters, images stay as they
// are, and the time for reorders counts.
#include "runtime/Device/Images.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#ifdef BLOCKS_HAVE_DNNL
#include <dnnl.hpp>
extern "C" void omp_set_num_threads(int);
#endif

using namespace blocks;
using Clock = std::chrono::steady_clock;

static double budget = 0.3;

/// Processor time of this thread: other processes do not count.
static double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Seconds of the fastest run within the budget.
static double best(const std::function<void()> &work) {
  double fastest = 1e9;
  auto start = Clock::now();
  do {
    double before = threadSeconds();
    work();
    fastest = std::min(fastest, threadSeconds() - before);
  } while (std::chrono::duration<double>(Clock::now() - start).count() <
           budget);
  return fastest;
}

struct Layer {
  const char *name;
  int64_t batch;
  ImageGeometry g;
};

struct Arrays {
  explicit Arrays(const Layer &layer) {
    const ImageGeometry &g = layer.g;
    auto make = [](int64_t n) {
      std::vector<float> values(static_cast<size_t>(n));
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = float(i % 17) / 16 - 0.5f;
      return values;
    };
    image = make(layer.batch * g.channels * g.height * g.width);
    filters = make(g.filters * g.channels * g.kernelHeight * g.kernelWidth);
    result = make(layer.batch * g.filters * g.outHeight * g.outWidth);
    parts = make(int64_t(filters.size()));
  }
  std::vector<float> image, filters, result, parts;
};

static double ours(CpuLevel level, ImageRoutine routine, const Layer &layer,
                   Arrays &x) {
  ImageArguments<float> a{0,       layer.batch, layer.batch, layer.batch,
                          nullptr, nullptr,     nullptr,     layer.g};
  switch (routine) {
  case ImageRoutine::ConvolutionInputGrad:
    a.a = x.result.data(), a.b = x.filters.data(), a.out = x.image.data();
    break;
  case ImageRoutine::ConvolutionFilterGrad:
    a.a = x.image.data(), a.b = x.result.data(), a.out = x.parts.data();
    a.rows = a.end = 1;
    break;
  default:
    a.a = x.image.data(), a.b = x.filters.data(), a.out = x.result.data();
  }
  return best([&] { runImages(level, routine, a); });
}

#ifdef BLOCKS_HAVE_DNNL
/// One primitive with the layouts that it likes for filters; images plain.
class Library {
public:
  Library(ImageRoutine routine, const Layer &layer, Arrays &x)
      : engine(dnnl::engine::kind::cpu, 0), stream(engine) {
    using namespace dnnl;
    const ImageGeometry &g = layer.g;
    auto f32 = memory::data_type::f32;
    memory::desc image({layer.batch, g.channels, g.height, g.width}, f32,
                       memory::format_tag::nchw),
        result({layer.batch, g.filters, g.outHeight, g.outWidth}, f32,
               memory::format_tag::nchw),
        plain({g.filters, g.channels, g.kernelHeight, g.kernelWidth}, f32,
              memory::format_tag::oihw);
    auto any = [&](const memory::desc &d) {
      return memory::desc(d.dims(), f32, memory::format_tag::any);
    };
    memory::dims strides{g.strideHeight, g.strideWidth},
        low{g.padTop, g.padLeft}, high{g.padTop, g.padLeft};
    auto direct = algorithm::convolution_direct;
    convolution_forward::primitive_desc forward(
        convolution_forward::desc(prop_kind::forward_training, direct,
                                  any(image), any(plain), any(result), strides,
                                  low, high),
        engine);
    if (routine == ImageRoutine::Convolution) {
      primitive = convolution_forward(forward);
      bind(DNNL_ARG_SRC, image, forward.src_desc(), x.image, true);
      bind(DNNL_ARG_WEIGHTS, plain, forward.weights_desc(), x.filters, true);
      bind(DNNL_ARG_DST, result, forward.dst_desc(), x.result, false);
    } else if (routine == ImageRoutine::ConvolutionInputGrad) {
      convolution_backward_data::primitive_desc back(
          convolution_backward_data::desc(direct, any(image), any(plain),
                                          any(result), strides, low, high),
          engine, forward);
      primitive = convolution_backward_data(back);
      bind(DNNL_ARG_DIFF_DST, result, back.diff_dst_desc(), x.result, true);
      bind(DNNL_ARG_WEIGHTS, plain, back.weights_desc(), x.filters, true);
      bind(DNNL_ARG_DIFF_SRC, image, back.diff_src_desc(), x.image, false);
    } else {
      convolution_backward_weights::primitive_desc back(
          convolution_backward_weights::desc(direct, any(image), any(plain),
                                             any(result), strides, low, high),
          engine, forward);
      primitive = convolution_backward_weights(back);
      bind(DNNL_ARG_SRC, image, back.src_desc(), x.image, true);
      bind(DNNL_ARG_DIFF_DST, result, back.diff_dst_desc(), x.result, true);
      bind(DNNL_ARG_DIFF_WEIGHTS, plain, back.diff_weights_desc(), x.parts,
           false);
    }
  }

  void run() {
    for (auto &[from, to] : before)
      dnnl::reorder(from, to).execute(stream, from, to);
    primitive.execute(stream, arguments);
    for (auto &[from, to] : after)
      dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
  }

private:
  void bind(int argument, const dnnl::memory::desc &plain,
            const dnnl::memory::desc &liked, std::vector<float> &values,
            bool isInput) {
    dnnl::memory user(plain, engine, values.data());
    dnnl::memory inner = plain == liked ? user : dnnl::memory(liked, engine);
    if (!(plain == liked) && isInput)
      before.emplace_back(user, inner);
    if (!(plain == liked) && !isInput)
      after.emplace_back(inner, user);
    arguments[argument] = inner;
  }

  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
  std::vector<std::pair<dnnl::memory, dnnl::memory>> before, after;
};
#endif

int main(int argc, char **argv) {
  if (argc > 1)
    budget = std::atof(argv[1]);
#ifdef BLOCKS_HAVE_DNNL
  omp_set_num_threads(1);
#endif
  CpuLevel level = detectCpu().level;
  const Layer layers[] = {
      {"LeNet's first", 8, {1, 28, 28, 20, 5, 5, 24, 24, 1, 1, 0, 0, 0}},
      {"LeNet's second", 8, {20, 12, 12, 50, 5, 5, 8, 8, 1, 1, 0, 0, 0}},
      {"64 channels, 3x3", 4, {64, 32, 32, 64, 3, 3, 32, 32, 1, 1, 1, 1, 0}},
      {"256 channels, 3x3", 4, {256, 14, 14, 256, 3, 3, 14, 14, 1, 1, 1, 1, 0}},
      {"64 to 128, step 2", 4, {64, 32, 32, 128, 3, 3, 16, 16, 2, 2, 1, 1, 0}},
  };
  struct {
    const char *name;
    ImageRoutine routine;
  } routines[] = {{"forward", ImageRoutine::Convolution},
                  {"images' gradient", ImageRoutine::ConvolutionInputGrad},
                  {"filters' gradient", ImageRoutine::ConvolutionFilterGrad}};
  for (const Layer &layer : layers)
    for (auto [name, routine] : routines) {
      const ImageGeometry &g = layer.g;
      double flops =
          2.0 * double(layer.batch * g.filters * g.outHeight * g.outWidth *
                       g.channels * g.kernelHeight * g.kernelWidth);
      Arrays x(layer);
      double seconds = ours(level, routine, layer, x);
      std::printf("%-18s %-18s ours %8.1f us %6.1f GFLOP/s", layer.name, name,
                  seconds * 1e6, flops / seconds * 1e-9);
#ifdef BLOCKS_HAVE_DNNL
      auto before = Clock::now();
      Library library(routine, layer, x);
      library.run();
      double first =
          std::chrono::duration<double>(Clock::now() - before).count();
      double other = best([&] { library.run(); });
      std::printf("   oneDNN %8.1f us %6.1f GFLOP/s (first use %.1f ms)",
                  other * 1e6, flops / other * 1e-9, first * 1e3);
#endif
      std::printf("\n");
    }
}

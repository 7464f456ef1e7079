// The youtube_audio converter: the sound of a film, ID.m4a by means of ffmpeg,
// or ID.wav, to the source `features` (1, time, channels), split `train`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Ffmpeg.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/WavFile.h"
#include "runtime/Base/MappedFile.h"

#include <filesystem>

namespace fuel {

namespace {
using blocks::InputError;

struct Wanted {
  std::string id;
  int64_t channels, rate;
};

int64_t inRange(const ConvertOptions &options, const std::string &name,
                int64_t most) {
  int64_t value = options.integer(name);
  if (value < 1 || value > most)
    throw blocks::UsageError("--" + name + " is " + std::to_string(value) +
                             "; expected a number from 1 to " +
                             std::to_string(most));
  return value;
}

Wanted wantedBy(const ConvertOptions &options) {
  constexpr int64_t mostChannels = 64, mostRate = 1'000'000;
  std::string id = options.text("youtube-id");
  if (id.empty() || id.find('/') != std::string::npos)
    throw blocks::UsageError("--youtube-id is '" + id +
                             "'; expected the film's identification, usually "
                             "11 characters");
  return {id, inRange(options, "channels", mostChannels),
          inRange(options, "sample", mostRate)};
}

std::string write(const ConvertOptions &options, const Wanted &wanted,
                  blocks::ArrayView samples) {
  if (samples.shape[0] == 0)
    throw InputError("the sound of '" + wanted.id + "' has no samples");
  std::string path = outputPath(options, wanted.id);
  DatasetFile file(path);
  samples.shape.insert(samples.shape.begin(), 1);
  file.addSource("features", samples.dtype, samples.shape,
                 {"batch", "time", "feature"});
  file.append("train", "features", samples);
  file.commit(options.command);
  return path;
}

std::string fromWav(const ConvertOptions &options, const Wanted &wanted,
                    const std::string &path) {
  blocks::MappedFile mapped(path);
  WavFile wav = readWav(mapped.bytes(), "'" + path + "'");
  if (wav.channels != wanted.channels || wav.rate != wanted.rate)
    throw InputError(
        "'" + path + "' has " + std::to_string(wav.channels) + " channels of " +
        std::to_string(wav.rate) + " samples a second; expected " +
        std::to_string(wanted.channels) + " of " + std::to_string(wanted.rate) +
        ": say --channels and --sample as they are, or resample "
        "it first");
  return write(options, wanted, wav.samples);
}

std::string fromFilm(const ConvertOptions &options, const Wanted &wanted,
                     const std::string &path) {
  std::vector<int16_t> samples =
      decodeSound(path, wanted.channels, wanted.rate);
  int64_t time = int64_t(samples.size()) / wanted.channels;
  return write(options, wanted,
               {blocks::DType::Int16,
                {time, wanted.channels},
                reinterpret_cast<const std::byte *>(samples.data())});
}

std::string convert(const ConvertOptions &options) {
  Wanted wanted = wantedBy(options);
  outputPath(options, wanted.id); // An error before the work.
  std::filesystem::path base = options.directory;
  std::string film = base / (wanted.id + ".m4a");
  std::string wav = base / (wanted.id + ".wav");
  bool hasFilm = fileExists(film);
  if (hasFilm && hasFfmpeg())
    return fromFilm(options, wanted, film);
  if (fileExists(wav))
    return fromWav(options, wanted, wav);
  if (hasFilm)
    throw InputError("'" + film +
                     "' needs the program ffmpeg, which is not in PATH; "
                     "install it, or put '" +
                     wav + "' beside the file");
  throw InputError("'" + options.directory + "' lacks " + wanted.id +
                   ".m4a, and " + wanted.id +
                   ".wav as well; name the folder that holds one of them with "
                   "--directory, or get it with 'fuel-download "
                   "youtube_audio --youtube-id " +
                   wanted.id + "'");
}
} // namespace

Converter youTubeAudioConverter() {
  Converter converter;
  converter.name = "youtube_audio";
  converter.outputName = "ID";
  converter.summary = "The sound of a film on YouTube";
  converter.files = {"ID.m4a (needs ffmpeg), or ID.wav"};
  ConverterOption id{"youtube-id",
                     "identification of the film, usually 11 characters"};
  id.required = true;
  converter.options = {
      id,
      {"channels", "number of channels; 1 is mono", "1"},
      {"sample", "samples a second, for example 44100", "16000"}};
  converter.convert = convert;
  return converter;
}

} // namespace fuel

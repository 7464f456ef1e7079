// fuel-download: fetches the original files of a data set, for fuel-convert.
#include "fuel/Config.h"
#include "fuel/Download.h"
#include "tools/ToolMain.h"

#include <algorithm>
#include <atomic>
#include <csignal>

namespace {
/// The signal that came, for the transfer to ask; a handler has no other way.
std::atomic<int> signalled{0};

/// The second signal kills. A file size limit is an error of the write.
void catchSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int number) { signalled = number; };
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

struct Options {
  std::string name, variant, youtubeId = "ID";
  std::vector<std::string> listFiles;
  bool list = false, clear = false, quiet = false;
  fuel::DownloadOptions download;
};

std::vector<fuel::RemoteDataset> allDatasets(const Options &options) {
  std::vector<fuel::RemoteDataset> all = fuel::knownDownloads();
  std::vector<std::string> files = fuel::loadConfig().extraDownloads;
  files.insert(files.end(), options.listFiles.begin(), options.listFiles.end());
  for (const std::string &file : files)
    fuel::addDownloads(all, fuel::readDownloadList(file));
  return all;
}

const fuel::RemoteDataset &find(const std::vector<fuel::RemoteDataset> &all,
                                const std::string &name) {
  std::string known;
  for (const fuel::RemoteDataset &dataset : all) {
    if (dataset.name == name)
      return dataset;
    known += (known.empty() ? "" : ", ") + dataset.name;
  }
  throw blocks::UsageError("there is no data set '" + name +
                           "'; expected one of: " + known);
}

//===-- --list ------------------------------------------------------------===//

void listAll(const std::vector<fuel::RemoteDataset> &all) {
  for (const fuel::RemoteDataset &dataset : all) {
    std::string name = dataset.name;
    for (const std::string &variant : dataset.variants)
      name += (&variant == &dataset.variants.front() ? " " : "|") + variant;
    name.resize(std::max<size_t>(name.size(), 30), ' ');
    std::cout << name << " " << dataset.summary << "\n";
  }
}

void listFiles(const fuel::RemoteDataset &dataset) {
  std::cout << dataset.name << ": " << dataset.summary << "\n";
  for (const fuel::RemoteFile &file : dataset.files) {
    std::cout << "\n" << file.name;
    if (!file.variant.empty())
      std::cout << " (" << dataset.name << " " << file.variant << ")";
    if (file.size)
      std::cout << ", " << *file.size << " bytes";
    std::cout << (file.registered ? ", for registered users" : "") << "\n";
    for (const fuel::Checksum &checksum : file.checksums)
      std::cout << "  " << checksum.algorithm << " " << checksum.hex << "\n";
    for (const std::string &url : file.urls)
      std::cout << "  " << url << "\n";
  }
}

//===-- Fetching ----------------------------------------------------------===//

void clear(const fuel::RemoteDataset &dataset, const Options &options) {
  for (const fuel::RemoteFile &file : filesOf(dataset, options.variant))
    for (const std::string &path :
         fuel::clearDownload(file, options.download.directory))
      std::cout << "removed " << path << "\n";
}

std::string instructions(const fuel::RemoteDataset &dataset,
                         const std::string &id) {
  std::string text = dataset.instructions;
  for (size_t at = 0; (at = text.find("{id}", at)) != std::string::npos;)
    text.replace(at, 4, id);
  return text;
}

/// Returns the exit status. A file that cannot be had does not keep the others
/// from coming.
int fetch(const fuel::RemoteDataset &dataset, const Options &options) {
  if (!dataset.instructions.empty())
    throw blocks::UnsupportedError(instructions(dataset, options.youtubeId));
  std::string failures;
  for (const fuel::RemoteFile &file : filesOf(dataset, options.variant)) {
    fuel::DownloadResult result = fuel::download(file, options.download);
    if (result.end == fuel::DownloadEnd::Stopped) {
      std::cerr << "stopped; call again to go on where it is\n";
      return 128 + signalled;
    }
    if (result.end == fuel::DownloadEnd::Failed)
      failures += "\n" + file.name + " cannot be had:\n" + result.message;
  }
  if (!failures.empty())
    throw blocks::IoError("'" + dataset.name + "' is not complete." + failures +
                          "\nGive another place with --mirror, or put the "
                          "files there yourself.");
  if (!dataset.note.empty() && !options.quiet)
    std::cerr << dataset.note << "\n";
  return 0;
}

int run(Options &options) {
  std::vector<fuel::RemoteDataset> all = allDatasets(options);
  if (options.name.empty() && !options.list)
    throw blocks::UsageError("no data set was named; --list lists them (run "
                             "with --help for usage)");
  if (options.name.empty())
    return listAll(all), 0;
  const fuel::RemoteDataset &dataset = find(all, options.name);
  if (options.list)
    return listFiles(dataset), 0;
  if (options.clear)
    return clear(dataset, options), 0;
  catchSignals();
  auto bar = options.quiet ? nullptr : fuel::makeProgressBar();
  options.download.progress = bar.get();
  if (!options.quiet)
    options.download.log = [](const std::string &line) {
      std::cerr << line << std::endl;
    };
  options.download.stopped = [] { return signalled != 0; };
  return fetch(dataset, options);
}

void addOptions(CLI::App &app, Options &options) {
  fuel::DownloadOptions &download = options.download;
  app.add_option("name", options.name, "the data set");
  app.add_option("part", options.variant,
                 "which of its parts, where it has some: svhn 1|2, "
                 "caltech101_silhouettes 16|28");
  app.add_option("-d,--directory", download.directory, "where the files go")
      ->capture_default_str();
  app.add_flag("--list", options.list,
               "lists the data sets, or the files of the one named");
  app.add_flag("--clear", options.clear,
               "removes the data set's files and unfinished ones");
  app.add_option("--mirror", download.mirrors,
                 "beginning of URLs that are tried first; repeatable")
      ->expected(1)
      ->take_all();
  app.add_option("-P,--url-prefix", download.urlPrefix,
                 "beginning of the URLs of files for registered users");
  app.add_option("--cacert", download.certificates,
                 "a file (PEM) with the authorities to trust for https [the "
                 "system's]")
      ->check(CLI::ExistingFile);
  app.add_option("--list-file", options.listFiles,
                 "a TOML file with more data sets; repeatable")
      ->expected(1)
      ->take_all();
  app.add_option("--youtube-id", options.youtubeId,
                 "the video that youtube_audio means");
  app.add_option("--attempts", download.attempts,
                 "attempts at one URL that bring nothing new")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--timeout", download.stallTimeout,
                 "seconds without a byte after which an attempt ends")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  app.add_option("--pause", download.firstPause,
                 "seconds before the second attempt; doubles each time")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  app.add_flag("--quiet", options.quiet, "say nothing but errors");
}
} // namespace

int main(int argc, char **argv) {
  CLI::App app("Fetches the original files of a data set, with checksums; goes "
               "on where an earlier call was interrupted.",
               "fuel-download");
  app.footer(
      "Examples:\n"
      "  fuel-download --list\n"
      "  fuel-download mnist -d ~/data\n"
      "  fuel-download svhn 2 --mirror http://server/datasets/\n"
      "  fuel-download ilsvrc2012 -P https://image-net.org/data/ILSVRC/2012/\n"
      "  fuel-download mine --list-file mine.toml\n"
      "A file appears under its name when it is complete and its checksum is "
      "right. Where no checksum is known, the first download writes one to "
      "NAME.sha256. Statuses: 0 all are there, 1 not, 130 and 143 interrupted "
      "(NAME.part goes on with the next call).");
  Options options;
  addOptions(app, options);
  int status = 0;
  int failed =
      blocks::toolMain(app, argc, argv, [&] { status = run(options); });
  return failed ? failed : status;
}

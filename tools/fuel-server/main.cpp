// fuel-server: delivers the batches of a stream to other processes over TCP.
#include "fuel/OpenStream.h"
#include "fuel/Server.h"
#include "fuel/Server/Channel.h"
#include "tools/ToolMain.h"

#include <csignal>
#include <mutex>

/// The server that SIGTERM and SIGINT end; a handler has no other way to it.
template <typename Server> static Server *running = nullptr;

template <typename Server>
static void run(Server &server, const std::string &file,
                const std::string &host) {
  running<Server> = &server;
  auto stop = [](int) { running<Server>->stop(); };
  std::signal(SIGTERM, stop);
  std::signal(SIGINT, stop);
  std::cout << "serving " << file << " on " << host << ":" << server.port()
            << std::endl;
  server.run();
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  std::cout << "ended" << std::endl;
}

static void serve(fuel::StreamOptions stream, fuel::ServerOptions options,
                  const std::string &mode, bool quiet) {
  std::mutex lock;
  if (!quiet)
    options.log = [&](const std::string &line) {
      std::lock_guard guard(lock);
      std::cerr << line << "\n";
    };
  if (mode == "zeromq") {
    stream.prefetch = true;
    fuel::ZeroMqServer server(fuel::openStream(stream), options);
    return run(server, stream.file, options.host);
  }
  // The server itself works ahead, as its clients have room.
  stream.prefetch = false;
  options.shared = mode == "shared";
  fuel::Server server([&] { return fuel::openStream(stream); }, options);
  run(server, stream.file, options.host);
}

static void addStreamOptions(CLI::App &app, fuel::StreamOptions &stream) {
  app.add_option("file", stream.file, "the file to serve");
  app.add_option("--split", stream.split, "a split, or several: train+valid")
      ->capture_default_str();
  app.add_option("--sources", stream.sources,
                 "sources, in this order [all of the split]")
      ->delimiter(',');
  app.add_option("--scheme", stream.scheme, "sequential or shuffled")
      ->capture_default_str();
  app.add_option("--batch-size", stream.batchSize, "examples in a batch")
      ->capture_default_str();
  app.add_option("--seed", stream.seed, "seed of the shuffle")
      ->capture_default_str();
  app.add_option("--transform", stream.transforms,
                 "a transformer, as for fuel-cat; repeat for several")
      ->expected(1)
      ->take_all();
  app.add_flag("--load-in-memory", stream.loadInMemory,
               "read the rows once, instead of mapping the file");
}

static void addServerOptions(CLI::App &app, fuel::ServerOptions &options) {
  app.add_option("--host", options.host,
                 "the interface to listen on; others than loopback need --key")
      ->capture_default_str();
  app.add_option("--port", options.port, "the port; 0: any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option("--key", options.keyFile,
                 "a key that clients must have too; encrypts");
  app.add_option("--max-clients", options.maxClients, "clients at a time")
      ->capture_default_str();
  app.add_option("--timeout", options.timeout,
                 "seconds after which a silent client is dropped")
      ->check(CLI::Range(0.05, 1e6))
      ->capture_default_str();
  app.add_option("--grace", options.grace,
                 "seconds for which a lost client's batches are kept for it "
                 "(--mode shared)")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
}

int main(int argc, char **argv) {
  CLI::App app("Delivers the batches of a data set to training runs, in this "
               "or other processes or machines.",
               "fuel-server");
  app.footer(
      "Examples:\n"
      "  fuel-server mnist.hdf5 --transform 'scale_and_shift(scale=1/255)'\n"
      "  blocks-run train model.mlir --data tcp://127.0.0.1:5558\n"
      "  fuel-server --make-key secret.key\n"
      "  fuel-server mnist.hdf5 --host 0.0.0.0 --key secret.key\n"
      "  fuel-cat 'tcp://server:5558?key=secret.key'\n"
      "With --mode each, every client has a stream of its own (with "
      "?rank=0&ranks=2 in its address, every second batch of it); with --mode "
      "shared, the batches of one stream are dealt to all; --mode zeromq does "
      "that in "
      "the format of Fuel's own server and clients (zmq://). SIGTERM and "
      "SIGINT "
      "end it between two batches.");
  fuel::StreamOptions stream;
  fuel::ServerOptions options;
  std::string mode = "each", newKey;
  bool quiet = false;
  addStreamOptions(app, stream);
  addServerOptions(app, options);
  app.add_option("--mode", mode, "each, shared or zeromq")
      ->check(CLI::IsMember({"each", "shared", "zeromq"}))
      ->capture_default_str();
  app.add_option("--make-key", newKey, "write a new key to this file, and end");
  app.add_flag("--quiet", quiet, "say nothing about clients");
  return blocks::toolMain(app, argc, argv, [&] {
    if (!newKey.empty())
      return fuel::makeKeyFile(newKey);
    if (stream.file.empty())
      throw blocks::UsageError("file is required; run with --help for usage");
    serve(stream, options, mode, quiet);
  });
}

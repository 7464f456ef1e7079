// fuel-server: delivers the batches of a stream to other processes over TCP.
#include "fuel/Server.h"
#include "fuel/Server/Channel.h"
#include "tools/StreamArguments.h"

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
  // The server itself works ahead, as its clients have room; more threads only
  // if they were asked for.
  stream.prefetch = stream.workers > 1;
  options.shared = mode == "shared";
  fuel::Server server([&] { return fuel::openStream(stream); }, options);
  run(server, stream.file, options.host);
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
  fuel::StreamArguments stream;
  fuel::ServerOptions options;
  std::string mode = "each", newKey;
  bool quiet = false;
  stream.add(app);
  addServerOptions(app, options);
  app.add_option("--mode", mode, "each, shared or zeromq")
      ->check(CLI::IsMember({"each", "shared", "zeromq"}))
      ->capture_default_str();
  app.add_option("--make-key", newKey, "write a new key to this file, and end");
  app.add_flag("--quiet", quiet, "say nothing about clients");
  return blocks::toolMain(app, argc, argv, [&] {
    if (!newKey.empty())
      return fuel::makeKeyFile(newKey);
    stream.complete(app, argc, argv);
    serve(stream.options, options, mode, quiet);
  });
}

// Addresses of served streams: "tcp://host:port?option=value&…".
#include "fuel/Server.h"

#include "blocks/Error.h"

#include <charconv>
#include <string_view>

namespace fuel {

static constexpr std::string_view tcp = "tcp://", zmq = "zmq://";

bool isZeroMqAddress(const std::string &file) { return file.starts_with(zmq); }

bool isStreamAddress(const std::string &file) {
  return file.starts_with(tcp) || isZeroMqAddress(file);
}

[[noreturn]] static void reject(const std::string &address,
                                const std::string &why) {
  throw blocks::UsageError(
      "'" + address + "' is not the address of a stream: " + why +
      "; expected tcp://HOST:PORT, then ?key=FILE&timeout=SECONDS&"
      "reconnect=SECONDS&depth=N&rank=R&ranks=N as far as needed");
}

namespace {
class AddressParser {
public:
  explicit AddressParser(const std::string &address) : address(address) {}

  ConnectOptions parse() {
    if (!isStreamAddress(address))
      reject(address, "it does not begin with tcp://");
    std::string_view rest = std::string_view(address).substr(tcp.size());
    size_t query = rest.find('?');
    hostAndPort(rest.substr(0, query));
    if (query != rest.npos)
      for (rest.remove_prefix(query + 1); !rest.empty();) {
        size_t end = rest.find('&');
        option(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      }
    if (options.ranks < 1 || options.rank < 0 || options.rank >= options.ranks)
      reject(address, "ranks count from 0, and rank must be below ranks");
    return options;
  }

private:
  void hostAndPort(std::string_view text) {
    size_t colon = text.rfind(':');
    if (colon == text.npos || colon == 0)
      reject(address, "it needs a host and a port");
    std::string_view host = text.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
      host = host.substr(1, host.size() - 2);
    options.host = host;
    options.port = int(number(text.substr(colon + 1), "the port", 1, 65535));
  }

  double number(std::string_view text, std::string_view what, double least,
                double most) {
    double value = 0;
    const char *end = text.data() + text.size();
    auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end ||
        !(value >= least && value <= most))
      reject(address, std::string(what) + " is '" + std::string(text) + "'");
    return value;
  }

  void option(std::string_view text) {
    size_t equals = text.find('=');
    std::string_view name = text.substr(0, equals);
    std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
    if (name == "key")
      options.keyFile = value;
    else if (name == "timeout")
      options.timeout = number(value, name, 0.05, 1e6);
    else if (name == "reconnect")
      options.reconnect = number(value, name, 0, 1e6);
    else if (name == "depth")
      options.depth = int64_t(number(value, name, 1, 1024));
    else if (name == "rank")
      options.rank = int64_t(number(value, name, 0, 1e6));
    else if (name == "ranks")
      options.ranks = int64_t(number(value, name, 1, 1e6));
    else
      reject(address, "there is no option '" + std::string(name) + "'");
  }

  const std::string &address;
  ConnectOptions options;
};
} // namespace

ConnectOptions parseStreamAddress(const std::string &address) {
  return AddressParser(address).parse();
}

} // namespace fuel

// Channel: bytes to and from the other side, in clear or through TLS. Nothing
// here blocks: who gets 0 bytes waits with poll(2).
#pragma once

#include "fuel/Server/Socket.h"

#include <cstddef>
#include <memory>
#include <string>
#include <sys/uio.h>

namespace fuel {

class Channel {
public:
  virtual ~Channel() = default;
  virtual int fd() const = 0;
  /// Up to so many bytes; 0 if none are there now. Throws IoError when the
  /// other side has closed or the connection broke.
  virtual size_t read(void *to, size_t bytes) = 0;
  /// Writes some of these bytes; 0 if there is no room now.
  virtual size_t write(const iovec *parts, int count) = 0;
  /// Received, but not visible to poll(2).
  virtual bool hasBuffered() const { return false; }
  /// Ends the writing: the other side reads what was written, then the end.
  /// What it still sends can be read.
  virtual void close() noexcept {}
};

std::unique_ptr<Channel> plainChannel(Socket socket);

/// The key of both sides, read from a file that only its owner may read.
class Key {
public:
  /// Throws UsageError for a file that others may read or that is too short.
  static Key fromFile(const std::string &path);
  const unsigned char *data() const { return secret; }
  static constexpr size_t bytes = 32;

private:
  unsigned char secret[bytes] = {};
};
/// Creates the file with a random key; refuses to replace one.
void makeKeyFile(const std::string &path);

enum class Side { Client, Server };
/// Exchanges keys before it returns. Throws IoError.
std::unique_ptr<Channel> encryptedChannel(Socket socket, Side side,
                                          const Key &key, Deadline deadline,
                                          const Bell *cancel);

} // namespace fuel

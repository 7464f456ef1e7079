// The encrypted channel: OpenSSL's TLS 1.3 with a key that both sides have, and
// no certificates. Both prove that they know the key; an ephemeral exchange
// keeps recorded traffic secret even from who learns the key later.
#include "fuel/Server/Channel.h"

#include "blocks/Error.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Base/Sha256.h"

#include <cstring>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace fuel {

//===-- The key -----------------------------------------------------------===//

static constexpr uint64_t leastKey = 16, mostKey = 4096;

Key Key::fromFile(const std::string &path) {
  blocks::FileDescriptor file(path, O_RDONLY);
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && (status.st_mode & 077) != 0)
    throw blocks::UsageError("the key file '" + path +
                             "' may be read by others than its owner; run "
                             "chmod 600 on it");
  uint64_t size = file.size();
  if (size < leastKey || size > mostKey)
    throw blocks::UsageError(
        "the key file '" + path + "' has " + std::to_string(size) +
        " bytes; expected " + std::to_string(leastKey) + " to " +
        std::to_string(mostKey) + "; fuel-server --make-key FILE makes one");
  std::string content(size, '\0');
  content.resize(file.readAt(content.data(), size, 0));
  blocks::Sha256 hash;
  hash.update(std::string_view("fuel-server key\0", 16)).update(content);
  blocks::Sha256Digest digest = hash.digest();
  Key key;
  std::memcpy(key.secret, digest.data(), bytes);
  return key;
}

void makeKeyFile(const std::string &path) {
  unsigned char random[32];
  if (RAND_bytes(random, sizeof random) != 1)
    throw blocks::IoError("the machine has no random numbers for a key");
  blocks::Sha256Digest digest;
  std::memcpy(digest.data(), random, sizeof random);
  std::string text = blocks::toHex(digest) + "\n";
  blocks::FileDescriptor file(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  file.writeAll(text.data(), text.size());
  file.sync();
}

//===-- The context -------------------------------------------------------===//

namespace {
struct FreeContext {
  void operator()(SSL_CTX *p) const { SSL_CTX_free(p); }
};
struct FreeSession {
  void operator()(SSL *p) const { SSL_free(p); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

constexpr const char *identity = "fuel-stream";

const Key *keyOf(SSL *ssl) {
  return static_cast<const Key *>(SSL_get_app_data(ssl));
}

unsigned clientKey(SSL *ssl, const char *, char *name, unsigned nameSize,
                   unsigned char *psk, unsigned pskSize) {
  if (nameSize < std::strlen(identity) + 1 || pskSize < Key::bytes)
    return 0;
  std::strcpy(name, identity);
  std::memcpy(psk, keyOf(ssl)->data(), Key::bytes);
  return Key::bytes;
}

unsigned serverKey(SSL *ssl, const char *name, unsigned char *psk,
                   unsigned pskSize) {
  if (pskSize < Key::bytes || std::strcmp(name, identity) != 0)
    return 0;
  std::memcpy(psk, keyOf(ssl)->data(), Key::bytes);
  return Key::bytes;
}

Context makeContext(Side side) {
  Context context(SSL_CTX_new(side == Side::Server ? TLS_server_method()
                                                   : TLS_client_method()));
  bool fine =
      context &&
      SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
      SSL_CTX_set_ciphersuites(context.get(), "TLS_AES_128_GCM_SHA256") == 1 &&
      SSL_CTX_set_num_tickets(context.get(), 0) == 1;
  if (!fine)
    throw blocks::UnsupportedError("OpenSSL refuses TLS 1.3; is its "
                                   "configuration (openssl.cnf) damaged?");
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  if (side == Side::Server) {
    SSL_CTX_set_psk_server_callback(context.get(), serverKey);
  } else {
    // Without the key there would be a certificate to check, and there is
    // nothing to check it against: it must fail.
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_psk_client_callback(context.get(), clientKey);
  }
  return context;
}

//===-- The channel -------------------------------------------------------===//

class EncryptedChannel : public Channel {
public:
  EncryptedChannel(Socket s, Side side, const Key &key)
      : socket(std::move(s)), secret(key), context(makeContext(side)),
        ssl(SSL_new(context.get())) {
    if (!ssl || SSL_set_fd(ssl.get(), fd()) != 1)
      throw blocks::IoError("OpenSSL has no memory for a connection");
    SSL_set_app_data(ssl.get(), &secret);
    side == Side::Server ? SSL_set_accept_state(ssl.get())
                         : SSL_set_connect_state(ssl.get());
  }

  void handshake(Deadline deadline, const Bell *cancel) {
    for (;;) {
      ERR_clear_error();
      int result = SSL_do_handshake(ssl.get());
      if (result == 1)
        return;
      int error = SSL_get_error(ssl.get(), result);
      bool reads = error == SSL_ERROR_WANT_READ;
      if (!reads && error != SSL_ERROR_WANT_WRITE)
        throw blocks::IoError("the key exchange failed: the two sides have "
                              "different keys, or only one has a key");
      if (!waitFor(fd(), reads ? POLLIN : POLLOUT, deadline, cancel))
        throw blocks::IoError("the key exchange did not end in time; has the "
                              "other side a key?");
    }
  }

  int fd() const override { return socket.get(); }
  bool hasBuffered() const override { return SSL_has_pending(ssl.get()); }

  size_t read(void *to, size_t bytes) override {
    ERR_clear_error();
    size_t got = 0;
    return checked(SSL_read_ex(ssl.get(), to, bytes, &got), got);
  }
  // One record at a time; small parts share one, as the frames' heads are
  // small and each record costs a tag and a call.
  size_t write(const iovec *parts, int count) override {
    ERR_clear_error();
    constexpr size_t record = 16384;
    size_t done = 0;
    const void *from = parts[0].iov_base;
    size_t bytes = parts[0].iov_len;
    if (bytes < record && count > 1) {
      bytes = 0;
      for (int i = 0; i < count && bytes < record; ++i) {
        size_t share = std::min(parts[i].iov_len, record - bytes);
        std::memcpy(gathered + bytes, parts[i].iov_base, share);
        bytes += share;
      }
      from = gathered;
    }
    return checked(SSL_write_ex(ssl.get(), from, bytes, &done), done);
  }
  void close() noexcept override {
    if (!broken)
      SSL_shutdown(ssl.get());
    ERR_clear_error();
    ::shutdown(fd(), SHUT_WR);
  }

private:
  size_t checked(int result, size_t count) {
    if (result == 1)
      return count;
    int error = SSL_get_error(ssl.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
      return 0;
    broken = true;
    throw blocks::IoError(error == SSL_ERROR_ZERO_RETURN
                              ? "the other side closed the connection"
                              : "the encrypted connection broke");
  }

  Socket socket;
  Key secret;
  Context context;
  std::unique_ptr<SSL, FreeSession> ssl;
  bool broken = false;
  unsigned char gathered[16384];
};
} // namespace

std::unique_ptr<Channel> encryptedChannel(Socket socket, Side side,
                                          const Key &key, Deadline deadline,
                                          const Bell *cancel) {
  auto channel =
      std::make_unique<EncryptedChannel>(std::move(socket), side, key);
  channel->handshake(deadline, cancel);
  return channel;
}

} // namespace fuel

// The channel in clear: see Channel.h.
#include "fuel/Server/Channel.h"

#include "blocks/Error.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace fuel {

namespace {
class PlainChannel : public Channel {
public:
  explicit PlainChannel(Socket s) : socket(std::move(s)) {}
  int fd() const override { return socket.get(); }

  size_t read(void *to, size_t bytes) override {
    ssize_t got = ::recv(fd(), to, bytes, 0);
    if (got == 0)
      throw blocks::IoError("the other side closed the connection");
    return checked(got);
  }
  size_t write(const iovec *parts, int count) override {
    msghdr message{};
    message.msg_iov = const_cast<iovec *>(parts);
    message.msg_iovlen = size_t(count);
    return checked(::sendmsg(fd(), &message, MSG_NOSIGNAL));
  }
  void close() noexcept override { ::shutdown(fd(), SHUT_WR); }

private:
  static size_t checked(ssize_t count) {
    if (count >= 0)
      return size_t(count);
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
      return 0;
    throw blocks::IoError(std::string("the connection broke: ") +
                          std::strerror(errno));
  }
  Socket socket;
};
} // namespace

std::unique_ptr<Channel> plainChannel(Socket socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

} // namespace fuel

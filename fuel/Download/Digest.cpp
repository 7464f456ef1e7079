// Digest: see Digest.h.
#include "fuel/Download/Digest.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"

#include <openssl/evp.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>

namespace fuel {

namespace fs = std::filesystem;

namespace {
struct FreeContext {
  void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};

void check(bool ok, const std::string &algorithm) {
  if (!ok)
    throw blocks::UnsupportedError("libcrypto refused to compute " + algorithm +
                                   "; does its configuration (openssl.cnf) "
                                   "forbid it?");
}

class Hasher {
public:
  explicit Hasher(const std::string &algorithm)
      : algorithm(algorithm), context(EVP_MD_CTX_new()) {
    const EVP_MD *type = EVP_get_digestbyname(algorithm.c_str());
    check(type && context &&
              EVP_DigestInit_ex(context.get(), type, nullptr) == 1,
          algorithm);
  }
  void update(const void *data, size_t bytes) {
    check(EVP_DigestUpdate(context.get(), data, bytes) == 1, algorithm);
  }
  std::string hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    check(EVP_DigestFinal_ex(context.get(), digest, &length) == 1, algorithm);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

private:
  std::string algorithm;
  std::unique_ptr<EVP_MD_CTX, FreeContext> context;
};
} // namespace

std::string digestOf(const std::string &path, const std::string &algorithm,
                     Progress *progress, const std::function<bool()> &stopped) {
  blocks::FileDescriptor file(path, O_RDONLY);
  Hasher hasher(algorithm);
  std::vector<char> buffer(1 << 20);
  ProgressTask task(progress, "checking " + fs::path(path).filename().string(),
                    int64_t(file.size()));
  uint64_t at = 0;
  while (size_t bytes = file.readAt(buffer.data(), buffer.size(), at)) {
    if (stopped && stopped())
      return "";
    hasher.update(buffer.data(), bytes);
    at += bytes;
    task.advance(int64_t(bytes));
  }
  return hasher.hex();
}

std::optional<Checksum> recordedChecksum(const std::string &path) {
  std::string record = path + ".sha256", hex;
  if (!fs::exists(record))
    return std::nullopt;
  std::ifstream(record) >> hex;
  if (hex.size() != 64 ||
      hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw blocks::CorruptError("'" + record +
                               "' does not begin with a SHA-256; remove it to "
                               "have one recorded again");
  return Checksum{"sha256", hex};
}

void recordChecksum(const std::string &path, const std::string &hex) {
  blocks::AtomicFile file(path + ".sha256");
  file.write(hex + "  " + fs::path(path).filename().string() + "\n");
  file.commit();
}

} // namespace fuel

// Sha256: an incremental SHA-256, for checkpoints, the log's prefix, the object
// cache and the data's checksums. libcrypto does the work (it uses the CPU's
// SHA instructions where there are any).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace blocks {

using Sha256Digest = std::array<unsigned char, 32>;

class Sha256 {
public:
  Sha256();
  Sha256(const Sha256 &other); ///< A copy continues on its own.
  Sha256 &operator=(const Sha256 &other);
  Sha256(Sha256 &&) noexcept = default;
  Sha256 &operator=(Sha256 &&) noexcept = default;

  Sha256 &update(const void *data, size_t bytes);
  Sha256 &update(std::string_view text) {
    return update(text.data(), text.size());
  }
  /// The digest of all bytes so far; more may follow afterwards.
  Sha256Digest digest() const;
  /// The same as 64 lower-case hexadecimal digits.
  std::string hex() const;

  static Sha256Digest of(const void *data, size_t bytes);
  static std::string hexOf(std::string_view text);

private:
  struct Free {
    void operator()(void *context) const;
  };
  std::unique_ptr<void, Free> context; ///< libcrypto's EVP_MD_CTX.
};

std::string toHex(const Sha256Digest &digest);

} // namespace blocks

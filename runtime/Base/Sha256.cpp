// Sha256 over libcrypto's EVP interface: see Sha256.h.
#include "runtime/Base/Sha256.h"

#include "blocks/Error.h"

#include <openssl/evp.h>

namespace blocks {

namespace {
template <typename Owner> EVP_MD_CTX *ctx(const Owner &p) {
  return static_cast<EVP_MD_CTX *>(p.get());
}

void check(int ok) {
  if (ok != 1)
    throw UnsupportedError("libcrypto refused to compute SHA-256; is its "
                           "configuration (openssl.cnf) damaged?");
}
} // namespace

void Sha256::Free::operator()(void *context) const {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX *>(context));
}

Sha256::Sha256() : context(EVP_MD_CTX_new()) {
  check(context && EVP_DigestInit_ex(ctx(context), EVP_sha256(), nullptr));
}

Sha256::Sha256(const Sha256 &other) : context(EVP_MD_CTX_new()) {
  check(context && EVP_MD_CTX_copy_ex(ctx(context), ctx(other.context)));
}

Sha256 &Sha256::operator=(const Sha256 &other) {
  check(EVP_MD_CTX_copy_ex(ctx(context), ctx(other.context)));
  return *this;
}

Sha256 &Sha256::update(const void *data, size_t bytes) {
  check(EVP_DigestUpdate(ctx(context), data, bytes));
  return *this;
}

Sha256Digest Sha256::digest() const {
  Sha256 copy(*this);
  Sha256Digest result;
  check(EVP_DigestFinal_ex(ctx(copy.context), result.data(), nullptr));
  return result;
}

std::string Sha256::hex() const { return toHex(digest()); }

Sha256Digest Sha256::of(const void *data, size_t bytes) {
  return Sha256().update(data, bytes).digest();
}

std::string Sha256::hexOf(std::string_view text) {
  return Sha256().update(text).hex();
}

std::string toHex(const Sha256Digest &digest) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace blocks

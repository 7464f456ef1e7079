// SHA-256: the test vectors of FIPS 180-2, in one piece and in parts.
#include "test/Check.h"

#include "runtime/Base/Sha256.h"

using blocks::Sha256;

int main() {
  CHECK_EQ(Sha256::hexOf(""), "e3b0c44298fc1c149afbf4c8996fb924"
                              "27ae41e4649b934ca495991b7852b855");
  CHECK_EQ(Sha256::hexOf("abc"), "ba7816bf8f01cfea414140de5dae2223"
                                 "b00361a396177a9cb410ff61f20015ad");
  Sha256 parts;
  parts.update("a");
  CHECK_EQ(parts.hex(), Sha256::hexOf("a")); // Reading does not end it.
  Sha256 copy(parts);
  parts.update("bc");
  copy.update("x");
  CHECK_EQ(parts.hex(), Sha256::hexOf("abc"));
  CHECK_EQ(copy.hex(), Sha256::hexOf("ax"));
  return checkSummary();
}

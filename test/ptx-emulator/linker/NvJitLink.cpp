// A stand-in for the calls of nvJitLink that the product makes: it reads the
// PTX as a linker does, and wraps it (Image.h). Prototypes and numbers are
// those of nvJitLink.h, declared by hand.
#include "Image.h"

#include "../driver/Emulator.h"
#include "../ptx/Ptx.h"

#include <cstdlib>
#include <cstring>

using namespace ptxemu;

struct nvJitLink {
  int arch = 0;
  std::string ptx, image, errors;
};

#define LINK_API CUDA_EXPORT int

namespace {

enum : int {
  success = 0,
  unrecognizedOption = 1,
  missingArch = 2,
  invalidInput = 3,
  ptxCompile = 4,
  nullInput = 9,
  archMismatch = 12,
  unsupportedArch = 16
};
constexpr int inputPtx = 2;

constexpr char imageMark[] = "\x7f"
                             "ELF\nptx emulator\nsm_";

int readOption(nvJitLink &link, const char *option) {
  if (std::strncmp(option, "-arch=sm_", 9) == 0) {
    link.arch = std::atoi(option + 9);
    return link.arch >= 75 && link.arch <= 121 ? success : unsupportedArch;
  }
  return std::strcmp(option, "-verbose") == 0 ? success : unrecognizedOption;
}

int giveText(const std::string &text, char *to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return success;
}

} // namespace

namespace ptxemu {

std::string makeImage(int arch, const std::string &ptx) {
  return imageMark + std::to_string(arch) + "\n" + ptx;
}

Image readImage(const char *image) {
  size_t length = sizeof imageMark - 1;
  if (std::strncmp(image, imageMark, length) != 0)
    return {};
  char *end = nullptr;
  int arch = int(std::strtol(image + length, &end, 10));
  return {arch, end + 1};
}

} // namespace ptxemu

LINK_API nvJitLinkVersion(unsigned *major, unsigned *minor) {
  *major = 13;
  *minor = 0;
  return success;
}

LINK_API nvJitLinkCreate(nvJitLink **link, uint32_t count,
                         const char **options) {
  auto made = std::make_unique<nvJitLink>();
  for (uint32_t i = 0; i < count; ++i)
    if (int result = readOption(*made, options[i]))
      return result;
  if (!made->arch)
    return missingArch;
  *link = made.release();
  return success;
}

LINK_API nvJitLinkDestroy(nvJitLink **link) {
  delete *link;
  *link = nullptr;
  return success;
}

LINK_API nvJitLinkAddData(nvJitLink *link, int type, const void *data,
                          size_t bytes, const char *) {
  if (!link || !data)
    return nullInput;
  auto text = static_cast<const char *>(data);
  // The zero behind the text counts.
  if (type != inputPtx || !bytes || text[bytes - 1] != 0 ||
      !link->ptx.empty()) // one text is all that we link
    return invalidInput;
  link->ptx = text;
  return success;
}

LINK_API nvJitLinkComplete(nvJitLink *link) {
  if (!link)
    return nullInput;
  try {
    Module parsed = parsePtx(link->ptx);
    if (int(parsed.target) > link->arch) {
      link->errors = "the text is for sm_" + std::to_string(parsed.target);
      return archMismatch;
    }
  } catch (const PtxError &error) {
    link->errors = error.what();
    return ptxCompile;
  }
  link->image = makeImage(link->arch, link->ptx);
  return success;
}

LINK_API nvJitLinkGetLinkedCubinSize(nvJitLink *link, size_t *bytes) {
  if (!link || link->image.empty())
    return invalidInput;
  *bytes = link->image.size() + 1;
  return success;
}

LINK_API nvJitLinkGetLinkedCubin(nvJitLink *link, void *image) {
  return giveText(link->image, static_cast<char *>(image));
}

LINK_API nvJitLinkGetErrorLogSize(nvJitLink *link, size_t *bytes) {
  *bytes = link->errors.size() + 1;
  return success;
}

LINK_API nvJitLinkGetErrorLog(nvJitLink *link, char *text) {
  return giveText(link->errors, text);
}

LINK_API nvJitLinkGetInfoLogSize(nvJitLink *, size_t *bytes) {
  *bytes = 1;
  return success;
}

LINK_API nvJitLinkGetInfoLog(nvJitLink *, char *text) {
  return giveText("", text);
}

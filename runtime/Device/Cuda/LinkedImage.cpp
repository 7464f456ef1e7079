// Calls of nvJitLink: see LinkedImage.h.
#include "runtime/Device/Cuda/LinkedImage.h"

#include "blocks/Error.h"

namespace blocks::cuda {

namespace {
constexpr int inputPtx = 2; ///< nvJitLinkInputType.

/// One linking.
class Link {
public:
  Link(const NvJitLink &theLibrary, const std::string &theArchitecture,
       bool withLog)
      : library(theLibrary), architecture(theArchitecture) {
    std::string option = "-arch=" + architecture;
    const char *options[] = {option.c_str(), "-verbose"};
    check(library.create(&link, withLog ? 2 : 1, options));
  }
  ~Link() {
    if (link)
      library.destroy(&link);
  }
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;

  LinkedImage run(std::string_view text) {
    std::string input(text); // It wants a zero behind it, and counts it.
    check(library.addData(link, inputPtx, input.c_str(), input.size() + 1,
                          "kernels"));
    check(library.complete(link));
    LinkedImage result;
    size_t bytes = 0;
    check(library.getImageSize(link, &bytes));
    result.image.resize(bytes);
    check(library.getImage(link, result.image.data()));
    result.log = read(library.getInfoSize, library.getInfo);
    return result;
  }

private:
  std::string read(int (*size)(void *, size_t *), int (*get)(void *, char *)) {
    size_t bytes = 0;
    if (!link || size(link, &bytes) != 0 || bytes < 2)
      return {};
    std::string text(bytes, 0);
    if (get(link, text.data()) != 0)
      return {};
    text.resize(text.find_last_not_of(std::string_view("\0\n", 2)) + 1);
    return text;
  }

  void check(int result) {
    if (result == 0)
      return;
    std::string log = read(library.getErrorSize, library.getError);
    throw UnsupportedError("nvJitLink " + library.version() +
                           " cannot make code for " + architecture +
                           " of the kernels (error " + std::to_string(result) +
                           ")" + (log.empty() ? "" : ":\n" + log));
  }

  const NvJitLink &library;
  std::string architecture;
  void *link = nullptr;
};
} // namespace

LinkedImage linkText(const NvJitLink &library, std::string_view text,
                     const std::string &architecture, bool withLog) {
  return Link(library, architecture, withLog).run(text);
}

} // namespace blocks::cuda

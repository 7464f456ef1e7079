// TarReader: see TarReader.h.
#include "fuel/Converters/TarReader.h"

#include "blocks/Error.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <new>

namespace fuel {

void TarReader::Close::operator()(archive *handle) const {
  archive_read_free(handle);
}

TarReader::~TarReader() = default;

// Only filters that libarchive has built in: others start programs.
TarReader::TarReader(std::span<const std::byte> bytes, const std::string &where)
    : where(where), handle(archive_read_new()) {
  if (!handle)
    throw std::bad_alloc();
  archive_read_support_filter_gzip(handle.get());
  archive_read_support_filter_bzip2(handle.get());
  archive_read_support_filter_xz(handle.get());
  archive_read_support_format_tar(handle.get());
  if (archive_read_open_memory(handle.get(), bytes.data(), bytes.size()) !=
      ARCHIVE_OK)
    fail();
}

void TarReader::fail() const {
  const char *reason = archive_error_string(handle.get());
  throw blocks::CorruptError(
      "cannot read " + where +
      " as a tar archive: " + (reason ? reason : "the file is damaged") +
      (current.empty() ? "" : " (after '" + current + "')") +
      "; is the download complete?");
}

/// Folders and devices hold nothing.
static bool isFileOrLink(archive_entry *entry) {
  return archive_entry_filetype(entry) == AE_IFREG ||
         archive_entry_filetype(entry) == AE_IFLNK ||
         archive_entry_hardlink(entry);
}

bool TarReader::next() {
  do {
    int result = archive_read_next_header(handle.get(), &entry);
    if (result == ARCHIVE_EOF)
      return false;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
      fail();
  } while (!isFileOrLink(entry));
  const char *name = archive_entry_pathname(entry);
  if (!name)
    name = archive_entry_pathname_utf8(entry);
  current = name ? name : "?";
  return true;
}

std::string TarReader::hardLink() const {
  const char *name = archive_entry_hardlink(entry);
  return name ? name : "";
}

/// A link to a name may lead anywhere, and to a folder.
void TarReader::refuseLink() const {
  const char *symbolic = archive_entry_symlink(entry);
  if (!symbolic && hardLink().empty() &&
      archive_entry_filetype(entry) != AE_IFLNK)
    return;
  throw blocks::InputError(
      where + ", entry '" + current + "' is a link to '" +
      (symbolic ? symbolic : hardLink()) +
      "'; expected the file itself: pack the archive again with 'tar "
      "--dereference --hard-dereference'");
}

uint64_t TarReader::size() const {
  return uint64_t(std::max<int64_t>(archive_entry_size(entry), 0));
}

// A sparse file has holes, which are zeros.
void TarReader::read(
    const std::function<void(std::span<const std::byte>)> &use) {
  refuseLink();
  static const std::byte zeros[4096] = {};
  int64_t done = 0;
  auto fill = [&](int64_t upTo) {
    while (done < upTo) {
      int64_t piece = std::min<int64_t>(upTo - done, sizeof zeros);
      use({zeros, size_t(piece)});
      done += piece;
    }
  };
  for (;;) {
    const void *data = nullptr;
    size_t bytes = 0;
    int64_t offset = 0;
    int result = archive_read_data_block(handle.get(), &data, &bytes, &offset);
    if (result == ARCHIVE_EOF)
      break;
    if (result != ARCHIVE_OK)
      fail();
    fill(offset);
    use({static_cast<const std::byte *>(data), bytes});
    done += int64_t(bytes);
  }
  fill(int64_t(size()));
}

} // namespace fuel

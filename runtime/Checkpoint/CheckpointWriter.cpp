// Writing of checkpoints: see CheckpointFile.h. HDF5 lays the file out (small
// metadata, space reserved for each array) and closes it; the arrays are then
// written straight from memory to their places. So nothing is buffered twice,
// HDF5's lock is held for moments only, and a full disk is met in our own
// write(2) calls, not in the library's cache.
#include "runtime/Checkpoint/CheckpointFile.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Checkpoint/CheckpointHeader.h"
#include "runtime/Checkpoint/Rotation.h"
#include "runtime/Checkpoint/StateArchive.h"
#include "runtime/Checkpoint/StateLayout.h"
#include "runtime/Hdf5/File.h"

#include <cerrno>
#include <fcntl.h>

namespace blocks {

namespace {
/// A dataset to be written: its place in the file's tree and its bytes.
struct Piece {
  std::string path;
  ArrayView array;
};

std::vector<Piece> collectPieces(const ProgramSpec &spec,
                                 const ProgramState &state,
                                 const std::string &archive) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < spec.state.size(); ++i)
    if (isDataset(spec.state[i]))
      pieces.push_back({datasetPath(spec.state[i]), state.arrays[i].view()});
  pieces.push_back({"state",
                    {DType::UInt8,
                     {int64_t(archive.size())},
                     reinterpret_cast<const std::byte *>(archive.data())}});
  return pieces;
}

/// Fails now, with nothing written, if the disk cannot hold the file.
void checkRoom(FileDescriptor &file, const std::vector<Piece> &pieces) {
  uint64_t bytes = checkpointHeaderBytes + 65536;
  for (const Piece &piece : pieces)
    bytes += piece.array.bytes() + 1024;
  if (::fallocate(file.get(), 0, 0, off_t(bytes)) != 0 && errno != EOPNOTSUPP &&
      errno != ENOSYS)
    throw ioError("write", file.path(), errno);
  file.truncate(0);
}

void layOut(const std::string &path, const std::vector<Piece> &pieces) {
  hdf5::File file =
      hdf5::File::create(path, {.userBlock = checkpointHeaderBytes});
  {
    hdf5::Group root = file.root();
    for (const Piece &piece : pieces)
      root.createDataset(piece.path, piece.array.dtype, piece.array.shape);
  }
  file.close();
}

void fillIn(FileDescriptor &file, const std::vector<Piece> &pieces) {
  hdf5::File layout = hdf5::File::open(file.path());
  hdf5::Group root = layout.root();
  for (const Piece &piece : pieces) {
    if (piece.array.bytes() == 0)
      continue;
    std::optional<uint64_t> offset = root.dataset(piece.path).mappableOffset();
    if (!offset)
      throw UnsupportedError("the HDF5 library did not reserve space for '" +
                             piece.path + "' in '" + file.path() + "'");
    file.writeAt(piece.array.data, piece.array.bytes(), *offset);
  }
}
} // namespace

void writeCheckpoint(const std::string &path, const ProgramSpec &spec,
                     const ProgramState &state, const StateRecords &records,
                     Keep keep) {
  StateRecords all = records;
  all["scalars"] = saveScalars(spec, state);
  all["model"] = describeModel(spec);
  std::string archive = packRecords(all);
  std::vector<Piece> pieces = collectPieces(spec, state, archive);

  AtomicFile file(path);
  checkRoom(file.descriptor(), pieces);
  layOut(file.temporary(), pieces);
  fillIn(file.descriptor(), pieces);
  sealCheckpoint(file.descriptor());
  file.descriptor().sync();
  verifyCheckpoint(MappedFile(file.temporary()).bytes(), file.temporary());
  // First the best: a run that is killed in between goes on from the one
  // before, and finds this one again.
  if (keep.best)
    keepAsBest(file.temporary(), file.path());
  rotateCheckpoints(file.path(), keep.files);
  file.commit();
}

} // namespace blocks

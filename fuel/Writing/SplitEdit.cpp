// SplitEdit: see SplitEdit.h.
#include "fuel/Writing/SplitEdit.h"

#include "blocks/Error.h"
#include "fuel/Hdf5/ChildProcess.h"

#include <algorithm>
#include <filesystem>

namespace fuel {

using blocks::hdf5::File;
using blocks::hdf5::Group;

namespace {
/// Work of the HDF5 library on headers that nobody vouches for.
template <typename Work> void apart(const std::string &path, Work work) {
  ChildLimits limits;
  std::error_code missing;
  uint64_t size = std::filesystem::file_size(path, missing);
  limits.cpuSeconds += 60 + (missing ? 0 : int64_t(size >> 23));
  inChildProcess(path, limits, [&] {
    blocks::hdf5::refusePlugins();
    work();
    return std::string();
  });
}

/// "test_indices", or with a number behind if that is taken.
std::string freeName(const Group &root, const std::string &wanted) {
  std::string name = wanted;
  for (int i = 2; root.has(name); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

/// Sources of a split usually share their rows, and then the dataset.
class Indices {
public:
  Indices(Group &root, std::string split)
      : root(root), split(std::move(split)) {}

  hobj_ref_t add(const NewPart &part) {
    for (const auto &[rows, reference] : known)
      if (rows == *part.rows)
        return reference;
    std::string name = freeName(
        root, split + (known.empty() ? "" : "_" + part.source) + "_indices");
    blocks::Array values(blocks::DType::Int64, {int64_t(part.rows->size())});
    std::copy(part.rows->begin(), part.rows->end(), values.as<int64_t>());
    root.write(name, values.view());
    known.emplace_back(*part.rows, root.reference(name));
    return known.back().second;
  }

private:
  Group &root;
  std::string split;
  std::vector<std::pair<std::vector<int64_t>, hobj_ref_t>> known;
};

void replaceString(Group &root, const std::string &name,
                   const std::string &text) {
  root.removeAttribute(name);
  root.writeString(name, text);
}
} // namespace

void addToTable(const std::string &path, const std::string &split,
                const std::string &comment, const std::vector<NewPart> &parts,
                const std::string &origin) {
  apart(path, [&] {
    File file = File::edit(path);
    {
      Group root = file.root();
      SplitTable table = SplitTable::read(root);
      std::vector<SplitRow> rows = table.all();
      Indices indices(root, split);
      for (const std::string &source : table.sources()) {
        SplitRow row{split, source};
        row.available = false;
        for (const NewPart &part : parts)
          if (part.source == source)
            row = part.rows ? SplitRow{split, source, -1, -1, indices.add(part),
                                       true,  comment}
                            : SplitRow{split, source, part.start, part.stop,
                                       0,     true,   comment};
        rows.push_back(row);
      }
      root.removeAttribute("split");
      SplitTable(std::move(rows)).write(root);
      replaceString(root, "fuel_convert_command", origin);
      replaceString(root, "h5py_interface_version", "0.3");
      replaceString(root, "fuel_convert_version", "0.2");
    }
    file.close();
  });
}

bool fitsWithSplit(const std::vector<SplitRow> &rows, const std::string &split,
                   const std::string &comment, size_t sources) {
  std::vector<SplitRow> all = rows;
  SplitRow row{split, ""};
  row.comment = comment;
  all.insert(all.end(), sources, row);
  return SplitTable(std::move(all)).fitsOldHeaders();
}

void copyOtherObjects(const std::string &from, const std::string &to,
                      const std::vector<std::string> &except) {
  apart(from, [&] {
    File source = File::open(from), target = File::edit(to);
    {
      Group old = source.root(), root = target.root();
      for (const std::string &name : old.children())
        if (std::find(except.begin(), except.end(), name) == except.end() &&
            !root.has(name) && !old.isExternalLink(name) && old.has(name))
          old.copyTo(name, root);
      old.copyMissingAttributes(root);
    }
    target.close();
  });
}

void requireSameLists(const std::string &a, const std::string &b,
                      const std::vector<std::string> &sources) {
  apart(b, [&] {
    File first = File::open(a), second = File::open(b);
    Group one = first.root(), other = second.root();
    auto isList = [&](const Group &root, const std::string &name) {
      return root.isDataset(name) &&
             root.dataset(name).type().kind() == H5T_STRING &&
             root.dataset(name).shape().size() == 1 &&
             !name.ends_with("_shape_labels");
    };
    for (const std::string &name : one.children())
      if (std::find(sources.begin(), sources.end(), name) == sources.end() &&
          isList(one, name) && isList(other, name) &&
          one.dataset(name).readTexts() != other.dataset(name).readTexts())
        throw blocks::InputError(
            "the list '" + name + "' of '" + b + "' differs from that of '" +
            a +
            "', so that equal numbers would mean different things; convert the "
            "new rows with the same classes or vocabulary");
  });
}

} // namespace fuel

//===- StoredCase.cpp - See the header ------------------------------------===//
#include "test/lib/Reference/random_graphs/StoredCase.h"

#include "blocks/Error.h"
#include "blocks/NpzFile.h"

#include <fstream>
#include <sstream>

namespace blocks::testing {

using reference::NamedTensors;
using reference::Tensor;

static void write(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw IoError(path + " cannot be written");
}

StoredCase::StoredCase(const std::string &path, const CompiledRun &run,
                       const std::string &entry, Tolerances tolerances,
                       const NamedTensors &sources, const NamedTensors &state)
    : arrays(std::make_unique<NpzWriter>(path + ".npz", /*deflate=*/true)) {
  write(path + ".json", run.parts().manifest);
  write(path + ".o", run.parts().object);
  write(path + ".ptx", run.parts().deviceText);
  std::ostringstream line;
  line << entry << " " << tolerances.output << " " << tolerances.gradient;
  write(path + ".entry", line.str() + "\n");
  for (const auto &[name, tensor] : sources)
    add("source/" + name, tensor);
  for (const auto &[path, tensor] : state)
    add("state" + path, tensor);
}

StoredCase::~StoredCase() = default;

void StoredCase::add(const std::string &name, const Tensor &tensor) {
  Array array = llvm::cantFail(reference::toArray(tensor));
  arrays->add(name, array.view());
}

void StoredCase::expect(const std::string &kind, const NamedList &expected,
                        const WideReference &wide) {
  Judge judge(wide);
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto &[name, tensor] = expected[i];
    std::string key = kind + "/" + name;
    add("expected/" + key, tensor);
    if (!tensor.isReal())
      continue;
    if (std::optional<Allowance> allowance = judge.allow(i, tensor)) {
      add("wide/" + key, allowance->right);
      Array error(DType::Float64, {});
      *error.as<double>() = allowance->error;
      arrays->add("allowed/" + key, error.view());
    }
  }
}

void StoredCase::commit() { arrays->commit(); }

} // namespace blocks::testing

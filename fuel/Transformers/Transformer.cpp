// Transformer: see Transformer.h.
#include "fuel/Transformers/Transformer.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

Transformer::Transformer(std::unique_ptr<DataStream> stream,
                         const std::vector<std::string> &which,
                         std::string description)
    : inner(std::move(stream)), infos(inner->sources()),
      text(std::move(description)) {
  selected.assign(infos.size(), which.empty());
  std::string known;
  for (const SourceInfo &info : infos)
    known += (known.empty() ? "'" : ", '") + info.name + "'";
  for (const std::string &name : which) {
    auto found = std::find_if(infos.begin(), infos.end(),
                              [&](auto &info) { return info.name == name; });
    if (found == infos.end())
      throw blocks::UsageError("the transformer '" + text +
                               "' names the source '" + name +
                               "'; the stream has: " + known);
    selected[size_t(found - infos.begin())] = true;
  }
}

void Transformer::describeSources() {
  for (size_t i = 0; i < infos.size(); ++i)
    if (selected[i])
      changeInfo(infos[i]);
}

bool Transformer::next(Batch &batch) {
  if (!inner->next(input))
    return false;
  batch.examples = input.examples;
  std::swap(batch.request, input.request);
  batch.resize(input.sources.size());
  for (size_t i = 0; i < input.sources.size(); ++i) {
    std::swap(input.items[i], batch.items[i]);
    if (selected[i])
      change(input.sources[i], batch.sources[i]);
    else
      std::swap(input.sources[i], batch.sources[i]);
  }
  return true;
}

} // namespace fuel

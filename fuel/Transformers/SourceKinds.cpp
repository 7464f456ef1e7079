// Transformers of the set of sources: rename and filter_sources. Nothing is
// copied.
#include "fuel/Transformers/BuiltIn.h"

#include "blocks/Error.h"

#include <algorithm>
#include <set>

namespace fuel {

namespace {

/// Sources chosen by index, under other names.
class Choice : public UpperLayer {
public:
  Choice(std::unique_ptr<Layer> below, std::string text,
         std::vector<size_t> kept, std::vector<std::string> names)
      : UpperLayer(std::move(below), std::move(text)), kept(std::move(kept)) {
    infos.clear();
    for (size_t i = 0; i < this->kept.size(); ++i) {
      infos.push_back(inner->sources()[this->kept[i]]);
      infos.back().name = names[i];
    }
  }

protected:
  void produce(Work &base, Batch &batch) override {
    auto &work = static_cast<InnerWork &>(base);
    inner->finish(*work.inner, work.input);
    batch.resize(kept.size());
    batch.examples = work.input.examples;
    std::swap(batch.request, work.input.request);
    for (size_t i = 0; i < kept.size(); ++i) {
      std::swap(batch.sources[i], work.input.sources[kept[i]]);
      std::swap(batch.items[i], work.input.items[kept[i]]);
    }
  }

private:
  std::vector<size_t> kept;
};

std::unique_ptr<Layer> makeRename(std::unique_ptr<Layer> inner,
                                  TransformerOptions &options) {
  std::vector<std::string> from = options.takeList("from");
  std::vector<std::string> to = options.takeList("to");
  bool ignore = options.takeBool("ignore_missing", false);
  if (from.empty() || from.size() != to.size())
    options.refuse("renames " + std::to_string(from.size()) + " sources to " +
                   std::to_string(to.size()) +
                   " names; expected equally many: rename(from=a+b,to=c+d)");
  std::vector<size_t> kept;
  std::vector<std::string> names, known;
  for (size_t i = 0; i < inner->sources().size(); ++i) {
    known.push_back(inner->sources()[i].name);
    auto found = std::find(from.begin(), from.end(), known.back());
    names.push_back(found == from.end() ? known.back()
                                        : to[size_t(found - from.begin())]);
    kept.push_back(i);
  }
  for (const std::string &name : from)
    if (!ignore && std::find(known.begin(), known.end(), name) == known.end())
      options.refuse("renames '" + name +
                     "', which the stream does not have; give "
                     "ignore_missing=true if that is meant");
  std::set<std::string> seen;
  for (const std::string &name : names)
    if (!seen.insert(name).second)
      options.refuse("would make two sources named '" + name + "'");
  return std::make_unique<Choice>(std::move(inner), options.written(), kept,
                                  names);
}

std::unique_ptr<Layer> makeFilterSources(std::unique_ptr<Layer> inner,
                                         TransformerOptions &options) {
  std::vector<std::string> wanted = options.takeList("sources");
  std::vector<size_t> kept;
  std::vector<std::string> names;
  std::string known;
  for (size_t i = 0; i < inner->sources().size(); ++i) {
    const std::string &name = inner->sources()[i].name;
    known += (known.empty() ? "'" : ", '") + name + "'";
    if (std::erase(wanted, name) == 0)
      continue;
    kept.push_back(i);
    names.push_back(name);
  }
  if (!wanted.empty())
    options.refuse("names the source '" + wanted.front() +
                   "'; the stream has: " + known);
  if (kept.empty())
    options.refuse("keeps no source; the stream has: " + known);
  return std::make_unique<Choice>(std::move(inner), options.written(), kept,
                                  names);
}
} // namespace

void addSourceKinds(Registry &registry) {
  registry.add({"rename",
                "other names for sources",
                {{"from", "", "names: a+b"},
                 {"to", "", "their new names: c+d"},
                 {"ignore_missing", "false", "true: skip unknown names"}},
                makeRename});
  registry.add({"filter_sources",
                "keeps some sources, in the stream's order",
                {{"sources", "", "those to keep: a+b"}},
                makeFilterSources});
}

} // namespace fuel

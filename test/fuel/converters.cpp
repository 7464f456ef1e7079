// Converters: the table of converters, a program's own, and the check of
// options.
#include "fuel/Convert.h"

#include "blocks/Error.h"
#include "test/Check.h"

#include <algorithm>

using namespace fuel;

namespace {
template <typename Run> void refused(const std::string &words, Run run) {
  try {
    run();
    checkFailed(__FILE__, __LINE__, "no error with '" + words + "'");
  } catch (const blocks::UsageError &error) {
    if (std::string(error.what()).find(words) == std::string::npos)
      checkFailed(__FILE__, __LINE__, error.what());
  }
}

/// What the options were when it was called.
Converter ownConverter(ConvertOptions &seen) {
  Converter own;
  own.name = own.outputName = "own";
  ConverterOption size{"size", "how many", "3"}, kind{"kind", "which kind"},
      names{"name", "a name"}, loud{"loud", "whether it says so"};
  kind.required = true;
  kind.choices = {"red", "blue"};
  names.repeated = true;
  loud.flag = true;
  own.options = {size, kind, names, loud};
  own.convert = [&seen](const ConvertOptions &options) {
    seen = options;
    return std::string("written");
  };
  return own;
}

void theTable() {
  std::vector<std::string> names;
  for (const Converter &converter : converters()) {
    names.push_back(converter.name);
    CHECK(!converter.summary.empty() &&
          // It changes a file rather than making one.
          (!converter.outputName.empty() || converter.name == "append-split"));
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const char *name :
       {"adult", "binarized_mnist", "caltech101_silhouettes", "celeba",
        "cifar10", "cifar100", "dogs_vs_cats", "ilsvrc2010", "ilsvrc2012",
        "iris", "mnist", "svhn", "youtube_audio"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
}

void aProgramsOwn() {
  ConvertOptions seen, options;
  size_t before = converters().size();
  registerConverter(ownConverter(seen));
  CHECK_EQ(converters().size(), before + 1);
  refused("there is a converter 'own' already",
          [&] { registerConverter(ownConverter(seen)); });
  refused("there is a converter 'mnist' already", [&] {
    Converter mnist = ownConverter(seen);
    mnist.name = "mnist";
    registerConverter(mnist);
  });
  refused("needs a name", [] { registerConverter({}); });

  refused("no converter 'other'; there are:",
          [&] { runConverter("other", options); });
  refused("--kind of the converter 'own' is missing: which kind",
          [&] { runConverter("own", options); });
  options.values["kind"] = {"green"};
  refused("is 'green'; expected red or blue",
          [&] { runConverter("own", options); });
  options.values["kind"] = {"blue", "red"};
  refused("given 2 times; expected once",
          [&] { runConverter("own", options); });
  options.values["kind"] = {"blue"};
  options.values["color"] = {"x"};
  refused("has no option 'color'", [&] { runConverter("own", options); });
  options.values.erase("color");
  options.values["name"] = {"a", "b"};
  options.values["loud"] = {"true"};

  CHECK_EQ(runConverter("own", options), std::string("written"));
  CHECK_EQ(seen.integer("size"), int64_t(3));
  CHECK_EQ(seen.number("size"), 3.0);
  CHECK_EQ(seen.text("kind"), std::string("blue"));
  CHECK(seen.flag("loud") && !seen.flag("kind") && seen.has("name"));
  CHECK(seen.list("name") == (std::vector<std::string>{"a", "b"}));
  CHECK(!seen.has("nothing") && seen.text("nothing").empty());
  refused("the option 'kind' is 'blue'; expected a whole number",
          [&] { seen.integer("kind"); });
  refused("expected a number", [&] { seen.number("nothing"); });
}
} // namespace

int main() {
  theTable();
  aProgramsOwn();
  return checkSummary();
}

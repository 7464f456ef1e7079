// Extents of named axes: see AxisExtents.h.
#include "runtime/Program/AxisExtents.h"

#include "blocks/Error.h"

namespace blocks {

int64_t AxisExtents::find(std::string_view name) const {
  for (size_t i = 0; i < axisNames.size(); ++i)
    if (axisNames[i] == name)
      return int64_t(i);
  return -1;
}

void AxisExtents::declare(const SourceSpec &source) {
  std::vector<int64_t> axes;
  for (const std::string &name : source.axes) {
    int64_t axis = name.empty() ? -1 : find(name);
    if (!name.empty() && axis < 0) {
      axis = int64_t(axisNames.size());
      axisNames.push_back(name);
      axisExtents.push_back(-1);
      seenIn.push_back(nullptr);
    }
    axes.push_back(axis);
  }
  sourceAxes.push_back(std::move(axes));
}

bool AxisExtents::knows(const OutputSpec &output, std::string &problem) {
  std::vector<std::optional<ExtentFormula>> dimensions(output.shape.size());
  auto axis = [&](std::string_view name) { return find(name); };
  for (size_t d = 0; d < output.shape.size(); ++d) {
    if (output.shape[d] >= 0)
      continue;
    dimensions[d] = ExtentFormula::parse(output.axes[d], axis);
    if (!dimensions[d]) {
      problem = "has '" + output.name + "' with the axis '" + output.axes[d] +
                "', which no source has";
      return false;
    }
  }
  outputAxes.push_back(std::move(dimensions));
  outputShapes.push_back(output.shape);
  return true;
}

bool AxisExtents::require(const std::string &formula, const std::string &text) {
  auto axis = [&](std::string_view name) { return find(name); };
  auto parsed = ExtentFormula::parse(formula, axis);
  if (parsed)
    requirements.emplace_back(std::move(*parsed), text);
  return parsed.has_value();
}

void AxisExtents::check(const std::string &entry) const {
  for (const auto &[formula, text] : requirements) {
    if (formula.evaluate(axisExtents) >= 0)
      continue;
    std::string found;
    for (size_t i = 0; i < axisNames.size(); ++i)
      found += (found.empty() ? "" : ", ") + axisNames[i] + " = " +
               std::to_string(axisExtents[i]);
    throw InputError("entry '" + entry + "' does not take these data: " + text +
                     ", which is not possible where " + found +
                     "; give other data or change the model");
  }
}

void AxisExtents::begin() {
  for (size_t i = 0; i < axisExtents.size(); ++i) {
    axisExtents[i] = -1;
    seenIn[i] = nullptr;
  }
}

namespace {
std::string describe(const SourceSpec &spec, const ArrayView &input) {
  return "source '" + spec.name + "' has shape " + formatShape(input.shape);
}

void checkType(const std::string &entry, const SourceSpec &spec,
               const ArrayView &input) {
  if (input.dtype == spec.dtype)
    return;
  throw InputError("source '" + spec.name + "' has elements of type " +
                   std::string(dtypeName(input.dtype)) + ", entry '" + entry +
                   "' expects " + std::string(dtypeName(spec.dtype)) +
                   "; declare the source with the type of the data and cast in "
                   "the model, or convert the data");
}

bool fits(const Shape &found, const Shape &expected) {
  if (found.size() != expected.size())
    return false;
  for (size_t d = 0; d < found.size(); ++d)
    if (found[d] < 0 || (expected[d] >= 0 && found[d] != expected[d]))
      return false;
  return true;
}
} // namespace

void AxisExtents::take(size_t source, const std::string &entry,
                       const SourceSpec &spec, const ArrayView &input) {
  checkType(entry, spec, input);
  if (!fits(input.shape, spec.shape))
    throw InputError(describe(spec, input) + ", entry '" + entry +
                     "' expects " + formatShape(spec.shape) +
                     "; reshape the data or change the model's source");
  for (size_t d = 0; d < input.shape.size(); ++d) {
    int64_t axis = sourceAxes[source][d];
    if (axis < 0)
      continue;
    int64_t &extent = axisExtents[size_t(axis)];
    if (extent < 0) {
      extent = input.shape[d];
      seenIn[size_t(axis)] = &spec;
    } else if (extent != input.shape[d]) {
      failUnequal(entry, spec, input, d, size_t(axis));
    }
  }
}

void AxisExtents::failUnequal(const std::string &entry, const SourceSpec &spec,
                              const ArrayView &input, size_t dimension,
                              size_t axis) const {
  throw InputError(describe(spec, input) + ", so its axis '" + axisNames[axis] +
                   "' is " + std::to_string(input.shape[dimension]) +
                   ", but source '" + seenIn[axis]->name + "' of entry '" +
                   entry + "' has " + std::to_string(axisExtents[axis]) +
                   "; both must be equal");
}

const Shape &AxisExtents::shapeOf(size_t output) {
  Shape &shape = outputShapes[output];
  for (size_t d = 0; d < shape.size(); ++d) {
    if (outputAxes[output][d])
      shape[d] = outputAxes[output][d]->evaluate(axisExtents);
  }
  return shape;
}

} // namespace blocks

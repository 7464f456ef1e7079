// SplitPlan: see SplitPlan.h.
#include "fuel/Converters/Generic/SplitPlan.h"

#include "blocks/Error.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fuel {

using blocks::UsageError;

SplitPlan::SplitPlan(const std::string &only) {
  parts.push_back({Part::Kind::Rest, only});
}

//===-- The written form --------------------------------------------------===//

SplitPlan::Part SplitPlan::parsePart(const std::string &text) {
  size_t equals = text.find('=');
  std::string name = text.substr(0, equals);
  std::string size = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name.empty() || size.empty())
    throw UsageError("--split has the part '" + text +
                     "'; expected NAME=SIZE, as in train=0.9,valid=0.1");
  if (size == "rest")
    return {Part::Kind::Rest, name};
  const char *end = size.data() + size.size();
  int64_t count = 0;
  auto whole = std::from_chars(size.data(), end, count);
  if (whole.ec == std::errc() && whole.ptr == end && count > 0)
    return {Part::Kind::Count, name, 0, count};
  double fraction = 0;
  auto part = std::from_chars(size.data(), end, fraction);
  if (part.ec == std::errc() && part.ptr == end && fraction > 0 &&
      fraction <= 1)
    return {Part::Kind::Fraction, name, fraction};
  throw UsageError("--split gives '" + name + "' the size '" + size +
                   "'; expected a fraction (0.9), a number of rows (50000), or "
                   "'rest'");
}

SplitPlan SplitPlan::parse(const std::string &text) {
  SplitPlan plan;
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    plan.parts.push_back(parsePart(text.substr(at, comma - at)));
    at = comma + 1;
  }
  plan.check();
  return plan;
}

void SplitPlan::check() const {
  double sum = 0;
  int64_t rests = 0, counts = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i].fraction;
    rests += parts[i].kind == Part::Kind::Rest;
    counts += parts[i].kind == Part::Kind::Count;
    for (size_t j = 0; j < i; ++j)
      if (parts[i].name == parts[j].name)
        throw UsageError("--split names '" + parts[i].name + "' twice");
  }
  if (rests > 1)
    throw UsageError("--split has more than one 'rest'");
  if (sum > 1 + 1e-9)
    throw UsageError("the fractions of --split add up to " +
                     std::to_string(sum) + ", more than 1");
  if (!rests && !counts && sum < 1 - 1e-9)
    throw UsageError("the fractions of --split add up to " +
                     std::to_string(sum) +
                     "; expected 1, or a split that takes the 'rest'");
}

//===-- Division ----------------------------------------------------------===//

// Ends of fractions are rounded as they add up, so that nothing is lost between
// them.
std::vector<SplitRange> SplitPlan::divide(int64_t rows) const {
  std::vector<SplitRange> ranges;
  int64_t rest = restOf(rows), at = 0, begin = 0;
  double sum = 0;
  for (const Part &part : parts) {
    int64_t size = part.kind == Part::Kind::Rest ? rest : part.count;
    if (part.kind == Part::Kind::Fraction) {
      int64_t before = std::llround(sum * double(rows));
      sum += part.fraction;
      size = std::llround(sum * double(rows)) - before;
    }
    if (size < 1 || size > rows - at)
      throw UsageError("split '" + part.name + "' would get " +
                       std::to_string(std::max<int64_t>(size, 0)) + " of the " +
                       std::to_string(rows - at) + " rows left of " +
                       std::to_string(rows) +
                       "; choose other sizes in --split");
    begin = at;
    at += size;
    ranges.push_back({part.name, begin, at});
  }
  if (at < rows)
    throw UsageError(std::to_string(rows - at) + " of the " +
                     std::to_string(rows) +
                     " rows belong to no split of --split; give one of them "
                     "the 'rest'");
  return ranges;
}

int64_t SplitPlan::restOf(int64_t rows) const {
  double sum = 0;
  int64_t counts = 0;
  for (const Part &part : parts) {
    sum += part.fraction;
    counts += part.count;
  }
  return rows - counts - std::llround(sum * double(rows));
}

std::vector<std::string> SplitPlan::names() const {
  std::vector<std::string> names;
  for (const Part &part : parts)
    names.push_back(part.name);
  return names;
}

} // namespace fuel

// ConstantScheme, ConcatenatedScheme and cross-validation: see
// include/fuel/IterationScheme.h.
#include "fuel/IterationScheme.h"

#include "blocks/Error.h"
#include "fuel/Schemes/BatchSize.h"

#include <algorithm>

namespace fuel {

//===-- ConstantScheme ----------------------------------------------------===//

ConstantScheme::ConstantScheme(int64_t batchSize,
                               std::optional<int64_t> numExamples,
                               std::optional<int64_t> times)
    : batchSize(batchSize), numExamples(numExamples), times(times),
      requested(0) {
  if (numExamples && times)
    throw blocks::UsageError("a constant scheme takes a number of examples or "
                             "a number of times, not both");
  checkSize("the batch size", batchSize);
  checkLength("the number of examples", numExamples.value_or(0));
  checkLength("the number of times", times.value_or(0));
  if (times && batchSize > mostExamples / std::max<int64_t>(*times, 1))
    throw blocks::UsageError(std::to_string(*times) + " times " +
                             std::to_string(batchSize) +
                             " examples are more than 2^40");
}

bool ConstantScheme::next(std::vector<int64_t> &request) {
  std::optional<int64_t> total = requestsPerEpoch();
  if (total && requested >= *total)
    return false;
  int64_t size = numExamples
                     ? std::min(batchSize, *numExamples - requested * batchSize)
                     : batchSize;
  request.assign(1, size);
  ++requested;
  return true;
}

std::optional<int64_t> ConstantScheme::requestsPerEpoch() const {
  if (numExamples)
    return *numExamples / batchSize + (*numExamples % batchSize != 0);
  return times;
}

std::optional<int64_t> ConstantScheme::examplesPerEpoch() const {
  if (times)
    return *times * batchSize;
  return numExamples;
}

std::string ConstantScheme::describe() const {
  std::string text = "constant batch=" + std::to_string(batchSize);
  if (numExamples)
    text += " n=" + std::to_string(*numExamples);
  if (times)
    text += " times=" + std::to_string(*times);
  return text;
}

//===-- ConcatenatedScheme ------------------------------------------------===//

ConcatenatedScheme::ConcatenatedScheme(
    std::vector<std::unique_ptr<IterationScheme>> parts)
    : schemes(std::move(parts)), current(schemes.size()) {
  if (schemes.empty())
    throw blocks::UsageError("nothing to concatenate: no scheme was given");
  for (const auto &scheme : schemes)
    if (scheme->kind() != kind())
      throw blocks::UsageError(
          "cannot concatenate '" + schemes.front()->describe() + "' and '" +
          scheme->describe() + "': they make different kinds of requests");
}

void ConcatenatedScheme::startEpoch() {
  for (auto &scheme : schemes)
    scheme->startEpoch();
  current = 0;
}

bool ConcatenatedScheme::next(std::vector<int64_t> &request) {
  for (; current < schemes.size(); ++current)
    if (schemes[current]->next(request))
      return true;
  return false;
}

namespace {
/// The sum over all parts, or nothing if one of them has none.
template <typename Count>
std::optional<int64_t>
sum(const std::vector<std::unique_ptr<IterationScheme>> &parts, Count count) {
  int64_t total = 0;
  for (const auto &part : parts) {
    std::optional<int64_t> n = count(*part);
    if (!n)
      return std::nullopt;
    total += *n;
  }
  return total;
}
} // namespace

std::optional<int64_t> ConcatenatedScheme::requestsPerEpoch() const {
  return sum(schemes, [](auto &s) { return s.requestsPerEpoch(); });
}

std::optional<int64_t> ConcatenatedScheme::examplesPerEpoch() const {
  return sum(schemes, [](auto &s) { return s.examplesPerEpoch(); });
}

std::string ConcatenatedScheme::epochState() const {
  std::string text;
  for (const auto &scheme : schemes)
    text += (text.empty() ? "(" : "|") + scheme->epochState();
  return text + ")";
}

// The parts may be concatenations themselves, so only bars outside of inner
// parentheses separate.
static std::vector<std::string> splitParts(const std::string &state) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : state) {
    depth += (c == '(') - (c == ')');
    bool outer = depth == 1 && (c == '(' || c == '|');
    if (c == '|' && depth == 1)
      parts.emplace_back();
    else if (!outer && depth > 0)
      parts.back() += c;
  }
  return parts;
}

void ConcatenatedScheme::restoreEpoch(const std::string &state) {
  std::vector<std::string> parts = splitParts(state);
  if (parts.size() != schemes.size())
    throw blocks::InputError(
        "the saved state is that of " + std::to_string(parts.size()) +
        " concatenated schemes; expected " + std::to_string(schemes.size()));
  for (size_t i = 0; i < parts.size(); ++i)
    schemes[i]->restoreEpoch(parts[i]);
}

std::string ConcatenatedScheme::describe() const {
  std::string text;
  for (const auto &scheme : schemes)
    text += (text.empty() ? "(" : ", then ") + scheme->describe();
  return text + ")";
}

//===-- crossValidation ---------------------------------------------------===//

std::vector<Fold> crossValidation(const SchemeFactory &makeScheme,
                                  int64_t numExamples, int64_t numFolds,
                                  bool strict) {
  if (numFolds < 1 || numExamples < 0)
    throw blocks::UsageError(
        "cross-validation of " + std::to_string(numExamples) + " examples in " +
        std::to_string(numFolds) + " folds; expected at least one fold");
  if (strict && numExamples % numFolds != 0)
    throw blocks::UsageError(
        std::to_string(numExamples) + " examples do not divide into " +
        std::to_string(numFolds) +
        " equal folds; choose another number of folds, or do not be strict");
  std::vector<Fold> folds;
  for (int64_t i = 0; i < numFolds; ++i) {
    int64_t begin = numExamples * i / numFolds;
    int64_t end = numExamples * (i + 1) / numFolds;
    std::vector<int64_t> train, valid;
    for (int64_t row = 0; row < numExamples; ++row)
      (row >= begin && row < end ? valid : train).push_back(row);
    folds.push_back({makeScheme(std::move(train)), makeScheme(std::move(valid)),
                     end - begin});
  }
  return folds;
}

} // namespace fuel

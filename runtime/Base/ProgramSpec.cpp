// Look-ups in a program's description, and the hierarchy of roles as far as the
// runtime needs it: see include/blocks/Program.h. It stands in Base because
// compiled and hand-written programs, parameters and the main loop all use it.
#include "blocks/Program.h"

#include <string_view>

namespace blocks {

namespace {
struct RoleParent {
  std::string_view role, parent;
};
// The hierarchy of Blocks' roles; roles without a parent are left out.
constexpr RoleParent roleParents[] = {
    {"parameter", "persistent"},
    {"weight", "parameter"},
    {"filter", "weight"},
    {"bias", "parameter"},
    {"initial_state", "parameter"},
    {"collector", "parameter"},
    {"batch_norm_shift_parameter", "bias"},
    {"batch_norm_scale_parameter", "parameter"},
    {"batch_norm_population_statistics", "persistent"},
    {"batch_norm_population_mean", "batch_norm_population_statistics"},
    {"batch_norm_population_stdev", "batch_norm_population_statistics"},
    {"algorithm_hyperparameter", "algorithm_state"},
    {"algorithm_buffer", "algorithm_state"},
};

std::string_view parentOf(std::string_view role) {
  for (const RoleParent &row : roleParents)
    if (row.role == role)
      return row.parent;
  return {};
}
} // namespace

bool StateSpec::hasRole(const std::string &role) const {
  for (std::string_view own : roles)
    for (; !own.empty(); own = parentOf(own))
      if (own == role)
        return true;
  return false;
}

const EntrySpec *ProgramSpec::findEntry(const std::string &name) const {
  for (const EntrySpec &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

int64_t ProgramSpec::findState(const std::string &path) const {
  for (size_t i = 0; i < state.size(); ++i)
    if (state[i].path == path)
      return int64_t(i);
  return -1;
}

std::string StepStatus::message() const {
  if (ok)
    return "";
  if (operation == "extract_slice")
    return "a slice takes position " + std::to_string(value) + " of axis " +
           std::to_string(row) + ", which has " + std::to_string(limit) +
           " elements here; shorter data needs another slice";
  if (operation == "gather")
    return "the lookup of brick " + (brick.empty() ? "/" : brick) + ": row " +
           std::to_string(row) +
           " of the indices (counted through all axes) "
           "is " +
           std::to_string(value) + ", but the table has the rows 0 to " +
           std::to_string(limit - 1) +
           "; check the data or the length of the table";
  return operation + " of brick " + (brick.empty() ? "/" : brick) + ": row " +
         std::to_string(row) + " of the batch has the label " +
         std::to_string(value) + ", but valid labels are 0 to " +
         std::to_string(limit - 1) +
         "; check the targets or the size of the output layer";
}

} // namespace blocks

//===- Roles.cpp - Roles and sets of roles --------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

std::optional<Role> parentRole(Role role) {
  switch (role) {
  case Role::Parameter:
  case Role::BatchNormPopulationStatistics:
    return Role::Persistent;
  case Role::Weight:
  case Role::Bias:
  case Role::InitialState:
  case Role::Collector:
  case Role::BatchNormScaleParameter:
    return Role::Parameter;
  case Role::Filter:
    return Role::Weight;
  case Role::BatchNormShiftParameter:
    return Role::Bias;
  case Role::BatchNormPopulationMean:
  case Role::BatchNormPopulationStdev:
    return Role::BatchNormPopulationStatistics;
  case Role::AlgorithmHyperparameter:
  case Role::AlgorithmBuffer:
    return Role::AlgorithmState;
  case Role::BatchNormOffset:
  case Role::BatchNormDivisor:
  case Role::BatchNormMinibatchEstimate:
    return Role::BatchNormGraphVariable;
  default:
    return std::nullopt;
  }
}

bool isRole(Role role, Role ancestor) {
  for (std::optional<Role> r = role; r; r = parentRole(*r))
    if (*r == ancestor)
      return true;
  return false;
}

bool RolesAttr::has(Role role) const {
  return llvm::any_of(getValue(), [&](Role r) { return isRole(r, role); });
}

RolesAttr RolesAttr::with(Role role) const {
  if (has(role))
    return *this;
  SmallVector<Role> roles;
  for (Role r : getValue())
    if (!isRole(role, r))
      roles.push_back(r);
  roles.push_back(role);
  return of(getContext(), roles);
}

RolesAttr RolesAttr::empty(MLIRContext *context) { return get(context, {}); }

RolesAttr RolesAttr::of(MLIRContext *context, ArrayRef<Role> roles) {
  SmallVector<Role> sorted(roles);
  llvm::sort(sorted);
  sorted.erase(llvm::unique(sorted), sorted.end());
  return get(context, sorted);
}

/// Parses `[weight, output]`; names the known roles when one is unknown.
ParseResult parseRoles(AsmParser &parser, RolesAttr &roles) {
  SmallVector<Role> values;
  auto parseOne = [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Role> role = symbolizeRole(keyword);
    if (!role) {
      InFlightDiagnostic error = parser.emitError(location)
                                 << "unknown role '" << keyword
                                 << "'; the roles are ";
      for (uint64_t i = 0; i <= getMaxEnumValForRole(); ++i)
        error << (i ? ", " : "") << stringifyRole(Role(i));
      return error;
    }
    values.push_back(*role);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  roles = RolesAttr::of(parser.getContext(), values);
  return success();
}

void printRoles(AsmPrinter &printer, RolesAttr roles) {
  printer << '[';
  llvm::interleaveComma(roles.getValue(), printer,
                        [&](Role role) { printer << stringifyRole(role); });
  printer << ']';
}

Attribute RolesAttr::parse(AsmParser &parser, Type) {
  RolesAttr roles;
  if (parser.parseLess() || parseRoles(parser, roles) || parser.parseGreater())
    return {};
  return roles;
}

void RolesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printRoles(printer, *this);
  printer << '>';
}

} // namespace blocks

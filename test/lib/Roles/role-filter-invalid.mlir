// Filters that cannot be read: the column, and what was expected.
// RUN: not blocks-opt %s -print-roles="where='role:wieght'" 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: filter 'role:wieght', column 6: there is no role 'wieght'; did you mean 'weight'
// RUN: not blocks-opt %s -print-roles="where='roles:weight'" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: filter 'roles:weight', column 1: there is no criterion 'roles:'; did you mean 'role'?
// RUN: not blocks-opt %s -print-roles="where='(role:weight or name:W'" 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: filter '(role:weight or name:W', column 1: this '(' is not closed
// RUN: not blocks-opt %s -print-roles="where='role:weight)'" 2>&1 | FileCheck %s --check-prefix=CLOSE
// CLOSE: filter 'role:weight)', column 12: unexpected ')'
// RUN: not blocks-opt %s -print-roles="where='role:weight or'" 2>&1 | FileCheck %s --check-prefix=END
// END: filter 'role:weight or', column 15: the filter ends here, expected a criterion such as role:output
// RUN: not blocks-opt %s -print-roles="where='/mlp/linear_0'" 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: filter '/mlp/linear_0', column 1: expected a criterion such as role:output or brick:/mlp/**
// RUN: not blocks-opt %s -print-roles="where='regex:['" 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: filter 'regex:[', column 7: the regular expression '[' does not work: brackets ([ ]) not balanced
// RUN: not blocks-opt %s -print-roles="where='name: W'" 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: filter 'name: W', column 6: 'name:' needs a value
blocks.graph @g(%x: tensor<?x4xf32> {blocks.source = "x"}) {
  blocks.output %x "y" : tensor<?x4xf32>
}

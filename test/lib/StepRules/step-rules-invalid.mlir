// RUN: not blocks-opt %s --blocks-step-rules='rule="adan()"' 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: not blocks-opt %s --blocks-step-rules='rule="adam(learning_rat=1)"' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not blocks-opt %s --blocks-step-rules='rule="adam(learning_rate=true)"' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not blocks-opt %s --blocks-step-rules='rule="adam(learning_rate=0.1"' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not blocks-opt %s --blocks-step-rules='rule="scale(learning_rate=1, learning_rate=2)"' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not blocks-opt %s --blocks-step-rules='rule="step_clipping(threshold=-1)"' 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not blocks-opt %s --blocks-step-rules='rule="scale() adam()"' 2>&1 | FileCheck %s --check-prefix=COMMA
// RUN: not blocks-opt %s --blocks-step-rules='rule="adam(beta1=1)"' 2>&1 | FileCheck %s --check-prefix=BETA
// RUN: not blocks-opt %s --blocks-step-rules='rule="adam(decay_factor=1.5)"' 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not blocks-opt %s --blocks-step-rules='rule="scale(learning_rate=nan)"' 2>&1 | FileCheck %s --check-prefix=FINITE
// RUN: not blocks-opt %s --blocks-step-rules='rule="scale(learning_rate=1e999)"' 2>&1 | FileCheck %s --check-prefix=FINITE
// RUN: not blocks-opt %s --blocks-step-rules 2>&1 | FileCheck %s --check-prefix=NONE

// RULE: there is no step rule 'adan'; did you mean 'adam'?
// OPTION: step rule 'adam' has no option 'learning_rat'; did you mean 'learning_rate'?
// TYPE: option 'learning_rate' of step rule 'adam' is a number; found true
// OPEN: expected ',' or ')' at column 23 of 'adam(learning_rate=0.1', found the end
// TWICE: 'scale' is given option 'learning_rate' twice
// RANGE: option 'threshold' of step rule 'step_clipping' must be above 0
// BETA: option 'beta1' of step rule 'adam' must be from 0 to below 1; found 1
// DECAY: option 'decay_factor' of step rule 'adam' must be above 0 and at most 1; found 1.5
// FINITE: option 'learning_rate' of step rule 'scale' must be a finite number
// COMMA: expected ',' or the end at column 9 of 'scale() adam()', found 'adam()'
// NONE: no graph has gradients to apply step rules to; run blocks-differentiate first
blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "cost" : tensor<f32>
}

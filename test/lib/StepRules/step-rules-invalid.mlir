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
// RUN: not blocks-opt %s --blocks-step-rules='rule="adadelta(decay_rate=1.5)"' 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: not blocks-opt %s --blocks-step-rules='rule="rmsprop(max_scaling=0)"' 2>&1 | FileCheck %s --check-prefix=SCALING
// RUN: not blocks-opt %s --blocks-step-rules='rule="variable_clipping()"' 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// RUN: not blocks-opt %s --blocks-step-rules="rule='variable_clipping(threshold=1, axis=\"2, 1\")'" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not blocks-opt %s --blocks-step-rules="rule='variable_clipping(threshold=1, axis=1)'" 2>&1 | FileCheck %s --check-prefix=AXIS-TEXT
// RUN: not blocks-opt %s --blocks-step-rules="rule='scale(where=\"rule:bias\")'" 2>&1 | FileCheck %s --check-prefix=WHERE
// RUN: not blocks-opt %s --blocks-step-rules="rule='adamax(beta2=1)'" 2>&1 | FileCheck %s --check-prefix=ADAMAX
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
// RATE: option 'decay_rate' of step rule 'adadelta' must be from 0 to 1; found 1.5
// SCALING: option 'max_scaling' of step rule 'rmsprop' must be above 0; found 0
// THRESHOLD: step rule 'variable_clipping' needs the option 'threshold', a number above 0
// AXIS: option 'axis' of step rule 'variable_clipping' lists axes, counted from 0, in order: "1" or "1, 2, 3"; found "2, 1"
// AXIS-TEXT: option 'axis' of step rule 'variable_clipping' is a text in quotes; found 1
// WHERE: rule
// ADAMAX: option 'beta2' of step rule 'adamax' must be from 0 to below 1; found 1
// NONE: no graph has gradients to apply step rules to; run blocks-differentiate first
blocks.graph @g(%x: tensor<f32> {blocks.source = "x"}) {
  blocks.output %x "cost" : tensor<f32>
}

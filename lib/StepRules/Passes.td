//===- Passes.td - Passes of the training program's end --------------------===//
#ifndef LIB_STEPRULES_PASSES
#define LIB_STEPRULES_PASSES

include "mlir/Pass/PassBase.td"

def StepRules : Pass<"blocks-step-rules", "::mlir::ModuleOp"> {
  let summary = "turn gradients into updates of the parameters";
  let description = [{
    Replaces the blocks.step operations of each graph by assignments, parameter
    minus step. The step is the gradient, passed through the rules in order:

    - `scale(learning_rate=1.0)`, also called `sgd`
    - `basic_momentum(momentum=0.0)`, `momentum(learning_rate=1.0, momentum=0.0)`
    - `basic_nesterov_momentum(momentum=0.0)`, `nesterov_momentum(learning_rate=1.0, momentum=0.0)`
    - `adam(learning_rate=0.002, beta1=0.9, beta2=0.999, epsilon=1e-8, decay_factor=1.0)`
    - `adamax(learning_rate=0.002, beta1=0.9, beta2=0.999, epsilon=1e-8)`
    - `adadelta(decay_rate=0.95, epsilon=1e-6)`
    - `adagrad(learning_rate=0.002, epsilon=1e-6)`
    - `basic_rmsprop(decay_rate=0.9, max_scaling=1e5)`, `rmsprop(learning_rate=1.0, decay_rate=0.9, max_scaling=1e5)`
    - `step_clipping(threshold=none)`, of all parameters' steps together
    - `variable_clipping(threshold, axis="…")`, of what each parameter becomes
    - `remove_not_finite(scaler=1.0)`

    Each has an option `where`, a filter of parameters: the others pass through.

    Hyperparameters are state of the brick @algorithm: `/algorithm.learning_rate`;
    when two rules have one of the same name, `/algorithm/scale.learning_rate`,
    and for two rules of the same kind `/algorithm/scale_1.learning_rate`.
    Buffers are `/algorithm/mlp/linear_0/W.mean`.

    The option `outputs` names further outputs of the graph:
    `/algorithm.total_gradient_norm` is the Euclidean norm of all gradients
    together, `/algorithm.total_step_norm` that of what is subtracted.
  }];
  let options = [
    Option<"rule", "rule", "std::string", "\"scale\"", "the composition of rules">,
    ListOption<"outputs", "outputs", "std::string", "norms that become outputs">
  ];
  let dependentDialects = ["::blocks::BlocksDialect"];
}

def MaterializeState : Pass<"blocks-materialize-state", "::mlir::ModuleOp"> {
  let summary = "turn graphs into functions over explicit state";
  let description = [{
    Each graph with outputs or assignments becomes a func.func. Its arguments are
    the parameters that it reads or writes, in the order of definition, then its
    sources; its results the new values of the parameters it writes, then its
    outputs. The other graphs are dropped. Bricks stay: they list the state.
  }];
  let dependentDialects = ["::blocks::BlocksDialect", "::mlir::func::FuncDialect"];
}

#endif

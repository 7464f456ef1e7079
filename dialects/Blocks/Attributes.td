//===- Attributes.td - Roles, annotations, initializers -------------------===//
//
// Roles keep Blocks' names and hierarchy (Roles.h has the parents). An
// annotation says which brick, application and variable a value was. An
// initializer says how a parameter gets its first value; the numbers are
// computed on the host (runtime/Parameters/Initialization.h).
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_ATTRIBUTES_TD
#define DIALECTS_BLOCKS_ATTRIBUTES_TD

include "dialects/Blocks/BlocksDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Blocks/Interfaces.td"

//===--- Roles ------------------------------------------------------------===//

def Blocks_Role : I32EnumAttr<"Role", "role of a graph value", [
    I32EnumAttrCase<"Input", 0, "input">,
    I32EnumAttrCase<"Output", 1, "output">,
    I32EnumAttrCase<"Cost", 2, "cost">,
    I32EnumAttrCase<"Auxiliary", 3, "auxiliary">,
    I32EnumAttrCase<"Dropout", 4, "dropout">,
    I32EnumAttrCase<"Collected", 5, "collected">,
    I32EnumAttrCase<"Persistent", 6, "persistent">,
    I32EnumAttrCase<"Parameter", 7, "parameter">,
    I32EnumAttrCase<"Weight", 8, "weight">,
    I32EnumAttrCase<"Filter", 9, "filter">,
    I32EnumAttrCase<"Bias", 10, "bias">,
    I32EnumAttrCase<"BatchNormShiftParameter", 11, "batch_norm_shift_parameter">,
    I32EnumAttrCase<"InitialState", 12, "initial_state">,
    I32EnumAttrCase<"Collector", 13, "collector">,
    I32EnumAttrCase<"BatchNormScaleParameter", 14, "batch_norm_scale_parameter">,
    I32EnumAttrCase<"BatchNormPopulationStatistics", 15, "batch_norm_population_statistics">,
    I32EnumAttrCase<"BatchNormPopulationMean", 16, "batch_norm_population_mean">,
    I32EnumAttrCase<"BatchNormPopulationStdev", 17, "batch_norm_population_stdev">,
    I32EnumAttrCase<"AlgorithmState", 18, "algorithm_state">,
    I32EnumAttrCase<"AlgorithmHyperparameter", 19, "algorithm_hyperparameter">,
    I32EnumAttrCase<"AlgorithmBuffer", 20, "algorithm_buffer">,
    I32EnumAttrCase<"BatchNormGraphVariable", 21, "batch_norm_graph_variable">,
    I32EnumAttrCase<"BatchNormOffset", 22, "batch_norm_offset">,
    I32EnumAttrCase<"BatchNormDivisor", 23, "batch_norm_divisor">,
    I32EnumAttrCase<"BatchNormMinibatchEstimate", 24, "batch_norm_minibatch_estimate">,
    I32EnumAttrCase<"Gradient", 25, "gradient">
  ]> {
  let cppNamespace = "::blocks";
  let genSpecializedAttr = 0;
}

//===--- Annotations ------------------------------------------------------===//

class Blocks_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Blocks_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Blocks_RolesAttr : Blocks_Attr<"Roles", "roles"> {
  let summary = "a set of roles, most specific ones only, in the order of the enum";
  let description = [{ Written `[weight]`, `[output, cost]`. }];
  let parameters = (ins ArrayRefParameter<"::blocks::Role">:$value);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// True if a role of this set is `role` or a descendant of it.
    bool has(Role role) const;
    /// This set with `role` added by Blocks' rule: ancestors of it are dropped,
    /// and it is not added if a descendant is there.
    RolesAttr with(Role role) const;
    static RolesAttr empty(::mlir::MLIRContext *context);
    static RolesAttr of(::mlir::MLIRContext *context, ::llvm::ArrayRef<Role> roles);
  }];
}

def Blocks_AnnotationAttr : Blocks_Attr<"Annotation", "annotation"> {
  let summary = "what a value was in the model: brick, application, variable, roles";
  let description = [{
    `brick` is the brick's path ("/mlp/linear_0"), `application` the method
    ("apply"), `name` the variable's short name ("output", "W"), `call` the path
    of calls that led there with an ordinal for each ("mlp.apply#0/linear_0.apply#0"),
    which tells apart two applications of one brick. For a parameter `application`
    and `call` are empty.

    Example: `#blocks.annotation<"/mlp/linear_0", "apply", "output", [output], "mlp.apply#0/linear_0.apply#0">`
  }];
  let parameters = (ins "::mlir::StringAttr":$brick, "::mlir::StringAttr":$application,
                        "::mlir::StringAttr":$name, "::blocks::RolesAttr":$roles,
                        "::mlir::StringAttr":$call);
  let assemblyFormat = "`<` $brick `,` $application `,` $name `,` custom<Roles>($roles) `,` $call `>`";
}

//===--- Initializers -----------------------------------------------------===//

class Blocks_Init<string name, string attrMnemonic>
    : Blocks_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<Blocks_InitializerInterface, ["checkShape"]>]>;

class F64ParamBase : AttrParameter<"::llvm::APFloat", "floating-point number"> {
  let parser = "::blocks::parseNumber($_parser)";
  let printer = "::blocks::printNumber($_printer, $_self)";
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
}
def F64Param : F64ParamBase;
class DefaultF64Param<string value> : F64ParamBase {
  let defaultValue = "::llvm::APFloat(" # value # ")";
}

def Blocks_ConstantInit : Blocks_Init<"ConstantInit", "constant"> {
  let summary = "every element is `value`";
  let parameters = (ins F64Param:$value);
  let assemblyFormat = "`<` $value `>`";
}
def Blocks_ConstantArrayInit : Blocks_Init<"ConstantArrayInit", "constant_array"> {
  let summary = "the elements of an array, repeated along leading axes and those of extent 1";
  let description = [{
    As NumPy broadcasts: the array's axes are the last ones of the parameter, of the
    same extent or of extent 1.

    Example: `#blocks.constant_array<dense<[0.0, 1.0, 0.0, 0.0]> : tensor<4xf64>>`
  }];
  let parameters = (ins "::mlir::DenseFPElementsAttr":$array);
  let assemblyFormat = "`<` $array `>`";
}
def Blocks_IsotropicGaussianInit : Blocks_Init<"IsotropicGaussianInit", "isotropic_gaussian"> {
  let summary = "independent normal deviates N(mean, std²)";
  let parameters = (ins DefaultF64Param<"1.0">:$std, DefaultF64Param<"0.0">:$mean);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}
def Blocks_UniformInit : Blocks_Init<"UniformInit", "uniform"> {
  let summary = "independent uniform deviates on [mean - width/2, mean + width/2)";
  let description = [{ Exactly one of `width` and `std` is given; width = √12·std. }];
  let parameters = (ins DefaultF64Param<"0.0">:$width, DefaultF64Param<"0.0">:$std, DefaultF64Param<"0.0">:$mean);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def Blocks_IdentityInit : Blocks_Init<"IdentityInit", "identity"> {
  let summary = "mult times the identity matrix (two dimensions)";
  let parameters = (ins DefaultF64Param<"1.0">:$mult);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}
class Blocks_FanInit<string name, string kindName, string what>
    : Blocks_Init<name, kindName> {
  let summary = what;
  let parameters = (ins DefaultF64Param<"1.0">:$gain);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}
def Blocks_GlorotUniformInit : Blocks_FanInit<"GlorotUniformInit", "glorot_uniform",
  "uniform on ±gain·√(6/(fan_in+fan_out)) (Glorot and Bengio 2010)">;
def Blocks_GlorotNormalInit : Blocks_FanInit<"GlorotNormalInit", "glorot_normal",
  "normal with std gain·√(2/(fan_in+fan_out)) (Glorot and Bengio 2010)">;
def Blocks_HeUniformInit : Blocks_FanInit<"HeUniformInit", "he_uniform",
  "uniform on ±gain·√(6/fan_in) (He et al. 2015)">;
def Blocks_HeNormalInit : Blocks_FanInit<"HeNormalInit", "he_normal",
  "normal with std gain·√(2/fan_in) (He et al. 2015)">;
def Blocks_OrthogonalInit : Blocks_Init<"OrthogonalInit", "orthogonal"> {
  let summary = "a random orthogonal matrix times scale";
  let description = [{
    Of a matrix of normal deviates, Q of its QR decomposition with the signs that make
    the diagonal of R positive. Of an r×c matrix the first min(r, c) columns of a
    random r×r one times the first min(r, c) rows of a random c×c one.
  }];
  let parameters = (ins DefaultF64Param<"1.0">:$scale);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

/// Schemes that take others, which are attributes.
class Blocks_NestedInit<string name, string kindName>
    : Blocks_Attr<name, kindName,
        [DeclareAttrInterfaceMethods<Blocks_InitializerInterface, ["checkShape", "getParts"]>]> {
  let genVerifyDecl = 1;
}
def Blocks_SparseInit : Blocks_NestedInit<"SparseInit", "sparse"> {
  let summary = "a few random elements of each row by one scheme, the rest by another";
  let description = [{
    In each row of a matrix `num_init` columns, chosen at random, hold values of
    `weights_init`, the others values of `sparse_init` (default: zeros). A `num_init`
    below 1 is a fraction of the columns.
  }];
  let parameters = (ins F64Param:$num_init, "::mlir::Attribute":$weights_init,
                        OptionalParameter<"::mlir::Attribute">:$sparse_init);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Blocks_SparseNDInit : Blocks_NestedInit<"SparseNDInit", "sparse_nd"> {
  let summary = "sparse, with the axes `axis` as the rows";
  let description = [{ For each position of the axes `axis` (increasing) `num_init` of the other elements. }];
  let parameters = (ins "::mlir::ArrayAttr":$axis, F64Param:$num_init, "::mlir::Attribute":$weights_init,
                        OptionalParameter<"::mlir::Attribute">:$sparse_init);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Blocks_PermutationMatrixInit : Blocks_Attr<"PermutationMatrixInit", "permutation_matrix",
    [DeclareAttrInterfaceMethods<Blocks_InitializerInterface, ["checkShape"]>]> {
  let summary = "the columns of the identity matrix in the order `permutation`, or in a random one";
  let parameters = (ins OptionalParameter<"::mlir::ArrayAttr">:$permutation);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}
def Blocks_GatesInit : Blocks_NestedInit<"GatesInit", "gates"> {
  let summary = "one scheme for each of several equal parts of the last axis";
  let description = [{
    For parameters that hold the matrices of several gates side by side. Each part is
    drawn as a parameter of its own would be.

    Example: `#blocks.gates<[#blocks.orthogonal, #blocks.orthogonal]>` for a
    d×2d matrix of two gates.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$parts_attr);
  let assemblyFormat = "`<` $parts_attr `>`";
}

#endif

//===- BrickOps.td - Bricks, parameters, applications ---------------------===//
//
// A brick is a symbol table of parameters, child bricks and applications. A
// library brick is written with its kind and configuration and is expanded by
// `blocks-expand-bricks` into the form that a user writes by hand.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_BRICKOPS_TD
#define DIALECTS_BLOCKS_BRICKOPS_TD

include "dialects/Blocks/Attributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"

def Blocks_BrickOp : Blocks_Op<"brick", [
    IsolatedFromAbove, SymbolTable, Symbol, NoTerminator, NoRegionArguments]> {
  let summary = "a parametrized operation: parameters, child bricks, applications";
  let description = [{
    With a kind, a *library brick*: the kind names the brick (`"MLP"`, `"Linear"`)
    and the dictionary configures it. Its body is empty until
    `blocks-expand-bricks` fills it. Without a kind, a *composite brick*, written
    out by hand. After expansion the two have the same form.

    ```mlir
    blocks.brick @mlp = "MLP" {dims = [784, 500, 10], activations = ["Rectifier", "Identity"]}
    blocks.brick @scale {
      blocks.parameter @a : tensor<10xf32> roles [weight] init #blocks.constant<1.0>
      blocks.application @apply(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
        %a = blocks.get @scale::@a : tensor<10xf32>
        %b = blocks.broadcast %a like %x dims [1] : tensor<10xf32>, tensor<?x10xf32>
        %y = arith.mulf %x, %b : tensor<?x10xf32>
        blocks.return %y : tensor<?x10xf32>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$kind,
                       OptionalAttr<DictionaryAttr>:$config);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The path from the module's top: "/mlp/linear_0".
    std::string getPath();
    /// True for a library brick that was not expanded yet.
    bool isUnexpanded() { return getKind() && getBody().front().empty(); }
    /// The body's block.
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
  }];
}

def Blocks_ParameterOp : Blocks_Op<"parameter", [Symbol]> {
  let summary = "a persistent value of a brick";
  let description = [{
    A shared variable with a static shape, roles and an initializer: a weight, a
    bias, a statistic, or (in the brick `@algorithm`) an optimizer's buffer, which
    names its parameter by `for`. Its path is "/brick/child.name".

    ```mlir
    blocks.parameter @W : tensor<784x500xf32> roles [weight] init #blocks.isotropic_gaussian<std = 0.01>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyStaticShapeTensor>:$type,
                       Blocks_RolesAttr:$roles, Blocks_InitializerInterface:$init,
                       OptionalAttr<SymbolRefAttr>:$for_parameter);
  let assemblyFormat = [{
    $sym_name `:` $type `roles` custom<Roles>($roles) `init` $init (`for` $for_parameter^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The path from the module's top: "/mlp/linear_0.W".
    std::string getPath();
    /// The reference from the module's top: @mlp::@linear_0::@W.
    ::mlir::SymbolRefAttr getReference();
    /// What a read of it is annotated with: brick, name and roles.
    AnnotationAttr getAnnotation();
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

def Blocks_ApplicationOp : Blocks_Op<"application", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock, AffineScope]> {
  let summary = "a function of a brick over tensors";
  let description = [{
    Arguments and results carry their short names in `blocks.name` (default
    `input_<i>`, `output_<i>`; `input_` and `output` when there is just one). After
    inlining each becomes an annotated value with role INPUT or OUTPUT; results
    may carry more roles in `blocks.roles`. `application` is the user's name for
    it when the symbol had to be made unique for another signature.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$application,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The name that the user knows it by.
    ::llvm::StringRef getUserName() { return getApplication() ? *getApplication() : getSymName(); }
    /// Short name of argument or result number `i`.
    std::string getArgumentName(unsigned i);
    std::string getResultName(unsigned i);
  }];
}

def Blocks_ReturnOp : Blocks_Op<"return", [Pure, Terminator, ParentOneOf<["ApplicationOp", "KernelOp"]>]> {
  let summary = "ends an application, or a kernel's body";
  let description = [{
    The operands are the results, as many and of the types that the application
    or the kernel declares.

    ```mlir
    blocks.return %y : tensor<?x10xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Blocks_ApplyOp : Blocks_Op<"apply", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "applies an application of a brick";
  let description = [{
    The callee is a path from the module's top, ending in the application. Two
    applications of one brick share its parameters.

    ```mlir
    %logits = blocks.apply @mlp::@apply(%x) : (tensor<?x784xf32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, results)";
}

def Blocks_GetOp : Blocks_Op<"get", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter at the start of the step";
  let description = [{
    The parameter is named by its path from the module's top; the result has its
    type. Whatever the step assigns, this is the old value. Gradients end here.

    ```mlir
    %W = blocks.get @mlp::@linear_0::@W : tensor<784x500xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$parameter);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$parameter attr-dict `:` type($result)";
}

def Blocks_AssignOp : Blocks_Op<"assign", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter after the step";
  let description = [{
    All assignments of a graph take effect together at the end of the step: `get`
    always yields the old value. At most one for each parameter.
  }];
  let arguments = (ins SymbolRefAttr:$parameter, AnyStaticShapeTensor:$value);
  let assemblyFormat = "$parameter `,` $value attr-dict `:` type($value)";
}

#endif

//===- ConvolutionRules.cpp - Gradients of convolutions and pools ---------===//
//
// A convolution is linear in the image and in the filters, so the gradients of
// the three operations are those three operations again. An average is linear,
// too; a maximum's gradient has none itself.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/RuleModel.h"
#include "lib/Autodiff/Rules.h"

using namespace mlir;

namespace blocks {
namespace {

template <typename Op>
Value convolution(RuleContext &c, Op like, Type type, Value image,
                  Value filters) {
  return ConvolutionOp::create(c.builder, c.loc, type, image, filters,
                               like.getStrides(), like.getPadding(),
                               like.getFlipped());
}

template <typename Op>
Value inputGrad(RuleContext &c, Op like, Type type, Value gradient,
                Value filters) {
  return ConvolutionInputGradOp::create(c.builder, c.loc, type, gradient,
                                        filters, like.getStrides(),
                                        like.getPadding(), like.getFlipped());
}

template <typename Op>
Value filterGrad(RuleContext &c, Op like, Type type, Value image,
                 Value gradient) {
  return ConvolutionFilterGradOp::create(c.builder, c.loc, type, image,
                                         gradient, like.getStrides(),
                                         like.getPadding(), like.getFlipped());
}

void convolutionRule(ConvolutionOp op, RuleContext &c) {
  Value image = op.getImage(), filters = op.getFilters(), g = c.gradient();
  c.set(0, inputGrad(c, op, image.getType(), g, filters));
  c.set(1, filterGrad(c, op, filters.getType(), image, g));
}

void inputGradRule(ConvolutionInputGradOp op, RuleContext &c) {
  Value gradient = op.getGradient(), filters = op.getFilters(),
        g = c.gradient();
  c.set(0, convolution(c, op, gradient.getType(), g, filters));
  c.set(1, filterGrad(c, op, filters.getType(), g, gradient));
}

void filterGradRule(ConvolutionFilterGradOp op, RuleContext &c) {
  Value image = op.getImage(), gradient = op.getGradient(), g = c.gradient();
  c.set(0, inputGrad(c, op, image.getType(), gradient, g));
  c.set(1, convolution(c, op, gradient.getType(), image, g));
}

void poolRule(PoolOp op, RuleContext &c) {
  c.set(0, PoolGradOp::create(c.builder, c.loc, op.getInput().getType(),
                              op.getKind(), op.getInput(), c.gradient(),
                              op.getWindow(), op.getStrides(), op.getPadding(),
                              op.getPartial()));
}

void poolGradRule(PoolGradOp op, RuleContext &c) {
  c.set(1, PoolOp::create(c.builder, c.loc, op.getGradient().getType(),
                          op.getKind(), c.gradient(), op.getWindow(),
                          op.getStrides(), op.getPadding(), op.getPartial()));
}

bool isAverage(PoolGradOp op) { return op.getKind() != PoolKind::Max; }

} // namespace

void attachConvolutionRules(MLIRContext &context) {
  attach<ConvolutionOp, convolutionRule>(context);
  attach<ConvolutionInputGradOp, inputGradRule>(context);
  attach<ConvolutionFilterGradOp, filterGradRule>(context);
  attach<PoolOp, poolRule>(context);
  attach<PoolGradOp, poolGradRule, isAverage>(context);
}

} // namespace blocks

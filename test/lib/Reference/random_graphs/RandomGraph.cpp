//===- RandomGraph.cpp - Writes random models -----------------------------===//
#include "test/lib/Reference/random_graphs/RandomGraph.h"
#include "test/lib/Reference/random_graphs/GraphWriter.h"

namespace blocks::testing {

static const std::vector<RandomValue> parameters{
    {"%w", {4, 3}, 1, true},      {"%v", {3, 4}, 1, true},
    {"%m", {4, 4}, 1, true},      {"%b", {4}, 1, true},
    {"%c", {3}, 1, true},         {"%s", {}, 1, true},
    {"%f", {3, 2, 3, 2}, 1, true}};
static const std::vector<RandomValue> sources{
    {"%x", {dynamicExtent, 4}, 1, true},
    {"%z", {dynamicExtent, 2, 3}, 1, true},
    {"%q", {timeExtent, dynamicExtent, 4}, 1, true},
    {"%r", {innerExtent, dynamicExtent, 4}, 1, true},
    {"%i", {dynamicExtent, 2, 5, 4}, 1, true}};

static std::string brick() {
  std::string text = "  blocks.brick @p {\n";
  for (const RandomValue &p : parameters)
    text += "    blocks.parameter @" + p.name.substr(1) + " : " +
            tensorType(p.shape) +
            " roles [weight] init #blocks.uniform<width = 2.0>\n";
  return text + "  }\n";
}

static std::string head(const std::string &name) {
  std::string text =
      "  blocks.graph @" + name +
      "(%x: tensor<?x4xf32> {blocks.source = \"x\"}, %z: tensor<?x2x3xf32> "
      "{blocks.source = \"z\"}, %q: tensor<?x?x4xf32> {blocks.source = \"q\", "
      "blocks.axes = [\"time\", \"batch\", \"\"]}, %m0: tensor<?x?xui8> "
      "{blocks.source = \"m0\", blocks.axes = [\"time\", \"batch\"]}, %r: "
      "tensor<?x?x4xf32> {blocks.source = \"r\", blocks.axes = [\"inner\", "
      "\"batch\", \"\"]}, %n0: tensor<?x?xui8> {blocks.source = \"n0\", "
      "blocks.axes = [\"inner\", \"batch\"]}, %i: tensor<?x2x5x4xf32> "
      "{blocks.source = \"i\"}, %u: "
      "tensor<?x4xui8> {blocks.source = \"u\"}, "
      "%y: tensor<?xi64> {blocks.source = \"y\"}, %k: tensor<?xui8> "
      "{blocks.source = \"k\"}) {\n";
  for (const RandomValue &p : parameters)
    text += "    " + p.name + " = blocks.get @p::@" + p.name.substr(1) + " : " +
            tensorType(p.shape) + "\n";
  for (std::string name : {"m", "n"})
    text += "    %" + name + "1 = blocks.cast %" + name +
            "0 : tensor<?x?xui8> to tensor<?x?xf32>\n";
  return text;
}

static GraphWriter writeBody(uint64_t seed, uint32_t number, bool isTraining) {
  GraphWriter writer(seed, number, isTraining);
  for (const RandomValue &value : parameters)
    writer.know(value);
  for (const RandomValue &value : sources)
    writer.know(value);
  unsigned operations = 10 + writer.draw(20);
  for (unsigned i = 0; i < operations; ++i)
    writer.addOperation();
  return writer;
}

static std::string forwardGraph(uint64_t seed, uint32_t number) {
  GraphWriter writer = writeBody(seed, number, false);
  std::string outputs;
  unsigned i = 0;
  for (const RandomValue &value : writer.someValues(4))
    outputs += "    blocks.output " + value.name + " \"o" +
               std::to_string(i++) + "\" : " + tensorType(value.shape) + "\n";
  return head("g" + std::to_string(number)) + writer.text() + outputs + "  }\n";
}

static std::string costGraph(uint64_t seed, uint32_t number) {
  GraphWriter writer = writeBody(seed, number, true);
  std::string cost = writer.total().name;
  return head("cost") + writer.text() + "    blocks.output " + cost +
         " \"cost\" roles [cost] : tensor<f32>\n  }\n";
}

std::string randomModule(uint64_t seed, unsigned graphs) {
  std::string text = "module @seed_" + std::to_string(seed) + " {\n" + brick();
  for (unsigned i = 0; i < graphs; ++i)
    text += forwardGraph(seed, i);
  return text + costGraph(seed, graphs) + "}\n";
}

} // namespace blocks::testing

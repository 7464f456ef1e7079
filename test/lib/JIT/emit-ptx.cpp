// Test-only: prints the device text of a model's program.
// usage: test-emit-ptx MODEL.mlir ARCHITECTURE [GRAPH…]
// With graphs, those are compiled, else the training and evaluation entries of
// the output "cost".
#include "blocks/Error.h"
#include "lib/API/CompileModel.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace blocks;

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: test-emit-ptx MODEL.mlir ARCHITECTURE [GRAPH…]\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  std::ostringstream text;
  text << file.rdbuf();
  CompileRequest request;
  request.modelText = text.str();
  request.modelName = argv[1];
  request.device = "cuda";
  request.cudaArch = argv[2];
  request.training = argc == 3;
  for (int i = 3; i < argc; ++i)
    request.graphs.push_back({argv[i], {}});
  try {
    std::cout << compileModel(request, "").deviceText;
  } catch (const Error &error) {
    std::cerr << error.what() << "\n";
    return error.exitStatus();
  }
  return 0;
}

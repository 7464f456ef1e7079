#!/usr/bin/env bash
# From a fresh Debian 12 machine to a trained classifier: installs what is
# missing, builds, converts Fashion-MNIST, trains docs/examples/mnist_mlp.mlir
# and evaluates it. A second run does only what is left to do.
#
# Usage: tools/quickstart.sh [EPOCHS]     (default 10)
set -euo pipefail
cd "$(dirname "$0")/.."
epochs=${1:-10}
out=build/quickstart
data=$out/fashion_mnist.hdf5

tools/build.sh
mkdir -p "$out"
if [[ ! -f $data ]]; then
  echo "Converting Fashion-MNIST to $data"
  build/bin/fuel-convert mnist -d /usr/share/datasets/fashion-mnist -o "$out" -r fashion_mnist
fi

build/bin/blocks-run train docs/examples/mnist_mlp.mlir \
  --data "$data" --split train --valid-split test \
  --batch-size 128 --epochs "$epochs" --step-rule 'adam(learning_rate=0.001)' \
  --checkpoint "$out/mnist_mlp.ckpt" --resume \
  --log "$out/mnist_mlp.jsonl" --plot "$out/mnist_mlp.html"

error=$(build/bin/blocks-run eval docs/examples/mnist_mlp.mlir --json \
  --parameters "$out/mnist_mlp.ckpt" --data "$data" --split test |
  sed -n 's/.*"test\/error_rate":\([0-9.e-]*\).*/\1/p')
awk -v error="$error" 'BEGIN { printf "\nTest accuracy: %.2f %%\n", 100 * (1 - error) }'
echo "Checkpoint:    $out/mnist_mlp.ckpt"
echo "Log:           $out/mnist_mlp.jsonl"
echo "Curves:        $out/mnist_mlp.html"

#!/usr/bin/env bash
# The short form of pack.sh and run.sh on the emulator: what they do has to work
# before a machine with a GPU is at hand.
# usage: rehearse.sh BUILD WORK
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 work=$2
test/device/pack.sh BUILD="$build" OUT="$work/pack" SHORT=1
# As on a bare machine: nothing of the build but the driver's stand-in.
for library in DRIVER CUBLAS CUBLASLT NVJITLINK; do
  export BLOCKS_CUDA_$library="$build"/lib/libblocks-ptx-emulator.so
done
env -u BLOCKS_COMPILER_LIBRARY test/device/run.sh PACK="$work/pack" OUT="$work/results.json" SHORT=1

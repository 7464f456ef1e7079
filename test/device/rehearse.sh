#!/usr/bin/env bash
# The short form of pack.sh and run.sh on the emulator: what they do has to work
# before a machine with a GPU is at hand.
# usage: rehearse.sh BUILD WORK
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 work=$2
test/device/pack.sh BUILD="$build" OUT="$work/pack" SHORT=1
# As on a bare machine: nothing of the build but the driver's stand-in.
env -u BLOCKS_COMPILER_LIBRARY BLOCKS_CUDA_DRIVER="$build/lib/libblocks-ptx-emulator.so" \
  BLOCKS_CUDA_CUBLAS="$build/lib/libblocks-ptx-emulator.so" \
  test/device/run.sh PACK="$work/pack" OUT="$work/results.json" SHORT=1

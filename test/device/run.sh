#!/usr/bin/env bash
# Everything that a machine with a GPU can say about the CUDA target, unattended,
# in less than 8 minutes: the conformance cases, compute-sanitizer on a part of
# them, the reference trajectories, a checkpoint across devices, and training
# steps beside PyTorch's. Writes one JSON file with all results.
#
# Usage: test/device/run.sh [PACK=FOLDER_OR_TAR] [BUILD=FOLDER] [OUT=FILE.json] [SHORT=1]
#
# PACK is what pack.sh made on a machine with the compiler; the default is
# build/device-pack.tar.xz or build/device-pack. Without one, it is made from
# BUILD (default build), which is configured and built if it is not there; that
# needs LLVM, MLIR and the other packages of tools/packages.txt.
# With BLOCKS_CUDA_DRIVER set it is a rehearsal on the emulator. SHORT=1 shrinks
# everything to seconds. A stage that fails is recorded, and the others run.
set -uo pipefail
cd "$(dirname "$0")/../.."
for setting in "$@"; do
  case $setting in
    PACK=* | BUILD=* | OUT=* | SHORT=*) declare "$setting" ;;
    *) echo "unknown argument '$setting'; see the top of $0" >&2; exit 2 ;;
  esac
done
BUILD=${BUILD:-build}
OUT=${OUT:-device-results.json}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [[ -z ${PACK:-} ]]; then
  for found in "$BUILD/device-pack" "$BUILD/device-pack.tar.xz"; do
    [[ -e $found ]] && PACK=$found && break
  done
fi
if [[ -z ${PACK:-} ]]; then
  echo "there is no pack; making one from $BUILD" >&2
  if [[ ! -x $BUILD/bin/test-compiled-graphs ]]; then
    timeout 240 cmake -S . -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release >&2 &&
      timeout 280 cmake --build "$BUILD" -j"$(nproc)" >&2
  fi
  PACK=$scratch/pack
  timeout 120 test/device/pack.sh BUILD="$BUILD" OUT="$PACK" ${SHORT:+SHORT=$SHORT} >&2 ||
    { echo "no pack could be made; carry one from a machine with the compiler (test/device/pack.sh)" >&2; exit 1; }
fi
if [[ -f $PACK ]]; then
  mkdir "$scratch/unpacked"
  tar --no-same-owner -xJf "$PACK" -C "$scratch/unpacked" || exit 1
  PACK=$scratch/unpacked
fi
python3 test/device/stages.py "$PACK" "$OUT" "$scratch" ${SHORT:+--short}

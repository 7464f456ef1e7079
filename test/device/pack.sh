#!/usr/bin/env bash
# Makes what run.sh needs where there is no compiler: programs with the shared
# libraries that they need, the conformance cases compiled (host object, PTX,
# inputs and what has to come out), an object cache with the reference models,
# and their data and first weights.
#
# Usage: test/device/pack.sh [BUILD=build] [OUT=build/device-pack] [ARCH=sm_90] [LEVEL=x86-64-v3] [SHORT=1]
#
# OUT is a folder; beside it OUT.tar.xz has the same to carry, some tens of MB.
# Programs are for GPUs of ARCH and newer, and processors of LEVEL and newer. It
# runs nothing on a GPU: the emulator of the build stands for it.
set -euo pipefail
cd "$(dirname "$0")/../.."
for setting in "$@"; do
  case $setting in
    BUILD=* | OUT=* | ARCH=* | LEVEL=* | SHORT=*) declare "$setting" ;;
    *) echo "unknown argument '$setting'; see the top of $0" >&2; exit 2 ;;
  esac
done
BUILD=$(realpath "${BUILD:-build}")
OUT=$(realpath -m "${OUT:-$BUILD/device-pack}")
ARCH=${ARCH:-sm_90} LEVEL=${LEVEL:-x86-64-v3} SHORT=${SHORT:-}
python=/usr/bin/python3
rm -rf "$OUT"
mkdir -p "$OUT"/{bin,lib,cases,models}

cp "$BUILD"/bin/{blocks-run,test-device-cases} "$OUT/bin"
strip "$OUT"/bin/*
# All but what belongs to the C library, which has to be the machine's own.
ldd "$OUT"/bin/* | awk '$3 ~ /^\// {print $3}' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' | xargs -I{} cp -L {} "$OUT/lib"

for library in DRIVER CUBLAS CUBLASLT NVJITLINK; do
  export BLOCKS_CUDA_$library="$BUILD"/lib/libblocks-ptx-emulator.so
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$python test/device/conformance.py . "$BUILD" "$work" --store "$OUT/cases" \
  --options "--cuda-arch $ARCH --cpu-level $LEVEL" ${SHORT:+--only Reference/compiled/rows} >&2
"$BUILD"/bin/test-random-graphs --check compiled --device cuda --cuda-arch "$ARCH" --cpu-level "$LEVEL" --first 301 \
  --count "$([[ -n $SHORT ]] && echo 1 || echo 24)" --store "$OUT/cases/random-" >&2

BLOCKS_CACHE_DIR=$OUT/cache $python test/device/models.py "$BUILD" "$OUT" "$ARCH" "$LEVEL" ${SHORT:+--short}
$python - "$BUILD" "$OUT" "$ARCH" "$LEVEL" <<'END'
import json, os, subprocess, sys
build, out, arch, level = sys.argv[1:]
status = os.stat(build + "/lib/libBlocksCompiler.so")
commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
json.dump({"compiler": f"{status.st_size}.{status.st_mtime_ns // 10**9}.{status.st_mtime_ns % 10**9}", "arch": arch,
           "level": level, "commit": commit}, open(out + "/pack.json", "w"))
END
if [[ -z $SHORT ]]; then
  # Five times as fast as xz does it by itself, and a fourth larger.
  tar -c -C "$OUT" . | xz -T0 -1 > "$OUT.tar.xz"
  du -sh "$OUT" "$OUT.tar.xz" >&2
fi

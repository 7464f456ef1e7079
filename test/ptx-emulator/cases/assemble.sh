#!/bin/sh
# Assembles the stored kernels with ptxas, where it is found: they are PTX that
# the real assembler takes, not only the emulator. Skipped (77) without it.
# usage: assemble.sh FOLDER
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
if [ -z "$ptxas" ]; then
  echo "skipped: no ptxas"
  exit 77
fi
status=0
for file in "$1"/*.ptx; do
  for arch in sm_80 sm_90 sm_120; do
    "$ptxas" -arch=$arch -o /dev/null "$file" || {
      echo "$file: ptxas -arch=$arch refuses it"
      status=1
    }
  done
done
exit $status

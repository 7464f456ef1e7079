#!/usr/bin/env bash
# Installs what is missing, configures on the first run, and builds into build/.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install-packages.sh
[[ -f build/build.ninja ]] || cmake --preset default
cmake --build build

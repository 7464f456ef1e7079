#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Arguments go to ctest:
#   tools/test.sh              all tests
#   tools/test.sh -R fuel      those whose name matches
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh
ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"

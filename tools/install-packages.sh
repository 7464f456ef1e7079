#!/usr/bin/env bash
# Installs the Debian packages of tools/packages.txt that are missing. Does
# nothing, and needs no network, when all are there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

missing=()
while read -r package; do
  [[ -z $package || $package == \#* ]] && continue
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done <"$here/packages.txt"
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "error: these Debian packages are missing: ${missing[*]}" >&2
    echo "Run this script as root, or install sudo." >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

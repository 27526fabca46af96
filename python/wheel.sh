#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Build the wheel from what CMake has compiled, without a network:
#   wheel.sh PYTHON BUILD-FOLDER VERSION [VIEWER-PAGE]
# The wheel lies in BUILD-FOLDER/wheel.
set -euo pipefail
python=$1 build=$2 version=$3 page=${4:-}
here=$(cd "$(dirname "$0")" && pwd)

stage=$build/stage
rm -rf "$stage" "$build/wheel"
mkdir -p "$stage"
cp "$here/pyproject.toml" "$here/setup.py" "$stage"
cp -rL "$build/articula" "$stage/articula"
rm -rf "$stage/articula/__pycache__"
strip --strip-unneeded "$stage"/articula/*.so "$stage/articula/command" "$stage/articula/articula-parse"
if [ -n "$page" ] && [ -e "$page" ]; then
  cp "$page" "$stage/articula/viewer.html"
else
  echo "wheel.sh: the page of the viewer has not been built (make viewer): the wheel is without it" >&2
fi
echo "$version" > "$stage/VERSION"
(cd "$stage" && "$python" -m build --wheel --no-isolation --outdir "$build/wheel" . > "$build/wheel.log" 2>&1) || {
  cat "$build/wheel.log" >&2
  exit 1
}
ls "$build"/wheel/*.whl

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The command as a module of WebAssembly, build/site/module/articula.wasm: module/build.sh [NATIVE], where NATIVE is a build
# of the project (build/release).
set -euo pipefail
cd "$(dirname "$0")/../../.."
native=$(realpath "${1:-build/release}")
here=$PWD/build/site
mkdir -p "$here"
tools/port/fetch.sh libyaml expat suitesparse sundials

cmake -S tools/site/module -B "$here/module" --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$PWD/tools/site/module/wasi.cmake" \
  -DART_SOURCES="$PWD/build/sources" -DART_NATIVE_BUILD="$native" > "$here/configure.log"
cmake --build "$here/module" --parallel "${JOBS:-$(nproc)}" > "$here/module.log" 2>&1 || { grep -E 'error' "$here/module.log"; exit 1; }
echo "site: $(stat -c %s "$here/module/articula.wasm") bytes, build/site/module/articula.wasm"

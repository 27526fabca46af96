#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The command as a module of WebAssembly, build/site/module/articula.wasm: module/build.sh [NATIVE], where NATIVE is a build
# of the project (build/release). Sources of libyaml, expat, SuiteSparse and SUNDIALS come from Debian's archive, whose signatures
# apt checks; its own lists of packages are left alone.
set -euo pipefail
cd "$(dirname "$0")/../../.."
native=$(realpath "${1:-build/release}")
here=$PWD/build/site
packages="libyaml expat suitesparse sundials"

fetch() {
  local lists=$here/lists list=$here/sources.list package
  mkdir -p "$lists/partial" "$here/archives"
  # shellcheck source=/dev/null
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME") main" > "$list"
  local options=(-q -o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update > "$here/fetch.log" 2>&1 || { cat "$here/fetch.log" && return 1; }
  for package in $packages; do
    (cd "$here/archives" && apt-get "${options[@]}" source --download-only "$package" >> "$here/fetch.log" 2>&1) ||
      { cat "$here/fetch.log" && return 1; }
    rm -rf "$here/unpacked"
    dpkg-source --no-check -x "$here"/archives/"$package"_*.dsc "$here/unpacked" >> "$here/fetch.log" 2>&1
    mkdir -p "$here/sources"
    mv "$here/unpacked" "$here/sources/$package"
  done
  rm -rf "$here/archives" "$here"/*.orig.tar.*
}

for package in $packages; do
  [ -d "$here/sources/$package" ] && continue
  echo "site: fetching the sources of $packages"
  rm -rf "$here/sources"
  fetch
  break
done

cmake -S tools/site/module -B "$here/module" --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$PWD/tools/site/module/wasi.cmake" \
  -DART_SOURCES="$here/sources" -DART_NATIVE_BUILD="$native" > "$here/configure.log"
cmake --build "$here/module" --parallel "${JOBS:-$(nproc)}" > "$here/module.log" 2>&1 || { grep -E 'error' "$here/module.log"; exit 1; }
echo "site: $(stat -c %s "$here/module/articula.wasm") bytes, build/site/module/articula.wasm"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The command and the library for Windows, build/windows/articula-VERSION-windows-x86_64.zip: build.sh [NATIVE], where NATIVE
# is a build of the project (build/release).
set -euo pipefail
cd "$(dirname "$0")/../.."
native=$(realpath "${1:-build/release}")
here=$PWD/build/windows
number() { sed -n "s/^#define ART_VERSION_$1 *//p" include/articula/base.h; }
name=articula-$(number MAJOR).$(number MINOR).$(number PATCH)-windows-x86_64
libraries="libyaml expat suitesparse sundials zlib libmicrohttpd"
mkdir -p "$here"
# shellcheck disable=SC2086
tools/port/fetch.sh $libraries

cmake -S tools/windows -B "$here/build" --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$PWD/tools/windows/mingw.cmake" \
  -DART_SOURCES="$PWD/build/sources" -DART_NATIVE_BUILD="$native" > "$here/configure.log"
cmake --build "$here/build" --parallel "${JOBS:-$(nproc)}" > "$here/build.log" 2>&1 || { grep -E 'error|undefined' "$here/build.log"; exit 1; }

# as an installation on other systems, so that the command finds its page
folder=$here/$name
rm -rf "$here"/articula-*
mkdir -p "$folder"/{bin,lib,include,share/articula,licences}
cp "$here"/build/{articula.exe,libarticula.dll} "$folder/bin"
cp "$here/build/libarticula.dll.a" "$folder/lib"
cp -r include/articula "$folder/include"
cp viewer/dist/index.html "$folder/share/articula/viewer.html"
git ls-files models "examples/*.c" | tar -cf - -T - | tar -xf - -C "$folder"
cp tools/windows/README.txt "$folder"
cp LICENSE "$folder/licences/articula.txt"
for library in $libraries; do cp "build/sources/$library/debian/copyright" "$folder/licences/$library.txt"; done
cp /usr/share/doc/mingw-w64-common/copyright "$folder/licences/mingw-w64.txt"
cp /usr/share/doc/gcc-mingw-w64-base/copyright "$folder/licences/gcc.txt"
(cd "$here" && cmake -E tar cf "$name.zip" --format=zip "$name")
rm -rf "$folder"
echo "$(stat -c %s "$folder.zip") bytes, build/windows/$name.zip"

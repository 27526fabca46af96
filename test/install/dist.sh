#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The archive of a release: the same bytes each time, configured without Node.js and npm, with the page of the viewer to install.
#   dist.sh BUILD-FOLDER C-COMPILER
set -euo pipefail
build=$1 cc=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/dist-test
rm -rf "$work"
mkdir -p "$work"
cd "$source"
git rev-parse HEAD > /dev/null 2>&1 && [ -e .git ] || { echo "the sources are not in a repository: skipped"; exit 77; }

echo '<p>page</p>' > "$work/page.html"
tools/dist.sh "$work/one" "$work/page.html" > "$work/log" 2>&1
tools/dist.sh "$work/two" "$work/page.html" >> "$work/log" 2>&1
cmp "$work"/one/*.tar.gz "$work"/two/*.tar.gz
(cd "$work/one" && sha256sum --quiet --check ./*.sha256)
tar --extract --gzip --directory "$work" --file "$work"/one/articula-*.tar.gz
tree=$(echo "$work"/articula-*/)
cmp "$work/page.html" "$tree/viewer/built/index.html"
[ -x "$tree/tools/setup.sh" ]

# no package of Node.js is asked for
grep -q 'setup.sh command' <(make --no-print-directory -C "$tree" --dry-run install)
cmake -S "$tree" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DBUILD_TESTING=OFF > "$work/configure.log"
grep -q 'Viewer: the page of the archive' "$work/configure.log"
cmake --build "$work/build" --target viewer > "$work/build.log"
grep -q 'viewer/built/index.html' "$work/build/cmake_install.cmake"
echo "the archive configures by itself"

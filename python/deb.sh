#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Build the Debian packages from what CMake has compiled: the library, the command, the Python package.
#   deb.sh BUILD-FOLDER
# They lie in BUILD-FOLDER/deb, whose paths are printed.
set -euo pipefail
build=$1
rm -rf "$build/deb"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$build/deb" > "$build/deb.log" 2>&1 || {
  cat "$build/deb.log" >&2
  exit 1
}
ls "$build"/deb/*.deb
dpkg-deb --contents "$build"/deb/articula_*.deb | grep 'articula/viewer.html' > /dev/null ||
  echo "deb.sh: the page of the viewer has not been built (make viewer): the packages are without it" >&2

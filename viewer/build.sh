#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Build the viewer, dist/index.html. Packages are fetched when the list of them has changed; where they cannot
# be, there is no viewer, and the program says so.
set -eu
cd "$(dirname "$0")"

fetched=node_modules/.package-lock.json
if [ ! -e "$fetched" ] || [ package-lock.json -nt "$fetched" ]; then
  if ! npm ci --no-audit --no-fund --loglevel=error; then
    echo "viewer: its packages could not be fetched; 'articula view' has no page until they can" >&2
    rm -rf dist
    exit 0
  fi
  touch "$fetched"
fi
node node_modules/vite/bin/vite.js build --logLevel warn

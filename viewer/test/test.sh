#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The viewer's tests for ctest: test.sh unit|e2e. Without what they need they are skipped (status 77) and say why.
cd "$(dirname "$0")/.." || exit 1

skip() {
  echo "viewer: skipped, $1"
  exit 77
}

command -v node > /dev/null || skip "node is not installed"
[ -e node_modules/.package-lock.json ] || skip "its packages have not been fetched (npm ci)"

if [ "$1" = unit ]; then
  node node_modules/typescript/bin/tsc --noEmit && exec node test/run.mjs unit
  exit 1
fi

[ -e dist/index.html ] || skip "the page has not been built"
[ -n "${CHROMIUM:-}" ] || command -v chromium > /dev/null || skip "chromium is not installed"
exec node test/run.mjs e2e

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# All checks in turn: layout of the sources, the tests, the tests under sanitizers, fuzzing. Goes on
# after a failure; the last line counts them all.
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
passed=0 failed=0

stage() { printf '\n==== %s\n' "$*"; }

# one check that either holds or not
check() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# configure and build a preset, as far as it goes; the remaining arguments go to the build
build() {
  local preset=$1
  shift
  cmake --preset "$preset" > "build/$preset.log" 2>&1 || { cat "build/$preset.log"; return 1; }
  cmake --build --preset "$preset" --parallel "$jobs" "$@" -- --keep-going
}

# run the tests of a preset and add what ctest counted
tests() {
  local preset=$1 log=build/$1-tests.log out_of bad
  # one more than there are cores, for some wait for a browser, a signal or the end of a process
  ctest --preset "$preset" --parallel "$((jobs + 1))" 2>&1 | tee "$log"
  if read -r bad out_of < <(sed -n 's/.* \([0-9]*\) tests\? failed out of \([0-9]*\).*/\1 \2/p' "$log"); then
    passed=$((passed + out_of - bad)) failed=$((failed + bad))
  elif ! grep -q 'No tests were found' "$log"; then
    failed=$((failed + 1))
  fi
}

mkdir -p build

stage "layout of the sources"
check make check-format
check tools/check-layers.py
check tools/check-kinds.sh

stage "tests"
check build dev
tests dev

stage "tests under address and undefined-behaviour sanitizers"
check build sanitize --target quick_tests
tests sanitize

stage "what runs in parallel under the thread sanitizer"
check build thread --target par_tests
tests thread

stage "fuzzing, ${FUZZ_SECONDS:-60} s in all"
check build fuzz-quick
tests fuzz-quick

if [ -n "${ART_TEST_ALL:-}" ]; then
  stage "a subset for the other architecture, under emulation"
  rm -f build/*/summary
  tools/other-architecture.sh
  if read -r good bad < <(cat build/*/summary 2> /dev/null); then
    passed=$((passed + good)) failed=$((failed + bad))
  else
    failed=$((failed + 1))
  fi
fi

echo
echo "$passed passed, $failed failed" | tee build/summary
[ "$failed" -eq 0 ]

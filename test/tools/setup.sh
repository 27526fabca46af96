#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# tools/setup.sh waits for a package manager that another process uses, and fails at once where it fails for another reason. Stand-ins
# play the package manager: nothing is installed.
set -uo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

mkdir "$work/bin"
stand_in() { printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1" && chmod +x "$work/bin/$1"; }
stand_in dpkg-query 'exit 1'
stand_in sleep 'echo "$@" >> "$WORK/slept"'
stand_in sudo 'exec "$@"'
stand_in apt-get '[[ " $* " != *" --simulate "* ]] || exit 0
echo "$@" >> "$WORK/calls"
left=$(cat "$WORK/busy")
[ "$left" -gt 0 ] || exit "$(cat "$WORK/status")"
echo $((left - 1)) > "$WORK/busy"
cat "$WORK/says" >&2
exit 100'

# setup BUSY STATUS MESSAGE: so many calls find the package manager busy and say so, the others end with a status
setup() {
  rm -f "$work/calls" "$work/slept"
  echo "$1" > "$work/busy"
  echo "$2" > "$work/status"
  echo "$3" > "$work/says"
  WORK=$work PATH=$work/bin:$PATH tools/setup.sh fresh > "$work/out" 2> "$work/err"
}

for message in 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)' \
               'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?' \
               'E: Unable to lock directory /var/lib/apt/lists/' \
               'dpkg: error: dpkg frontend lock was locked by another process with pid 7'; do
  setup 3 0 "$message" || fail "does not wait: $message"
  [ "$(wc -l < "$work/calls")" -eq 4 ] || fail "$message: $(wc -l < "$work/calls") calls, not 4"
  [ "$(grep -c 'another process uses the package manager' "$work/err")" -eq 1 ] || fail "says it once: $(cat "$work/err")"
done

# locks that never come free end it
setup 100000 0 'E: Could not get lock /var/lib/dpkg/lock-frontend' && fail "waits for ever"
[ "$(wc -l < "$work/slept")" -eq 120 ] || fail "waits $(wc -l < "$work/slept") times, not 120"

# other trouble is not a lock
setup 100000 0 'E: Unable to locate package mmdebstrap' && fail "succeeds without the package"
[ ! -e "$work/slept" ] || fail "waits for a package that is unknown"
grep -q 'Unable to locate package' "$work/err" || fail "hides the reason"

[ "$failures" -eq 0 ] && echo "passed"
exit "$failures"

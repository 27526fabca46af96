# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The transcripts share these functions. Each ends with `finish`, which fails when anything before it did.
set -uo pipefail
: "${ARTICULA:?the path of the command}"

models=test/cli/models
quick_cc=$PWD/test/support/quick-cc # for programs that run shortly
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# a small page instead of the viewer, which is not built where npm packages cannot be fetched
export ARTICULA_VIEWER=$work/viewer.html
printf '<!doctype html><body>viewer<!--articula-scenes--></body>' > "$ARTICULA_VIEWER"

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
}

# call STATUS ARGUMENT ...: what the command says goes to $work/out and $work/err
call() {
  local want=$1 got
  shift
  "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null
  got=$?
  last="articula $*"
  [ "$got" -eq "$want" ] && return
  fail "$last: exit status $got, want $want"
  cat "$work/err"
}

# ... | has_line PATTERN: grep -q that reads to the end, for a writer whose reader has gone away fails, and with it the pipe
has_line() {
  local count
  count=$(grep -c "$@")
  [ "$count" -gt 0 ]
}

# says TEXT ...: each stands in the output; complains TEXT ...: in the errors, in one line
says() {
  local text
  for text; do
    grep -qF -- "$text" "$work/out" || { fail "$last: does not say '$text', but:"; cat "$work/out"; }
  done
}
complains() {
  local text
  for text; do
    grep -qF -- "$text" "$work/err" || { fail "$last: does not complain '$text', but:"; cat "$work/err"; }
  done
}

silent() { [ ! -s "$work/$1" ] || { fail "$last: expected nothing in $1, but:"; cat "$work/$1"; }; }

# holds EXPRESSION: of Python, where j is the JSON that the command printed (or that of the file $2)
holds() {
  /usr/bin/python3 -IS - "$1" "${2:-$work/out}" << 'PYTHON' || fail "$last: does not hold: $1"
import json, math, sys
j = json.load(open(sys.argv[2]))
sys.exit(0 if eval(sys.argv[1]) else 1)
PYTHON
}

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The command reads foreign files by articula-parse, refuses them where it is not there, and does without it when told so.
source test/cli/support.bash

"$ARTICULA" import models/import/arm.urdf 2>&1 | has_line 'reads no XML' && { echo "no libexpat"; exit 0; }
helper=$(dirname "$ARTICULA")/articula-parse
mkdir -p "$work/bin" "$work/libexec/articula"
cp "$ARTICULA" "$work/bin/articula"
ARTICULA=$work/bin/articula

for call in "import models/import/arm.urdf" "check models/import/arm.urdf"; do
  call 1 $call
  complains "articula-parse, which reads foreign files without rights of its own, is neither in the directory of this one nor at" "--no-sandbox"
  call 0 $call --no-sandbox
  cp "$work/out" "$work/here"
  cp "$helper" "$work/libexec/articula/"
  call 0 $call
  cmp -s "$work/out" "$work/here" || fail "$call: another text by the helper"
  mv "$work/libexec/articula/articula-parse" "$work/bin/"
  (cd "$work/bin" && PATH=$PWD:$PATH articula --version > /dev/null) || fail "by the path"
  call 0 $call
  rm "$work/bin/articula-parse"
done

# files of our own need no helper
call 0 check models/double-pendulum.yaml

# limits of the call reach it
cp "$helper" "$work/bin/"
ARTICULA_LIMITS=items=50 call 2 import models/import/arm.urdf
complains "models/import/arm.urdf:" "one call may read 50 elements"
ARTICULA_LIMITS=seconds call 2 import models/import/arm.urdf
complains "the variable ARTICULA_LIMITS is 'seconds'"

# an FMU by the helper is the one without it
if "$ARTICULA" export models/double-pendulum.yaml --fmu "$work/p.fmu" --sources > /dev/null 2>&1; then
  printf 'not XML' > "$work/any.fmu"
  call 2 run "$work/any.fmu"
fi
finish

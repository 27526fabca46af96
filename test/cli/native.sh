#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A model file starts no compiler and loads no native code; the call may. FMUs: units.sh; functions of users: functions.sh.
source test/cli/support.bash

# a compiler that leaves a mark
cat > "$work/cc" << CC
#!/bin/sh
touch "$work/mark"
exec cc "\$@"
CC
chmod +x "$work/cc"
export CC="$work/cc -O0" XDG_CACHE_HOME=$work/cache
mkdir "$work/cache"
uncompiled() { [ ! -e "$work/mark" ] || { fail "$last: a compiler was started"; rm -f "$work/mark"; }; }

for key in 'method: generated' 'backend: generated'; do
  sed '/^stud/,$d' models/loops/four-bar.yaml > "$work/asks.yaml"
  cat >> "$work/asks.yaml" << YAML
studies:
  a: {type: run, until: 10 ms, $key}
  b: {type: linear, $key}
  c: {type: equil, $key}
YAML
  call 2 run "$work/asks.yaml" -o "$work/out-dir"
  complains "study 'a' of the model file asks for compiled equations, and a file cannot start a compiler; add --method generated"
  uncompiled
  [ ! -e "$work/out-dir" ] || fail "$last: leaves a folder"
  call 2 linear "$work/asks.yaml"
  uncompiled
  call 2 sweep "$work/asks.yaml" --samples 2 --vary 'crank.angle=0.1:0.2' -o "$work/sweep"
  uncompiled

  # these go by numbers
  for verb in check info equil assemble; do
    call 0 $verb "$work/asks.yaml"
    uncompiled
  done
  # where the viewer is not built, view fails after the machine was computed
  last="articula view"
  "$ARTICULA" view "$work/asks.yaml" --html "$work/page.html" > "$work/out" 2> "$work/err" || complains "the page of the viewer is not there"
  uncompiled
done

call 0 compare "$work/asks.yaml" --no-native
says "semirecursive"
grep -q generated "$work/out" && fail "$last: compares compiled equations"
uncompiled
call 2 run "$work/asks.yaml" --method generated --no-native -o "$work/out-dir"
complains "compiled equations are native code, and --no-native refuses it"
call 2 run "$work/asks.yaml" --functions "$work/none.so" --no-native -o "$work/out-dir"
complains "--functions loads native code, and --no-native refuses it"
uncompiled

call 0 run "$work/asks.yaml" --method generated -o "$work/out-dir"
[ -e "$work/mark" ] || fail "$last: the call asks for compiled equations and no compiler was started"

# another version of the compiler under the same name compiles anew
rm -f "$work/mark"
call 0 run "$work/asks.yaml" --method generated -o "$work/out-dir"
uncompiled
echo '# updated' >> "$work/cc"
call 0 run "$work/asks.yaml" --method generated -o "$work/out-dir"
[ -e "$work/mark" ] || fail "$last: a library of another compiler was loaded"

# parts that a killed compilation has left go after a day
touch -d '2 days ago' "$work/cache/articula/new-abcdef" "$work/cache/articula/new-abcdef.so"
touch "$work/cache/articula/new-ghijkl"
call 0 run "$work/asks.yaml" --method generated -o "$work/out-dir"
[ ! -e "$work/cache/articula/new-abcdef" ] && [ ! -e "$work/cache/articula/new-abcdef.so" ] || fail "$last: old parts are left in the cache"
[ -e "$work/cache/articula/new-ghijkl" ] || fail "$last: a part of another compilation is gone"
finish

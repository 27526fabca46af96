#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# --set NAME=VALUE gives a parameter of the model file another value, with or without a unit, on every verb that reads
# a model; wrong names, units and forms are refused with exit status 2.
. test/cli/support.bash

model=models/pendulum.yaml
sed 's/L: 1 m/L: 0.6 m/' $model > "$work/edited.yaml"
call 0 check "$work/edited.yaml" --json; hash=$(sed -n 's/.*"hash": *"\([^"]*\)".*/\1/p' "$work/out")
[ -n "$hash" ] || fail "no hash in the report of check"
for value in 0.6 600mm '0.6 m'; do
  call 0 check $model --set "L=$value" --json
  grep -q "$hash" "$work/out" || fail "--set L=$value is not the edited file"
done
call 0 run $model --set L=0.6 --until 0.1 -o "$work/set"
call 0 equil $model --set L=0.6
call 2 check $model --set LL=0.6; grep -q "no parameter 'LL'" "$work/err" || fail "unknown name"
call 2 check $model --set L=600kg; grep -q "gives a mass in kg, expected a length in m" "$work/err" || fail "wrong unit"
call 2 check $model --set L; grep -q "expected NAME=VALUE" "$work/err" || fail "no value"
call 2 check $model --set L=abc; grep -q "set L=abc" "$work/err" || fail "no number"
call 2 check $model --set m=-1; grep -q "mass" "$work/err" || fail "a mass below 0"

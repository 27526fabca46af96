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

# values of all cases of a sweep, which are not varied
call 0 sweep $model --vary L=0.5:0.6:2 --set m=2 --until 0.1 -o "$work/sweep"
sed 's/m: 1 kg/m: 2 kg/' $model > "$work/heavy.yaml"
call 0 sweep "$work/heavy.yaml" --vary L=0.5:0.6:2 --until 0.1 -o "$work/heavy"
cmp -s "$work/sweep/results.csv" "$work/heavy/results.csv" || fail "sweep --set m=2 is not the edited file"
call 2 sweep $model --vary L=0.5:0.6:2 --set L=1 -o "$work/both"
grep -q -e "--set L=1 fixes what the cases vary" "$work/err" || fail "set and varied"
call 2 sweep $model --vary L=0.5:0.6:2 --set mm=1 -o "$work/both"; grep -q "no parameter 'mm'" "$work/err" || fail "unknown"

# limits, and what the report says of parameters
model=test/models/good/parameters.yaml
call 2 check $model --set load=9; grep -q "parameters.yaml:.*'load' is 9 kg, outside its limits 0 to 8 kg" "$work/err" || fail "limits"
call 0 check $model --json
tr -d ' \n' < "$work/out" | grep -q '"name":"load","unit":"kg","value":3,"is_formula":false,"is_design":true,"limits":\[0,8\],"help":"whathangsattheend"' ||
  fail "parameters in the report of check"
tr -d ' \n' < "$work/out" | grep -q '"design":\["load","length"\]' || fail "design parameters of the study"

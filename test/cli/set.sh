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
call 2 check $model --set L=600kg
complains "pendulum.yaml:10:23: parameter 'L' is set to a mass in kg, expected a length in m as here (by --set L=600kg)"
call 2 check $model --set pin.angle=1V; complains "--set pin.angle=1V gives a voltage in V, expected a plain number"
call 2 check $model --set pin.rate=1m; complains "--set pin.rate=1m gives a length in m, expected a rate in 1/s"
call 0 check $model --set pin.angle=30deg

# a parameter without a unit takes a plain number, or a unit that fits where the file uses it
sed 's/m: 1 kg, L: 1 m/m: 1, L: 1/' $model > "$work/bare.yaml"
call 0 check "$work/bare.yaml" --set L=600mm --json; grep -q "$hash" "$work/out" || fail "600 mm of a parameter without unit"
for value in 0.002 2g; do call 0 check "$work/bare.yaml" --set m=$value; done
call 2 check "$work/bare.yaml" --set m=1V; complains "bare.yaml:14:13: the formula gives a voltage in V, expected a mass in kg (by --set m=1V)"
call 2 check "$work/bare.yaml" --set L=30deg; complains "bare.yaml:15:13: the formula gives a plain number, expected a length in m"
call 2 check "$work/bare.yaml" --set L=2m --set m=3s; complains "expected a mass in kg (by --set m=3s)"
# a formula gives its parameter a unit, and keeps it when the value is another
sed 's/L: 1 m/L: = 2*half, half: 0.5 m/' $model > "$work/formula.yaml"
call 2 check "$work/formula.yaml" --set L=1V; complains "formula.yaml:10:23: parameter 'L' is set to a voltage in V, expected a length in m as here"
call 0 check "$work/formula.yaml" --set L=600mm --json
tr -d ' \n' < "$work/out" | has_line '"name":"L","unit":"m","value":0.6,"is_formula":false' || fail "unit of a formula that is set"
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
tr -d ' \n' < "$work/out" | has_line '"name":"load","unit":"kg","value":3,"is_formula":false,"is_design":true,"limits":\[0,8\],"help":"whathangsattheend"' ||
  fail "parameters in the report of check"
tr -d ' \n' < "$work/out" | has_line '"design":\["load","length"\]' || fail "design parameters of the study"

# --input NAME=VALUE: the default of an input, on every verb that reads a model
model=models/plant/dc-motor.yaml
sed 's/default: 24/default: 12/' $model > "$work/low.yaml"
call 0 run "$work/low.yaml" --until 0.3 -o "$work/low"
for value in 12 12V '12000 mV'; do
  call 0 run $model --input "voltage=$value" --until 0.3 -o "$work/input"
  cmp -s "$work/low/results.csv" "$work/input/results.csv" || fail "--input voltage=$value is not the edited file"
done
call 0 equil $model --input voltage=0; says "#   current: 0 A"
call 0 check $model --input voltage=-3 --json; says '"default": -3'
for verb in linear assemble info; do call 0 $verb $model --input voltage=6; done
call 0 compare $model --input voltage=6 --until 0.01
call 0 sweep $model --vary voltage=6:12:2 --until 0.3 -o "$work/volts"
call 2 run $model --input voltag=3; complains "there is no parameter or input 'voltag' (did you mean 'voltage'?)"
call 2 run $model --input L=3mH; complains "'L' is not an input but a parameter; give it by --set"
call 2 run $model --input voltage=3A; complains "--input voltage=3A gives a current in A, expected a voltage in V"
call 2 run $model --input voltage=30; complains "dc-motor.yaml:23:" "input 'voltage' begins with 30, outside its limits -24 to 24"
call 2 run $model --input voltage; complains "--input is 'voltage', expected NAME=VALUE"
call 2 run $model --input voltage=lots; complains "--input voltage=lots"
call 2 sweep $model --vary voltage=6:12:2 --input voltage=3; complains "--input voltage=3 fixes what the cases vary"

# a table: the voltage of a formula at the same instants makes the same motion
printf 'time [ms],other,voltage [mV]\n0,1,24000\n100,2,6000\n250,3,12000\n' > "$work/record.csv"
sed 's/^inputs:/inputs2:/; s/  voltage: {unit: V.*/  voltage: {type: formula, unit: V, value: "= 24[V] - 18[V]*step(time - 0.1[s]) + 6[V]*step(time - 0.25[s])"}/' $model > "$work/formula.yaml"
python3 - "$work/formula.yaml" << 'PY'
import re, sys
text = open(sys.argv[1]).read()
line = re.search(r"inputs2:\n(  voltage.*\n)", text)
text = text.replace(line.group(0), "").replace("blocks:\n", "blocks:\n" + line.group(1), 1)
open(sys.argv[1], "w").write(text)
PY
times="--until 0.3 --interval 0.01 --tolerance 1e-11"
call 0 run "$work/formula.yaml" $times -o "$work/by_formula"
call 0 run $model $times --input "voltage=$work/record.csv" -o "$work/by_table"
python3 - "$work" << 'PY' || fail "a table is not the formula of its steps"
import csv, sys
a, b = ({n.split(" [")[0]: [float(r[k]) for r in rows[1:]] for k, n in enumerate(rows[0])}
        for rows in (list(csv.reader(open(sys.argv[1] + "/" + d + "/results.csv"))) for d in ("by_formula", "by_table")))
bad = [n for n in ("time", "shaft.rate", "current", "winding") for x, y in zip(a[n], b[n]) if not abs(x - y) <= 1e-6 * max(1, abs(x))]
sys.exit(1 if bad or len(a["time"]) != 31 or len(b["time"]) != 31 else 0)
PY
call 2 run $model --input "voltage=$work/record.csv:volts" -o "$work/no"; complains "there is no column 'volts' after the first"
call 2 run $model --input "voltage=$work/none.csv" -o "$work/no"; complains "none.csv"
call 2 run $model --input "voltag=$work/record.csv:other" -o "$work/no"; complains "the model has no input 'voltag' (did you mean 'voltage'?)"
call 2 equil $model --input "voltage=$work/record.csv"; complains "equil takes a number; run and compare take tables"
printf 'time,voltage\n1,1\n0,2\n' > "$work/twice.csv"
call 2 run $model --input "voltage=$work/twice.csv" -o "$work/no"; complains "row 2 of the table of input 'voltage' is at 0 s, expected no less than"
printf '0,1\n1,2\n' > "$work/bare.csv"
call 2 run $model --input "voltage=$work/bare.csv" -o "$work/no"; complains "found the number '0', expected a head"
printf 'time,voltage [A]\n0,1\n' > "$work/unit.csv"
call 2 run $model --input "voltage=$work/unit.csv" -o "$work/no"; complains "column 'voltage' is a current in A, expected a voltage in V"
printf 'time,voltage [V],voltage [V]\n0,1,2\n' > "$work/double.csv"
call 2 run $model --input "voltage=$work/double.csv" -o "$work/no"; complains "columns 2 and 3 are both called 'voltage'"

# an input without a unit takes plain numbers, and what the file makes of them is told with its place
printf 'articula: 1\ninputs: {u: {default: 1}}\nstates: {z: {rate: = 1/(u - z)}}\nstudy: {type: run, until: 1}\n' > "$work/bare.yaml"
call 2 run "$work/bare.yaml" --input u=3V; complains "--input u=3V gives a voltage in V, expected a plain number"
call 2 run "$work/bare.yaml" --input "u=$work/double.csv:voltage"; complains "columns 2 and 3"
call 2 run "$work/bare.yaml" --input u=0 -o "$work/no"; complains "bare.yaml:3:10: state 'z' has no rate at t = 0 s: its formula gives inf there"
call 1 linear "$work/bare.yaml" --input u=0; complains "bare.yaml:3:10: state 'z' has no rate"

finish

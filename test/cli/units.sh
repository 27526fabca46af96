#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Functional mock-up units of our own making (test/fmi): alone against closed forms, in a loop with a machine, and all that is refused.
source test/cli/support.bash

# as call, of a file of parts that may load every FMU of the folder
coupled() {
  local want=$1 allowed=() unit
  shift
  for unit in "$work"/*.fmu; do allowed+=(--allow-native "$unit"); done
  call "$want" "$@" "${allowed[@]}"
}
"$ARTICULA" import models/import/arm.urdf 2>&1 | has_line 'reads no XML' && { echo "no libexpat"; exit 0; }

export CC=$quick_cc

make() { python3 -W ignore test/fmi/make_unit.py "$@" || fail "no unit $*"; }

# ends FOLDER WANT LIMIT: the last row of a result, second column
ends() {
  tail -1 "$work/$1/results.csv" | awk -F, -v want="$2" -v limit="$3" \
    '{ d = $2 - want; if (!(d <= limit && d >= -limit)) { print $2; exit 1 } }' || fail "$last: ends elsewhere than at $2"
}

# dx/dt = -x; a ball that bounces four times in 2 s, exact by model exchange; y = kp u + ki t
for version in 2 3; do
  make dahlquist $version "$work/d$version.fmu"
  make ball $version "$work/b$version.fmu" --kind me
  make pi $version "$work/p$version.fmu"
  call 0 run "$work/d$version.fmu" -o "$work/d"
  says "FMI $version.0, co-simulation" "to 2 s in steps of 0.01 s: 200 steps, 0 redone, 0 halved, 0 not settled" "201 rows in"
  ends d 0.13533528323661270 1e-13
  call 0 run "$work/d$version.fmu" -o "$work/d" --set k=2 --until 1 --step 0.05 --interval 0.1 --quiet
  silent out
  ends d 0.13533528323661270 1e-12
  [ "$(wc -l < "$work/d/results.csv")" -eq 12 ] || fail "eleven rows and a head are wanted"
  call 0 run "$work/b$version.fmu" -o "$work/b"
  says "FMI $version.0, model exchange"
  ends b "$(python3 -c '
g, e, t, v = 9.81, 0.7, (2 / 9.81) ** 0.5, (2 * 9.81) ** 0.5
while True:
    v *= e
    if t + 2 * v / g > 2: break
    t += 2 * v / g
print(repr(v * (2 - t) - g * (2 - t) ** 2 / 2))')" 1e-9
  call 0 run "$work/p$version.fmu" -o "$work/p" --input u=1 --json
  ends p 12 1e-12
  holds "j['time'] == 2 and j['step'] == 0.01 and j['steps'] == 200 and j['rows'] == 201 and j['units'][0]['version'] == $version"
  holds "j['redone'] == j['halved'] == j['unsettled'] == 0"
done

# forces that come for some milliseconds are not stepped over, however long the steps of the importer are (test_borders)
call 0 export test/models/good/flashes.yaml --fmu "$work/flashes.fmu" --targets own
call 0 run "$work/flashes.fmu" -o "$work/flashes" --step 1 --until 10 --quiet
ends flashes 0.48443771458 1e-6

# inputs over time, y = 2 u + 5 x: u = 2 t, held from step to step, is 2*4 + 5*3.98; on its way it is 28. A table with a corner at 0.505 s
printf 'time [ms],u,v [mm]\n0,0,0\n505,1.01,1010\n2000,4,4000\n' > "$work/table.csv"
printf 'time,u\n0,0\n0.505,1.01\n2,1.01\n' > "$work/corner.csv"
for version in 2 3; do
  make pi $version "$work/me.fmu" --kind me
  for way in '2*time/1[s]|27.9|28' '= 2*time/1[s]|27.9|28' "$work/table.csv|27.9|28" "$work/table.csv:v|27.9|28" "$work/corner.csv|10.8195|10.844875" '40 cm|4.8|4.8'; do
    IFS='|' read -r text held true <<< "$way"
    call 0 run "$work/p$version.fmu" -o "$work/p" --input "u=$text" --quiet
    ends p "$held" 1e-9
    call 0 run "$work/me.fmu" -o "$work/p" --input "u=$text" --quiet
    ends p "$true" 1e-9
  done
done
printf 'articula: 1\nunits: {p: {file: me.fmu}, q: {file: me.fmu}}\nconnect: {p.u: "= 2*time/1[s]", q.u: table.csv}\nstudy: {until: 2 s, step: 10 ms}\n' > "$work/over.yaml"
coupled 0 run "$work/over.yaml" -o "$work/p" --quiet
ends p 28 1e-9
coupled 2 run "$work/over.yaml" -o "$work/p" --input p.u=time
complains "'p.u' is connected already"
make pi 3 "$work/mm.fmu" --kind me --break scaled
call 0 run "$work/mm.fmu" -o "$work/p" --input 'u=2[m/s]*time' --set kp=2 --set ki=5 --quiet
ends p 28000 1e-6
for way in 'sin(time)|expected a plain number' 'tine|unknown name' '|the formula is empty' \
  'hysteresis(time, 1[s], 2[s])|has a hysteresis' "$work/no.csv|no.csv: cannot open" "$work/table.csv:w|there is no column 'w'"; do
  call 2 run "$work/p3.fmu" -o "$work/p" --input "u=${way%%|*}"
  complains "${way#*|}"
done
call 1 run "$work/p3.fmu" -o "$work/p" --input 'u=1[s]/time'
complains 'u becomes inf at 0 s'
call 2 run "$work/mm.fmu" -o "$work/p" --input 'u=3[s]'
complains "expected a length"
sed -i 's/^2000,/500,/' "$work/table.csv"
call 2 run "$work/p3.fmu" -o "$work/p" --input "u=$work/table.csv"
complains "table.csv: row 3 of column 'u' is 4 at 0.5 s, expected finite numbers at times that do not decrease"

# a unit that leaves its events to the importer and returns early at them goes as one that has them inside; its own variables are recorded
make ball 3 "$work/e.fmu" --break events
make ball 3 "$work/i.fmu"
for unit in e i; do
  printf 'articula: 1\nunits: {b: {file: %s.fmu, record: [h, v]}}\nstudy: {until: 2 s, step: 10 ms}\n' $unit > "$work/bounce.yaml"
  coupled 0 run "$work/bounce.yaml" -o "$work/bounce-$unit"
  says "FMI 3.0, co-simulation"
done
python3 - "$work" << 'PYTHON' || fail "events in event mode lead elsewhere"
import csv, sys
a, b = (list(csv.reader(open(f"{sys.argv[1]}/bounce-{k}/results.csv"))) for k in "ei")
assert a[0] == b[0] and len(a[0]) == 4 and "b.v" in a[0][3], a[0]
assert len(a) == len(b) == 202 and max(float(r[3]) for r in a[1:]) > 2 and max(float(r[3]) for r in a[100:]) > 0.5
assert all(abs(float(x) - float(y)) < 1e-9 for r, s in zip(a[1:], b[1:]) for x, y in zip(r, s))
PYTHON
for record in 'speed|has no variable' 'height|an output, which is recorded'; do
  sed "s/\[h, v\]/[${record%|*}]/" "$work/bounce.yaml" > "$work/wrong.yaml"
  coupled 2 run "$work/wrong.yaml" -o "$work/wrong"
  complains "${record#*|}"
done

# outputs that are no numbers are told; steps that a unit does not take are refused
make pi 3 "$work/t.fmu" --break text
call 0 run "$work/t.fmu" -o "$work/t"
says "1 output left out: no single number"
make pi 3 "$work/f.fmu" --break fixed
for times in '--step 20ms' '--step 15ms --until 1.5'; do
  call 0 run "$work/f.fmu" -o "$work/f" $times
done
call 2 run "$work/f.fmu" -o "$work/f" --until 1.995
complains "'f' takes steps of one length alone, and the last one would be shorter than 0.01 s"

# tables with jumps: u = 0 up to 0.505 s, then 2; y = 2 u + 5 x. By model exchange exact; co-simulation sees it from 0.51 s on. Texts beside the column
printf 'time,label,u\n0,begin,0\n0.505,"a, b",0\n0.505,step,2\n2,end,2\n' > "$work/jump.csv"
make pi 3 "$work/me.fmu" --kind me
call 0 run "$work/me.fmu" -o "$work/jump" --input "u=$work/jump.csv" --quiet
ends jump 18.95 1e-9
call 0 run "$work/p3.fmu" -o "$work/jump" --input "u=$work/jump.csv" --quiet
ends jump 18.9 1e-9
call 2 run "$work/p3.fmu" -o "$work/jump" --input "u=$work/jump.csv:label"
complains "jump.csv:2:1: column 2 ('label') has a string here, expected a number"
cat > "$work/pushed.yaml" << 'YAML'
articula: 1
inputs: {push: {unit: N}}
bodies: {cart: {mass: 1}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}
forces: {motor: {type: joint-force, coordinate: rail, value: = push}}
outputs: [rail.rate]
study: {type: run, until: 2 s, interval: 10 ms}
YAML
call 0 run "$work/pushed.yaml" -o "$work/jump" --input "push=$work/jump.csv:u" --quiet
ends jump 2.99 1e-9
sed -i 's/unit: N/unit: N, hold: first/' "$work/pushed.yaml"
call 0 run "$work/pushed.yaml" -o "$work/jump" --input "push=$work/jump.csv:u" --quiet
ends jump 2.99 1e-9
# on straight lines with a jump: the machine and its FMU have the same meaning of a table
printf 'time,u\n0,0\n0.505,1\n0.505,7\n0.505,2\n2,0\n' > "$work/lines.csv"
call 0 export "$work/pushed.yaml" --fmu "$work/pushed.fmu" --kind me --targets own
for pushed in pushed.yaml pushed.fmu; do
  call 0 run "$work/$pushed" -o "$work/jump" --input "push=$work/lines.csv:u" --quiet
  ends jump 1.7475 1e-8
done

# inputs on straight lines over the steps of version 2: a force 6 t^2 on 1 kg makes 16 m/s, off by h^2/12 (F'(2) - F'(0)); held ones of version 3 by h/2 (F(2) - F(0))
sed -i 's/, hold: first//' "$work/pushed.yaml"
for row in '2 16.0002 1' '2 16.0002 2' '2 16.0002 3' '3 15.8802 2'; do
  read -r version want method <<< "$row"
  call 0 export "$work/pushed.yaml" --fmu "$work/pushed.fmu" --version $version --targets own
  call 0 run "$work/pushed.fmu" -o "$work/jump" --input 'push=6[N/s^2]*time^2' --set integrator.method=$method --quiet
  ends jump $want 1e-9
done

# arrays of version 3: x'' = -4 x1 by A = [0 1; -4 0]; elements are set, led, recorded and shown by their indices
for kind in me cs; do
  python3 test/fmi/make_arrays.py "$work/a.fmu" $kind
  call 0 run "$work/a.fmu" -o "$work/a" --set 'A[2,1]=-4' --quiet
  ends a -0.6536436208636119 1e-8
  call 0 run "$work/a.fmu" -o "$work/a" --set 'A[2,1]=-4' --input 'u[1]=1' --quiet
  ends a -1.032044868517576 1e-8
  head -1 "$work/a/results.csv" | has_line '^time \[s\],y\[1\],y\[2\]' || fail "elements of arrays have no names"
done
call 2 run "$work/a.fmu" -o "$work/a" --set n=3
complains "'n' gives arrays their lengths"

# 100,000 locals, all of which an output depends on, are read in time that grows with their number (0.4 s; 60 s where names and references are searched)
python3 test/fmi/make_arrays.py "$work/many.fmu" cs 100000
TIMEFORMAT=%U
seconds=$( { time "$ARTICULA" run "$work/many.fmu" -o "$work/a" > /dev/null 2>&1; } 2>&1)
awk -v s="$seconds" 'BEGIN { exit !(s < 8) }' || fail "100,000 variables take $seconds s"

# a unit that discards steps of more than 3 ms is gone back with, to quarters of the step; one that cannot go back ends the run
for version in 2 3; do
  make pi $version "$work/h.fmu" --break picky
  call 0 run "$work/h.fmu" -o "$work/h" --input u=1 --json
  ends h 12 1e-12
  holds "j['halved'] == 600 and j['steps'] == 200"
  make pi $version "$work/h.fmu" --break picky --kind cs
  call 1 run "$work/h.fmu" -o "$work/h"
  complains "'h' discards the step of 0.01 s at 0 s, and not all FMUs take a shorter one"
done

# sources instead of a binary
for version in 2 3; do
  make pi $version "$work/s.fmu" --sources
  call 0 run "$work/s.fmu" -o "$work/s" --input u=1 --quiet
  ends s 12 1e-12
done
# C99 that uses functions of the system, as strdup, which -std=c99 hides; a function that nobody declares is refused
make pi 3 "$work/s.fmu" --sources --break strdup
call 0 run "$work/s.fmu" -o "$work/s" --input u=1 --quiet
ends s 12 1e-12
make pi 3 "$work/s.fmu" --sources --break undeclared
call 1 run "$work/s.fmu" -o "$work/s"
complains "name_of_nothing"

# the example of the guide: errors of the order of the step, of either sign
awk -v folder="$work" '/^# [a-z]+\.yaml$/ { file = folder "/" $2 } /^```/ { file = "" } file { print > file }' doc/guide/fmi.md
cp "$work/p3.fmu" "$work/pi.fmu"
exact=1.10064157536726 # x'' = kp (1 - x) + ki i - 3 x', i' = 1 - x, by Runge and Kutta in steps of 0.1 ms
for step in 10 5; do
  coupled 0 run "$work/loop.yaml" -o "$work/loop$step" --step "$step ms"
  says "A cart under a controller" "plant: a machine" "pi: FMI 3.0, co-simulation"
done
sed 's/interval/iterations: 20, interval/' "$work/loop.yaml" > "$work/again.yaml"
coupled 0 run "$work/again.yaml" -o "$work/again" --json
holds "j['redone'] > 100 and j['unsettled'] == 0 and j['units'][0]['kind'] == 'machine'"
sed 's/iterations: 20/iterations: 2/' "$work/again.yaml" > "$work/few.yaml"
coupled 1 run "$work/few.yaml" -o "$work/few"
complains "inputs still changed after 2 iterations; take shorter steps"
python3 - "$work" $exact << 'PYTHON' || fail "the loop does not converge with order 1"
import csv, sys
def end(name): return float(list(csv.reader(open(f"{sys.argv[1]}/{name}/results.csv")))[-1][2])
exact = float(sys.argv[2])
a, b, c = (end(name) - exact for name in ("loop10", "loop5", "again"))
sys.exit(0 if 1e-3 < a < 5e-3 and 1.9 < a / b < 2.1 and -5e-3 < c < -1e-3 else 1)
PYTHON

# a machine without a controller, pushed by 1 N: x = t/3 - (1 - exp(-3 t))/9; held from row to row, for its input has no `hold: first`
printf 'time,f [kN]\n0,0.001\n5,1\n' > "$work/push.csv"
for push in '"= 1[N]*cos(0*time/1[s])"' push.csv:f; do
  printf 'articula: 1\nunits: {plant: {file: cart.yaml}}\nconnect: {plant.push: %s}\nstudy: {until: 2 s, step: 10 ms}\n' "$push" > "$work/pushed.yaml"
  coupled 0 run "$work/pushed.yaml" -o "$work/pushed" --quiet
  ends pushed 0.444169027535926 1e-9
done
# a controller in mm and kN, by the definitions of its units, does the same
make pi 3 "$work/pi.fmu" --break scaled
sed 's/kp: 4, ki: 0.5/kp: 4e-6, ki: 0.5e-6/' "$work/loop.yaml" > "$work/scaled.yaml"
coupled 0 run "$work/scaled.yaml" -o "$work/scaled" --quiet
python3 - "$work" << 'PYTHON' || fail "units are not converted"
import csv, sys
a, b = (list(csv.reader(open(f"{sys.argv[1]}/{k}/results.csv"))) for k in ("loop10", "scaled"))
assert len(a) == len(b) > 10 and all(abs(float(r[2]) - float(s[2])) < 1e-9 for r, s in zip(a[1:], b[1:]))
assert all(abs(float(r[3]) - 1000 * float(s[3])) < 1e-6 for r, s in zip(a[1:], b[1:])), (a[-1], b[-1])
PYTHON
sed 's/plant.push: pi.y/plant.push: plant.place/' "$work/scaled.yaml" > "$work/wrong.yaml"
coupled 2 run "$work/wrong.yaml" -o "$work/wrong"
complains "plant.push is in 'N' and is given a value in 'm'"
cp "$work/p3.fmu" "$work/pi.fmu"

# loops without a state between their ends: two controllers that feed each other settle where their gain allows it
printf 'articula: 1\nunits: {a: {file: pi.fmu, start: {kp: 0.5, ki: 0}}, b: {file: pi.fmu, start: {kp: %s, ki: 0}}}\n' 1 > "$work/circle.yaml"
printf 'connect: {a.u: b.y, b.u: a.y}\n' >> "$work/circle.yaml"
coupled 0 run "$work/circle.yaml" -o "$work/circle"
sed -i 's/kp: 1/kp: -4/; s/a: {file: pi.fmu, start: {/&x: 1, /; s/ki: 0}}, b/ki: 1}}, b/' "$work/circle.yaml"
coupled 1 run "$work/circle.yaml" -o "$work/circle"
complains "circle.yaml:" "values go round in a circle without a state and do not settle at 0 s"

# folders of killed unpackings go, those of living processes, links and young ones stay
mkdir -p "$work/tmp/articula-unit-killed/a" "$work/tmp/articula-unit-living" "$work/tmp/articula-unit-young1" "$work/kept"
touch "$work/tmp/articula-unit-killed/a/file" "$work/kept/file"
ln -s "$work/kept" "$work/tmp/articula-unit-linked"
touch -h -d '1 hour ago' "$work/tmp/articula-unit-killed" "$work/tmp/articula-unit-living" "$work/tmp/articula-unit-linked"
flock "$work/tmp/articula-unit-living" sleep 3 &
sleep 0.3
TMPDIR=$work/tmp call 0 run "$work/p3.fmu" --until '10 ms' -o "$work/p" --quiet
[ "$(ls "$work/tmp" | paste -sd ' ')" = "articula-unit-linked articula-unit-living articula-unit-young1" ] || fail "$last: leaves $(ls "$work/tmp")"
[ -e "$work/kept/file" ] || fail "$last: a link was followed"
wait

# control characters of a file of parts do not reach the terminal
for key in 'title: "a\e[2Jb"' 'units: {"a\e[2J": {file: cart.yaml}}' 'units: {a: {file: "a\e[2J.fmu"}}'; do
  printf 'articula: 1\n%s\n' "$key" > "$work/odd.yaml"
  case $key in title*) echo 'units: {a: {file: cart.yaml}}' >> "$work/odd.yaml" ;; esac
  call 2 run "$work/odd.yaml" -o "$work/odd"
  complains "has control characters in it"
  grep -q "$(printf '\033')" "$work/out" "$work/err" && fail "$last: a control character is printed"
done

# two runs into one folder: the second is refused; half a row on a full disk is cut off, and the exit status is 1
mkdir -p "$work/locked"
flock "$work/locked/lock" sleep 5 &
sleep 0.3
call 2 run "$work/p3.fmu" -o "$work/locked"
complains "writes its results here"
wait
(ulimit -f 300; "$ARTICULA" run "$work/p3.fmu" --until '20 s' --step '1 ms' --input u=0.1 -o "$work/large" > "$work/out" 2> "$work/err")
[ $? -eq 1 ] || fail "a full disk: exit status is not 1"
last="a full disk"
complains "results.csv: cannot write: File too large"
python3 - "$work/large/results.csv" << 'PYTHON' || fail "half a row is left"
import sys
text = open(sys.argv[1]).read()
rows = text.split("\n")
assert text.endswith("\n") and 10 < len(rows) and len(text) <= 307200 and all(r.count(",") == rows[0].count(",") for r in rows[:-1]), text[-80:]
PYTHON
[ ! -e "$work/large/lock" ] || fail "the lock is left"

# a file loads no native code by itself: the call names each FMU, and view never loads one
printf 'articula: 1\nunits: {p: {file: loud.fmu}}\nstudy: {until: 10 ms, step: 10 ms}\n' > "$work/loud.yaml"
make pi 3 "$work/quiet.fmu"
mkdir "$work/loud" "$work/loud/sources"
(cd "$work/loud" && python3 -m zipfile -e ../quiet.fmu . && rm -rf binaries)
cat > "$work/loud/mark.c" << 'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void mark(void) { fclose(fopen(getenv("MARK"), "w")); }
C
folder=$(cd "$work" && python3 -m zipfile -l quiet.fmu | grep -o 'binaries/[^ ]*' | head -n 1)
mkdir -p "$work/loud/$(dirname "$folder")"
$quick_cc -shared -fPIC -o "$work/loud/$folder" "$work/loud/mark.c" || fail "mark.c"
(cd "$work/loud" && python3 -c 'import shutil; shutil.make_archive("../loud", "zip", ".")' && mv ../loud.zip ../loud.fmu)
export MARK=$work/mark
unloaded() { [ ! -e "$MARK" ] || { fail "$last: native code was loaded"; rm -f "$MARK"; }; }
call 2 run "$work/loud.yaml" -o "$work/loud-results"
complains "loud.yaml:2:" "this FMU has native code" "add --allow-native '$work/loud.fmu' to the call"
unloaded
call 2 run "$work/loud.yaml" --allow-native "$work/quiet.fmu" -o "$work/loud-results"
complains "this FMU has native code"
unloaded
for verb in view check info compare linear generate sweep; do
  more=()
  [ $verb = sweep ] && more=(--vary a=1:2:2)
  call 2 $verb "$work/loud.yaml" "${more[@]}"
  unloaded
done
for file in loud.yaml loud.fmu; do
  call 2 run "$work/$file" --allow-native "$work/loud.fmu" --no-native -o "$work/loud-results"
  complains "FMUs have native code, and --no-native refuses to load any"
  unloaded
done
call 2 view "$work/loud.fmu"
unloaded
call 2 run "$work/loud.yaml" --allow-native "$work/loud.fmu" -o "$work/loud-results" # its functions are missing
complains "the binary of the FMU lacks the function"
[ -e "$MARK" ] || fail "$last: the FMU was allowed and is not loaded"
rm -f "$work/loud.fmu" "$work/quiet.fmu"

# wrong files
for change in "s/kp: 4/kq: 4/|wrong.yaml:6:34: 'pi' has no variable 'kq' (did you mean 'kp'?)" "s/plant.miss/plant.mis/|'plant' has no output 'mis' (did you mean 'miss'?)" \
  "s/pi.u: /pi.v: /|'pi' has no input 'v'" "s/plant.push/plan.push/|there is no FMU 'plan' (did you mean 'plant'?)" "s/title/titel/|'titel' is not a key of a file of FMUs (did you mean 'title'?)" \
  "s/pi.fmu/po.fmu/|po.fmu: cannot open" "s/step: 10/step: 30/|the interval of 0.1 s is not a multiple of the step of 0.03 s" "s/10 ms/10 mm/|a time" "s/until: 2 s/until: -1 s/|the end of -1 s makes no sense" \
  "s/step: 10 ms/step: 10 ms, iterations: 0/|iterations are a whole number" "s/{file: pi.fmu/{kind: master, file: pi.fmu/|'master' is not a kind of FMU" "s/kp: 4/kp: four/|'kp' cannot be 'four'"; do
  sed "${change%%|*}" "$work/loop.yaml" > "$work/wrong.yaml"
  coupled 2 run "$work/wrong.yaml" -o "$work/wrong"
  complains "${change#*|}"
done
make ball 3 "$work/ball.fmu"
printf 'articula: 1\nunits: {c: {file: cart.yaml}, b: {file: ball.fmu}}\nconnect: {c.push: b.height}\n' > "$work/units.yaml"
coupled 2 run "$work/units.yaml" -o "$work/units"
complains "units.yaml:3:11: c.push is in 'N' and is given a value in 'm'"
coupled 2 run "$work/loop.yaml" --integrator rk4
complains "a run of FMUs takes no --integrator"
call 2 check "$work/loop.yaml"
complains "is for 'articula run' alone"

# units that cannot be used
for way in "version|modelDescription.xml:2:1: FMUs of FMI 2.0 and 3.0 are known, this one says version '1.0'" "foreign|the FMU makes no instance 'x': the token belongs to another unit" "xml|this is not XML" \
  "description|this is not an FMU: the archive has no modelDescription.xml" "path|'../outside' in the archive leads out of its folder" "bomb|one call may read 1073741824 bytes of files in all" "size|says a size that it cannot have" "twice|appears twice" \
  "link|'resources/link' in the archive is a link" "architecture|and no sources; it has binaries for: riscv-beos" "binary|the binary of the FMU cannot be loaded"; do
  make pi 3 "$work/x.fmu" --break "${way%%|*}"
  call 2 run "$work/x.fmu" -o "$work/x"
  complains "${way#*|}"
done
[ ! -e "$work/../outside" ] || fail "a file was written outside"
head -c 3000 "$work/p3.fmu" > "$work/cut.fmu"
call 2 run "$work/cut.fmu"
complains "this is not an archive that can be unpacked"
call 2 run "$work/nowhere.fmu"
complains "cannot open"

# exported machines: a tree, loops, samplers, wheels that roll. Both kinds come to where the machine itself does; the checker passes them, where it is built
checker=$(dirname "$ARTICULA")/test/test_fmi_checker
printf 'articula: 1\nunits: {m: {file: machine.fmu, kind: exchange}}\nstudy: {until: 30 ms, step: 1 ms}\n' > "$work/exchange.yaml"
version=2
for model in double-pendulum loops/four-bar plant/inverted-pendulum contact/rolling/bicycle; do
  call 0 export models/$model.yaml --fmu "$work/machine.fmu" --targets own --version $version
  python3 test/fmi/rules.py "$work/machine.fmu" || fail "$model as a unit breaks rules"
  version=$((5 - version))
  if [ -x "$checker" ]; then
    "$checker" "$work/machine.fmu" > "$work/checked" || { fail "$model as a unit"; cat "$work/checked"; }
  fi
  call 0 run models/$model.yaml --until '30 ms' --interval '1 ms' --tolerance 1e-10 -o "$work/numbers" --quiet
  call 0 run "$work/machine.fmu" --until '30 ms' --step '1 ms' -o "$work/simulation" --quiet
  coupled 0 run "$work/exchange.yaml" -o "$work/exchange" --quiet
  python3 - "$work" << 'PYTHON' || fail "$model as a unit goes elsewhere"
import csv, sys
def end(name): return [float(x) for x in list(csv.reader(open(f"{sys.argv[1]}/{name}/results.csv")))[-1]]
want = end("numbers")
for kind in ("simulation", "exchange"):
    got = end(kind)
    if len(got) != len(want) or not all(abs(x - y) <= 1e-8 * (1 + abs(y)) for x, y in zip(got, want)): sys.exit(1)
PYTHON
done

# what importers show: structured names, units for display, sizes of states, outputs that change at events alone
cat > "$work/names.yaml" << 'YAML'
articula: 1
bodies: {arm-a: {mass: 1, com: [1, 0, 0]}, cart: {mass: 1}}
joints: {arm-pin: {type: revolute, axis: y, from: ground, to: arm-a}, rail: {type: prismatic, axis: x, from: ground, to: cart}}
states: {heat: {initial: 300, rate: = 0*heat}}
sensors: {place: {type: quantity, unit: m, value: = rail.slide, every: 10 ms}}
outputs: {seen: = place, now: = rail.slide, warm: = heat}
study: {type: run, until: 1 s}
YAML
for version in 2 3; do
  call 0 export "$work/names.yaml" --fmu "$work/names.fmu" --targets own --version $version --binary
  python3 test/fmi/rules.py "$work/names.fmu" || fail "names of version $version break rules"
  python3 - "$work/names.fmu" << 'PYTHON' || fail "names, display units, sizes or discrete outputs of version $version"
import sys, zipfile, xml.etree.ElementTree as ET
root = ET.fromstring(zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))
own = {}
for v in root.find("ModelVariables"):
    own[v.get("name")] = dict(v.attrib, **(v[0].attrib if len(v) else {}))
assert root.get("variableNamingConvention") == "structured"
assert own["'arm-pin'.angle"]["displayUnit"] == "deg" and "der('arm-pin'.angle)" in own, list(own)
assert own["heat"]["nominal"] == "100.0" and "nominal" not in own["'arm-pin'.angle"]
assert [own[name]["variability"] for name in ("seen", "now", "warm")] == ["discrete", "continuous", "continuous"]
PYTHON
done

# a machine that time drives, with the name of a type; without sources none are listed
cat > "$work/wave.yaml" << 'YAML'
articula: 1
parameters: {method: {value: 1 N, limits: [0.5, 2 N]}}
bodies: {cart: {mass: 1}}
joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}
forces: {motor: {type: joint-force, coordinate: rail, value: "= method*sin(3[1/s]*time)"}}
outputs: {wave: "= method*sin(3[1/s]*time)", place: rail.slide}
study: {type: run, until: 1 s}
YAML
# mistakes that importers trip over: rules.py finds each in a unit that is right
cat > "$work/mistake.py" <<'PYTHON'
import re, sys, zipfile
unit, out, place, old, new = sys.argv[1:]
with zipfile.ZipFile(unit) as a, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as b:
    for file in a.infolist():
        data = a.read(file)
        if file.filename == "modelDescription.xml" and place == "text":
            data, n = re.subn(old.encode(), new.encode(), data, count=1)
            sys.exit("nothing to change") if n == 0 else None
        if place == "name":
            file.filename = re.sub(old, new, file.filename)
        if place == "bytes" and file.filename.startswith("binaries/"):
            data = data.replace(old.encode(), new.encode())
        b.writestr(file, data)
PYTHON
for version in 2 3; do
  call 0 export models/latch.yaml --fmu "$work/right.fmu" --targets own --version $version
  python3 test/fmi/rules.py "$work/right.fmu" || fail "a latch as a unit breaks rules"
  python3 -m zipfile -e "$work/right.fmu" "$work/right"
  [ "$(grep -c 'reinit="true"' "$work/right/modelDescription.xml")" -eq 5 ] || fail "five states change when a latch engages"
  while IFS='|' read -r place old new; do
    python3 "$work/mistake.py" "$work/right.fmu" "$work/wrong.fmu" "$place" "$old" "$new" || fail "no mistake $old"
    ! python3 test/fmi/rules.py "$work/wrong.fmu" > /dev/null || fail "rules.py passes $old made $new in version $version"
  done <<'MISTAKES'
text|modelIdentifier="a|modelIdentifier="1
text|stopTime="|stopTime="-
text|logStatusError|logAll
text|canGetAndSetFMU|canKeepFMU
text|causality="parameter" variability="tunable"|reinit="true" causality="parameter" variability="tunable"
text|initial="exact"|initial="calculated"
text| start="| begin="
name|binaries/[^/]*|binaries/here
name|\.so$|.o
bytes|GetVersion|GotVersion
bytes|memcmp|printf
MISTAKES
done
call 0 export models/pendulum.yaml --fmu "$work/machine.fmu" --sources
python3 -m zipfile -e "$work/machine.fmu" "$work/right"
! grep -q reinit "$work/right/modelDescription.xml" || fail "no event changes a pendulum"
call 0 export models/loops/four-bar.yaml --fmu "$work/machine.fmu" --version 3 --sources
python3 test/fmi/quad.py "$work/machine.fmu" > "$work/checked" || { fail "derivatives beside quadruple precision"; cat "$work/checked"; }
for version in 2 3; do
  call 0 export "$work/wave.yaml" --fmu "$work/wave.fmu" --targets own --version $version --binary
  python3 test/fmi/rules.py "$work/wave.fmu" || fail "a unit that time drives breaks rules"
  python3 -m zipfile -e "$work/wave.fmu" "$work/wave"
  [ "$(grep -c "dependencies=\"$((3 - version))\"" "$work/wave/modelDescription.xml")" -eq 2 ] || fail "two variables depend on time alone"
  grep -q '<td>wave</td>' "$work/wave/documentation/index.html" || fail "the documentation has no outputs"
done
call 1 export models/experiments/double-pendulum.yaml --fmu "$work/machine.fmu"
complains "the outputs show the steps of the integrator, which is another one here"

# a step that fails; numbers that are none
call 1 run "$work/p2.fmu" -o "$work/p" --input u=nan
complains "fmi2SetReal of 'p2' answers 'discard' at 0 s: a value is not a number"
call 1 run "$work/p3.fmu" -o "$work/p" --step '200 s' --until '400 s'
complains "fmi3DoStep of 'p3' answers 'error' at 0 s: such a step cannot be done"
# an archive whose names would make folders without end
python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], "w"); z.writestr("modelDescription.xml", "<a/>"); z.writestr("a/" * 33 + "x", "")' "$work/deep.fmu"
call 2 run "$work/deep.fmu"
complains "lies in more than 32 folders"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A signal ends every verb soon, wherever it is: a run between two rows, a sweep within a case, others at once. Nothing
# half done is left behind: no part of a file, no lock, no compiler at work. Every row that is claimed is there.
source test/cli/support.bash

cat > "$work/far.yaml" << 'YAML'
articula: 1
parameters: {m: 2 kg}
bodies:
  rod: {mass: = m, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01], points: {tip: [0, 0, -1]}}
  bob: {mass: 1, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
  elbow: {type: revolute, axis: y, from: rod.tip, to: bob}
initial: {pin: {angle: 90 deg}}
study: {type: run, until: 1e6 s, interval: 5e5 s, tolerance: 1e-10, step: 1 ms}
YAML

# a compiler that does not come to an end, and says which processes it is
export XDG_CACHE_HOME=$work/cache
cat > "$work/cc" << SH
#!/bin/sh
echo \$\$ >> $work/compilers
sleep 97 &
echo \$! >> $work/compilers
wait
SH
chmod +x "$work/cc"

# end SIGNAL STATUS WHEN ARGUMENT ...: the command, sent a signal as soon as WHEN holds
end() {
  local signal=$1 want=$2 when=$3 pid got begun took
  rm -f "$work/out"
  shift 3
  "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null &
  pid=$!
  for _ in $(seq 200); do eval "$when" && break; sleep 0.05; done
  sleep 0.1
  begun=$(date +%s%N)
  kill -"$signal" $pid
  wait $pid
  got=$?
  took=$((($(date +%s%N) - begun) / 1000000))
  last="articula $*"
  [ $got -eq "$want" ] || { fail "$last: SIG$signal, exit status $got, want $want"; cat "$work/err"; }
  # half a second, on a machine that may have much else to do
  [ $took -lt 3000 ] || fail "$last: SIG$signal took $took ms"
  [ -z "$(find "$work" -name '*.part' -o -name lock -o -name 'new-*')" ] ||
    fail "$last: SIG$signal left $(find "$work" -name '*.part' -o -name lock -o -name 'new-*')"
}

has_no_compiler() {
  sleep 0.1
  for pid in $(cat "$work/compilers" 2> /dev/null); do
    kill -0 "$pid" 2> /dev/null && ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" && fail "$last: process $pid is left at work"
  done
  rm -f "$work/compilers"
}

far=$work/far.yaml
call 0 run $models/pendulum.yaml -o "$work/shown"
for signal in INT TERM HUP; do
  for way in "--integrator bdf" "--method index3"; do
    end $signal 1 '[ -s "$work/far/scene.arts" ]' run "$far" $way -o "$work/far"
    complains "interrupted at time" "the 1 rows so far" " --resume"
    [ "$(wc -l < "$work/far/results.csv")" -eq 2 ] || fail "$last: $(wc -l < "$work/far/results.csv") lines of results"
    holds 'j["status"] == "interrupted" and j["rows"] == 1 and j["time"] > 0' "$work/far/certificate.json"
    [ -e "$work/far/checkpoint" ] || fail "$last: no checkpoint"
    rm -rf "$work/far"
  done
  [ $signal = TERM ] || continue
  CC=$work/cc end $signal $((128 + $(kill -l $signal))) '[ -s "$work/compilers" ]' run "$far" --method generated -o "$work/far"
  has_no_compiler
  CC=$work/cc end $signal $((128 + $(kill -l $signal))) '[ -s "$work/compilers" ]' compare "$far"
  has_no_compiler
  end $signal 1 '[ -e "$work/far/lock" ]' sweep "$far" --vary m=1:2:2 -o "$work/far"
  rm -rf "$work/far"
  end $signal 0 'grep -q http "$work/out"' view "$work/shown" --port 0
done

# the second program of a run, for other independent coordinates, is compiled in the middle of it
cat > "$work/later" << SH
#!/bin/sh
echo call >> $work/calls
[ \$(wc -l < $work/calls) -eq 1 ] && exec cc "\$@"
[ -n "\$FAILS" ] && { echo "error: no more"; exit 1; }
exec $work/cc
SH
chmod +x "$work/later"
loops="run models/loops/four-bar.yaml --until 0.1 --method generated"
call 0 $loops -o "$work/whole"
says "2 programs compiled and loaded"
CC=$work/later end INT 1 '[ -s "$work/compilers" ]' $loops -o "$work/far"
has_no_compiler
complains "interrupted at time" "rows so far"
holds 'j["status"] == "interrupted"' "$work/far/certificate.json"
rm -rf "$work/cache" "$work/calls"
CC=$work/later end INT 1 '[ -s "$work/compilers" ]' sweep models/loops/four-bar.yaml --until 0.1 --method generated --vary pivot.rate=12:13:2 -o "$work/swept"
has_no_compiler
complains "interrupted after"

# without it the run does not go on by numbers, to other bits
rm -rf "$work/cache" "$work/calls"
FAILS=1 CC=$work/later call 1 $loops -o "$work/far"
complains "the compiler '$work/later' did not take the generated equations: error: no more"
call 0 $loops -o "$work/far"
cmp "$work/whole/results.csv" "$work/far/results.csv" || fail "other bits after a compiler that failed"
rm -rf "$work/far"

# with samplers a run goes on from its last row; a period that makes a thousand million instants is refused
sed 's/^study.*/study: {type: run, until: 10 s, interval: 5 s}/' "$far" > "$work/quick.yaml"
echo 'sensors: {seen: {type: gyro, frame: rod, every: 1 us}}' >> "$work/quick.yaml"
for way in "" "--method index3 --step 1e-3"; do
  end INT 1 '[ -s "$work/far/scene.arts" ]' run "$work/quick.yaml" $way -o "$work/far"
  complains "interrupted at time" "the 1 rows so far" " --resume"
  [ -e "$work/far/checkpoint" ] || fail "$last: no checkpoint"
  rm -rf "$work/far"
done
end INT 1 '[ -e "$work/far/lock" ]' sweep "$work/quick.yaml" --vary m=1:2:2 -o "$work/far"
rm -rf "$work/far"
sed -i 's/1 us/1 ns/' "$work/quick.yaml"
end INT 1 '[ -s "$work/far/scene.arts" ]' run "$work/quick.yaml" -o "$work/far"
complains "quick.yaml:11:11: 'seen.x' is sampled every 1e-09 s, which makes 1e+10 instants until 10 s: the run takes long"
rm -rf "$work/far"
sed -i 's/1 ns/1e-15/' "$work/quick.yaml"
call 2 run "$work/quick.yaml" -o "$work/far"
complains "quick.yaml:11:11: 'seen.x' is sampled every 1e-15 s, which makes more than 1e+15 instants from 0 s to 10 s"

# nohup goes on when the terminal does not
(trap '' HUP; exec "$ARTICULA" run "$far" -o "$work/far" > "$work/out" 2> "$work/err") &
pid=$!
for _ in $(seq 200); do [ -s "$work/far/scene.arts" ] && break; sleep 0.05; done
kill -HUP $pid
sleep 0.3
kill -0 $pid 2> /dev/null || fail "SIGHUP ends a run that ignores it"
kill -TERM $pid
wait $pid
rm -rf "$work/far"

# a file that has become too large is an error with a message, and its whole rows are counted
(ulimit -f 4; "$ARTICULA" run models/double-pendulum.yaml -o "$work/large" > "$work/out" 2> "$work/err")
got=$? last="articula run with a limit of 4 kB a file"
[ $got -eq 1 ] || fail "$last: exit status $got"
complains "cannot write: File too large" "rows so far"
rows=$(($(wc -l < "$work/large/results.csv") - 1))
complains "the $rows rows so far"
[ -z "$(tail -c 1 "$work/large/results.csv" | tr -d '\n')" ] || fail "$last: half a row is left"

finish

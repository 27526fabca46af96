#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Interrupted runs, resumed: the same bits as without interruption, for every integrator.
source test/cli/support.bash

model=$models/long.yaml

size() { stat -c %s "$1" 2> /dev/null || echo 0; }

# interrupt SIGNAL DIRECTORY ARGUMENT ...: a run, stopped as soon as it has written more than it had
interrupt() {
  local signal=$1 dir=$2 before pid
  shift 2
  before=0
  case " $* " in *" --resume "*) before=$(size "$dir/results.csv") ;; *) rm -f "$dir/results.csv" ;; esac
  "$ARTICULA" run $model -o "$dir" "$@" > "$work/out" 2> "$work/err" &
  pid=$!
  while [ "$(size "$dir/results.csv")" -le "$before" ] && kill -0 $pid 2> /dev/null; do :; done
  kill -"$signal" $pid 2> /dev/null
  wait $pid
  local got=$?
  last="articula run $model -o $dir $*"
  [ $got -eq 1 ] || fail "$last: interrupted, exit status $got, want 1"
}

for integrator in rk4 dopri5 bdf adams automatic; do
  args=(--integrator $integrator)
  [ $integrator = rk4 ] && args+=(--step "2 ms")
  whole=$work/$integrator-whole cut=$work/$integrator-cut

  call 0 run $model -o "$whole" "${args[@]}"
  interrupt INT "$cut" "${args[@]}"
  complains "interrupted at time" "rows so far are in $cut/results.csv" "to go on: articula run $model" " --resume"
  silent out
  holds 'j["status"] == "interrupted" and 0 < j["time"] < 60' "$cut/certificate.json"
  cmp -s "$whole/results.csv" <(cat "$cut/results.csv" <(tail -c +$(($(size "$cut/results.csv") + 1)) "$whole/results.csv")) ||
    fail "$last: the rows so far are not a beginning of the whole"

  # again, and then to the end; rows after the checkpoint, as a crash leaves them, do no harm
  interrupt TERM "$cut" "${args[@]}" --resume
  echo "7,half a li" >> "$cut/results.csv"
  call 0 run $model -o "$cut" "${args[@]}" --resume
  cmp "$whole/results.csv" "$cut/results.csv" || fail "$last: not the same bits as without interruption"
  [ ! -e "$cut/checkpoint" ] || fail "$last: a finished run leaves a checkpoint"
  cp "$whole/certificate.json" "$work/out"
  holds "all(j[k] == json.load(open('$cut/certificate.json'))[k] for k in ('energy', 'steps', 'rows', 'status', 'constraints'))"
done

# as JSON
cut=$work/json
interrupt INT "$cut" --json
holds 'j["status"] == "interrupted" and j["rows"] > 0'
silent err

# refusals, which leave everything as it is
cp -r "$cut" "$work/kept"
call 2 run $model -o "$cut" --resume --tolerance 1e-6
complains "$cut/checkpoint: the interrupted run had tolerance 1e-07, this one has 1e-06"
call 2 run $model -o "$cut" --resume --until 70
complains "had until 60, this one has 70"
call 2 run $model -o "$cut" --resume --integrator bdf
complains "had integrator automatic, this one has bdf"
call 2 run $model -o "$cut" --resume --method mass-matrix
complains "had method automatic, this one has mass-matrix"
call 2 run $models/pendulum.yaml -o "$cut" --resume
complains "the interrupted run was of another model"
sed 's/{x: float.x/{y: float.x/' $model > "$work/long.yaml"
call 2 run "$work/long.yaml" -o "$cut" --resume
complains "wrote other outputs than the model has now"
sed 's/{x: float.x/{x: float.y/' $model > "$work/long.yaml"
call 2 run "$work/long.yaml" -o "$cut" --resume
complains "the outputs of the model have changed since the run was interrupted"
call 2 run $model -o "$work/empty" --resume
complains "$work/empty: there is no interrupted run to resume here"
diff -r "$cut" "$work/kept" || fail "a refusal changed the results"

head -c 300 "$work/kept/checkpoint" > "$cut/checkpoint"
call 2 run $model -o "$cut" --resume
complains "$cut/checkpoint: the checkpoint is damaged"
echo nonsense > "$cut/checkpoint"
call 2 run $model -o "$cut" --resume
complains "this is not a checkpoint"
cp "$work/kept/checkpoint" "$cut/checkpoint"
: > "$cut/results.csv"
call 2 run $model -o "$cut" --resume
complains "$cut/results.csv: found 0 bytes, expected at least the"
rm "$cut/results.csv"
call 2 run $model -o "$cut" --resume
complains "the results of the interrupted run are gone"

# one run a folder: a second one is refused while the first is at work, and both leave it whole
"$ARTICULA" run models/double-pendulum.yaml --until 100000 -o "$work/shared" > /dev/null 2>&1 &
first=$!
for _ in $(seq 100); do [ -s "$work/shared/lock" ] && break; sleep 0.1; done
call 2 run models/double-pendulum.yaml -o "$work/shared"
complains "another process, number $first, writes its results here" "another folder by -o"
call 2 run models/double-pendulum.yaml -o "$work/shared" --until 100000 --resume
kill -KILL $first
wait $first 2> /dev/null
call 0 run models/double-pendulum.yaml -o "$work/shared"
[ ! -e "$work/shared/lock" ] || fail "a lock is left behind"

finish

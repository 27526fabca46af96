#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Calls of the system that fail and signals that arrive, one at a time, everywhere in a run (test/shim/faults.c): it
# ends with the right bits, or says that it failed and leaves what leads to them. With ART_SOAK=1 every single
# place, otherwise some of them all along the run.
source test/cli/support.bash
[ -n "${FAULTS_LIBRARY:-}" ] || { echo "no library to preload, as under sanitizers"; exit 0; }

cat > "$work/fall.yaml" << 'YAML'
articula: 1
bodies:
  rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01], points: {tip: [0, 0, -1]}}
  bob: {mass: 1, com: [0, 0, -0.3], inertia: [0.02, 0.02, 0.01]}
joints:
  pin: {type: revolute, axis: y, from: ground, to: rod}
  ball: {type: spherical, from: rod.tip, to: bob}
forces:
  friction: {type: joint-friction, coordinate: pin, coulomb: 0.3 N m, transition: 0.01}
initial: {pin: {angle: 90 deg}, ball: {wx: 1}}
outputs: [pin.angle, bob.z, energy.balance]
study: {type: run, until: 0.5 s, interval: 0.11 s, tolerance: 1e-5}
YAML
model=$work/fall.yaml
export XDG_CACHE_HOME=$work/cache # of compiled equations
mkdir "$work/cache"

# little MEGABYTES ARGUMENT ...: with little memory it works, or says so, and does not wait
little() {
  local megabytes=$1
  shift
  (ulimit -v $((1000 * megabytes)); timeout -k 1 20 "$ARTICULA" "$@" -o "$work/little" > "$work/out" 2> "$work/err")
  status=$?
  if [ $status -eq 1 ]; then
    grep -q "memory is limited\|out of memory" "$work/err" || fail "ulimit -v of $megabytes MB: no message about memory: $*"
    told=$((told + 1))
  elif [ $status -ne 0 ] && ! grep -q "error while loading shared libraries" "$work/err"; then
    fail "ulimit -v of $megabytes MB: exit status $status: $*"
  fi
}

# with as much as the message asks for it works
told=0
for megabytes in $(seq 60 20 300); do little $megabytes run models/loops/four-bar.yaml --until 0.1; done
[ $status -eq 0 ] || fail "ulimit -v of 300 MB: exit status $status"
[ $told -gt 0 ] || fail "no run was told that memory is limited"
for megabytes in 250 350 450 600 750; do
  rm -rf "$work/little"
  little $megabytes sweep models/loops/four-bar.yaml --vary span=0.45:0.55:400 --until 0.1 --threads 4
done
[ $status -eq 0 ] || fail "ulimit -v of 750 MB: exit status $status of a sweep by four threads"
rm -rf "$work/little"

# faulty WHAT ARGUMENT ...: the command under one fault
faulty() {
  local what=$1
  shift
  rm -f "$work/count"
  LD_PRELOAD=$FAULTS_LIBRARY FAULTS=$what FAULTS_COUNT=$work/count FAULTS_CLOCK=${clock:-0} \
    "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null
}

# recover DIRECTORY ARGUMENT ...: by hand as a user would, to the same bits as `whole`
recover() {
  local dir=$1
  shift
  if [ -e "$dir/checkpoint" ]; then
    call 0 run $model "$@" -o "$dir" --resume
  else
    call 2 run $model "$@" -o "$dir" --resume
    call 0 run $model "$@" -o "$dir"
  fi
  cmp "$whole/results.csv" "$dir/results.csv" || fail "$fault: other bits after it was taken up again"
  [ ! -e "$dir/lock" ] && [ ! -e "$dir/checkpoint.part" ] || fail "$fault: something is left behind: $(ls "$dir")"
}

# rows that are claimed are there
check_claim() {
  [ -e "$1/certificate.json" ] || return
  local claimed there sum
  claimed=$(sed -n 's/^ *"rows": *\([0-9]*\),*$/\1/p' "$1/certificate.json" | head -1)
  there=$(($(wc -l < "$1/results.csv") - 1))
  [ "${claimed:-0}" -le $((there > 0 ? there : 0)) ] || fail "$fault: $claimed rows are claimed, $there are there"
  sum=$(sed -n 's/^ *"results_sha256": *"\([0-9a-f]*\)",*$/\1/p' "$1/certificate.json")
  [ -z "$sum" ] || [ "$sum" = "$(sha256sum < "$1/results.csv" | cut -d' ' -f1)" ] || fail "$fault: another sum is claimed"
}

# places COUNT: all of them under ART_SOAK, otherwise about $2 all along
places() {
  local step=$(($1 / $2))
  [ -z "${ART_SOAK:-}" ] && [ $step -gt 1 ] || step=1
  seq 1 $step "$1"
}

#---- writes and signals --------------------------------------------------------------------------

for args in "--integrator dopri5" "--method index3 --step 10ms" "--method generated"; do
  whole=$work/whole
  rm -rf "$whole"
  call 0 run $model $args -o "$whole"

  # every write fails once, with checkpoints on the way
  clock=2 faulty none:0 run $model $args -o "$work/counted"
  read -r writes _ _ < "$work/count"
  [ "$writes" -gt 20 ] || fail "only $writes calls that write were seen"
  for kind in enospc short full eio eintr; do
    for n in $(places "$writes" 6); do
      dir=$work/$kind-$n fault="$kind at call $n that writes, $args"
      clock=2 faulty $kind:$n run $model $args -o "$dir"
      got=$?
      if [ $got -eq 0 ]; then
        cmp "$whole/results.csv" "$dir/results.csv" || fail "$fault: exit status 0 with other bits"
      else
        [ -s "$work/err" ] || fail "$fault: exit status $got without a word"
        [ $got -eq 1 ] || [ $got -eq 2 ] || fail "$fault: exit status $got"
        check_claim "$dir"
        recover "$dir" $args
      fi
      rm -rf "$dir"
    done
  done

  # a machine so slow that a checkpoint is due at every look at the clock
  clock=1000 faulty none:0 run $model $args -o "$work/slow"
  [ $? -eq 0 ] || fail "a slow machine, $args: exit status"
  cmp "$whole/results.csv" "$work/slow/results.csv" || fail "a slow machine, $args: other bits"

  # every signal before every step
  clock=0 faulty none:0 run $model $args -o "$work/counted"
  read -r _ looks _ < "$work/count"
  [ "$looks" -gt 20 ] || fail "only $looks looks at the clock were seen"
  for signal in INT TERM HUP KILL XFSZ; do
    for n in $(places "$looks" 5); do
      dir=$work/$signal-$n fault="SIG$signal at look $n at the clock, $args"
      clock=0.3 faulty "$(kill -l $signal):$n" run $model $args -o "$dir"
      got=$?
      case $signal in KILL) want=137 ;; XFSZ) want=0 ;; *) want=1 ;; esac
      # before the run begins, or when all rows are there already, signals do what they always do
      [ $got -eq $want ] || [ $got -eq 0 ] || [ $got -eq $((128 + $(kill -l $signal))) ] ||
        fail "$fault: exit status $got, want $want"
      check_claim "$dir"
      if [ $got -eq 0 ]; then
        cmp "$whole/results.csv" "$dir/results.csv" || fail "$fault: exit status 0 with other bits"
      else
        recover "$dir" $args
      fi
      rm -rf "$dir"
    done
  done
done


#---- the compiler and its cache ------------------------------------------------------------------

# cold FAULT: one run with an empty cache, in which the compiler meets the fault as well; then one without a fault
cold() {
  fault="$1 of a run that compiles"
  rm -rf "$work/cold" "$work/run" "$work/again"
  mkdir "$work/cold"
  XDG_CACHE_HOME=$work/cold faulty "$1" run $model --method generated -o "$work/run"
  got=$?
  if [ $got -eq 0 ]; then
    cmp "$whole/results.csv" "$work/run/results.csv" || fail "$fault: exit status 0 with other bits"
  else
    [ $got -eq 1 ] || [ $got -eq 2 ] || fail "$fault: exit status $got"
    [ -s "$work/err" ] || fail "$fault: exit status $got without a word"
  fi
  [ -z "$(find "$work/cold" -type f ! -name "*.so" ! -name "*.c")" ] || fail "$fault: something is left in the cache"
  XDG_CACHE_HOME=$work/cold call 0 run $model --method generated -o "$work/again"
  cmp "$whole/results.csv" "$work/again/results.csv" || fail "$fault: other bits after it"
}

XDG_CACHE_HOME=$work/cold faulty none:0 run $model --method generated -o "$work/counted"
read -r writes _ allocations < "$work/count"
for kind in enospc short; do
  for n in $(places "$writes" 5); do cold $kind:$n; done
done
for n in $(places "$allocations" 8); do cold alloc:$n; done

#---- memory --------------------------------------------------------------------------------------

# files and output that the verb leaves, without the wall clock
left_by() {
  (cd "$1" 2> /dev/null && find . -type f ! -name certificate.json | sort | xargs -r cat)
  grep -v " s in \|times real time" "$work/out" | sed "s#$1##g"
}

while read -r verb; do
  rm -rf "$work/right"
  mkdir "$work/right"
  faulty none:0 ${verb/OUT/$work\/right}
  [ $? -eq 0 ] || { fail "$verb: does not work"; cat "$work/err"; }
  read -r _ _ allocations < "$work/count"
  left_by "$work/right" > "$work/want"
  for n in $(places "$allocations" 16); do
    dir=$work/alloc fault="allocation $n of $verb"
    mkdir "$dir"
    faulty alloc:$n ${verb/OUT/$dir}
    got=$?
    if [ $got -eq 0 ]; then
      left_by "$dir" > "$work/got"
      cmp "$work/want" "$work/got" || fail "$fault: exit status 0 with something else"
    else
      [ $got -eq 1 ] || [ $got -eq 2 ] || fail "$fault: exit status $got"
      [ -s "$work/err" ] || fail "$fault: exit status $got without a word"
      [ -z "$(find "$dir" -name "*.part" 2> /dev/null)" ] || fail "$fault: half a file is left"
    fi
    rm -rf "$dir"
  done
done << VERBS
check models/loops/four-bar.yaml
equil models/loops/four-bar.yaml
generate models/loops/four-bar.yaml -o OUT/equations.c
linear models/spindle.yaml -o OUT
run $model -o OUT
run $model --method index3 --step 10ms -o OUT
run models/loops/four-bar.yaml --until 0.1 -o OUT
run models/loops/four-bar.yaml --until 0.1 --method recursive -o OUT
run models/loops/four-bar.yaml --until 0.1 --method generated -o OUT
VERBS

#---- a damaged checkpoint ------------------------------------------------------------------------

whole=$work/whole
rm -rf "$whole" "$work/kept"
call 0 run $model -o "$whole"
faulty "$(kill -l INT):30" run $model -o "$work/kept"
[ -e "$work/kept/checkpoint" ] || fail "no checkpoint is left by an interruption"
for at in $(places "$(stat -c %s "$work/kept/checkpoint")" 24); do
  dir=$work/flipped fault="byte $at of the checkpoint, flipped"
  rm -rf "$dir"
  cp -r "$work/kept" "$dir"
  /usr/bin/python3 - "$dir/checkpoint" "$at" << 'PYTHON'
import sys
path, at = sys.argv[1], int(sys.argv[2]) - 1
data = bytearray(open(path, "rb").read())
data[at] ^= 1 << (at % 8)
open(path, "wb").write(data)
PYTHON
  "$ARTICULA" run $model -o "$dir" --resume > "$work/out" 2> "$work/err"
  got=$?
  case $got in
    0) cmp "$whole/results.csv" "$dir/results.csv" || fail "$fault: exit status 0 with other bits" ;;
    2) grep -q "checkpoint" "$work/err" || fail "$fault: refused for another reason: $(cat "$work/err")" ;;
    *) fail "$fault: exit status $got" ;;
  esac
done

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Ranks that die or hang in the command, disks that are full, launchers of another MPI: a message, no hang, and nothing
# is lost. ART_SOAK=1 loses more of them, and waits for one that was stopped.
source test/par/mpirun.bash
source test/cli/support.bash
model=$models/swing.yaml
sweep=(sweep $model --vary L=0.5:2:20 --vary k=1:5:10 --until 4)
RANDOM=11

# begin_ranks N ARGUMENT ...: the command by N ranks, in the background
begin_ranks() {
  last="mpirun -n $1 articula ${*:2}"
  launch "$1" "$ARTICULA" "${@:2}" > "$work/out" 2> "$work/err" < /dev/null &
  job=$!
}

# pid_of RANK: of the command that begin_ranks has started
pid_of() {
  local pid
  for pid in $(pgrep -f "^$ARTICULA ") ; do
    grep -qzFx "OMPI_COMM_WORLD_RANK=$1" "/proc/$pid/environ" 2> /dev/null &&
      grep -qzFx "DEATHS=$work" "/proc/$pid/environ" && echo "$pid"
  done
}
export DEATHS=$work

# wait_for LINES FILE: until a file has so many, or the job is at an end
wait_for() {
  until [ "$(wc -l 2> /dev/null < "$2")" -gt "$1" ] 2> /dev/null; do
    kill -0 $job 2> /dev/null || return
    sleep 0.01
  done
}

# the job ends by itself, as a failure, and says so
ends_with() {
  wait $job
  local status=$?
  [ $status -ne 0 ] || fail "$last: a lost rank is no failure"
  [ $status -ne 124 ] || fail "$last: hangs"
  complains "$@"
}

# resume RANKS THREADS: the table becomes that of a sweep in which nothing was lost
resume() {
  launch "$1" "$ARTICULA" "${sweep[@]}" -o "$work/cut" --resume --threads "$2" > "$work/out" 2> "$work/err" < /dev/null
  cmp "$work/whole/results.csv" "$work/cut/results.csv" && return
  fail "resumed by $1 ranks after $last: not the table without losses"
  cat "$work/err"
}

# a sweep that has lost a rank, whichever it is, is resumed by other numbers of ranks and threads
call 0 "${sweep[@]}" -o "$work/whole"
losses=3
[ -z "${ART_SOAK-}" ] || losses=30
late=0
for ((k = 0; k < losses; k++)); do
  lost=$((k % 3))
  rm -rf "$work/cut"
  begin_ranks 3 "${sweep[@]}" -o "$work/cut"
  wait_for $((1 + RANDOM % 100)) "$work/cut/journal"
  pid=$(pid_of $lost)
  # on a busy machine the sweep may be through before its rank is found: another one is begun
  if [ -z "$pid" ] || ! kill -9 $pid || cmp -s "$work/whole/results.csv" "$work/cut/results.csv"; then
    wait $job
    k=$((k - 1)) late=$((late + 1))
    [ $late -lt 20 ] || { fail "$last: rank $lost is not there"; break; }
    continue
  fi
  ends_with "signal 9"
  [ -e "$work/cut/results.csv" ] && fail "$last: a table without all cases"
  resume $((1 + k % 4)) $((1 + k % 2))
done

# a rank that is stopped is not heard of
if [ -n "${ART_SOAK-}" ]; then
  rm -rf "$work/cut"
  begin_ranks 3 "${sweep[@]}" -o "$work/cut"
  wait_for 20 "$work/cut/journal"
  pid=$(pid_of 1)
  kill -STOP $pid
  ends_with "rank 1 of 3 was not heard of for 30 s" "--resume"
  kill -9 $pid 2> /dev/null
  resume 2 1
fi

# a disk that is full, as far as a limit on sizes can play it, ends all ranks and is made good; memory that ranks share
# is a file to the system
limited='trap "" XFSZ; ulimit -f 8; exec "$@"'
for ranks in 1 3; do
  rm -rf "$work/cut"
  OMPI_MCA_btl=tcp,self launch $ranks bash -c "$limited" - "$ARTICULA" "${sweep[@]}" -o "$work/cut" \
    > "$work/out" 2> "$work/err" < /dev/null
  status=$?
  last="articula sweep by $ranks ranks, disk full"
  [ $status -ne 0 ] && [ $status -ne 124 ] || fail "$last: exit status $status"
  complains "$work/cut/journal: cannot write"
  resume $ranks 2
done

# a journal that cannot be written at all
mkdir -p "$work/taken/journal"
for ranks in 1 2; do
  launch $ranks "$ARTICULA" "${sweep[@]}" -o "$work/taken" > "$work/out" 2> "$work/err" < /dev/null &&
    fail "a journal that is a folder was taken by $ranks ranks"
  complains "$work/taken/journal: cannot write"
done

# branches of the recursive method on ranks, of which one dies
tools/make-loop.sh 151 > "$work/loop.yaml"
for lost in 0 1; do
  begin_ranks 2 run "$work/loop.yaml" --method recursive --until 10000 -o "$work/run"
  until [ -n "$(pid_of $lost)" ]; do kill -0 $job 2> /dev/null || break; done
  sleep 0.$((3 + RANDOM % 7))
  kill -9 "$(pid_of $lost)" || fail "$last: rank $lost is not there"
  ends_with "signal 9"
done

# a launcher of another MPI: each process would take itself for the only one
PMI_SIZE=2 call 1 "${sweep[@]}" -o "$work/other"
complains "start it with the mpirun of that MPI"
[ ! -e "$work/other" ] || fail "$last: leaves files"

finish

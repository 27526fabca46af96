# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# articula run by several threads and ranks: the same rows, and what is said about it.
source "$(dirname "$0")/support.bash"
loop=models/benchmarks/loop-5.yaml
short=(--method recursive --until 0.05 --interval 0.01)

call 0 run $loop "${short[@]}" -o "$work/one"
grep -q "threads" "$work/out" && fail "$last: speaks of threads that nobody asked for"
call 0 run $loop "${short[@]}" --threads 2 -o "$work/two"
says "an evaluation takes" "by 2 threads:"
cmp "$work/one/results.csv" "$work/two/results.csv" || fail "$last: other rows than one thread"
holds "j['parallel']['asked'] == 2 and j['parallel']['used'] in (1, 2)" "$work/two/certificate.json"
holds "j['parallel']['branches'] == 2 and j['parallel']['by'] == 'threads'" "$work/two/certificate.json"

# in any case, where one alone is quicker as well
call 0 run $loop "${short[@]}" --threads 2 --share-always -o "$work/always"
says "2 of them shared the work"
cmp "$work/one/results.csv" "$work/always/results.csv" || fail "$last: other rows than one thread"
holds "j['parallel']['used'] == 2" "$work/always/certificate.json"
call 2 run $loop "${short[@]}" --share-always -o "$work/no"
complains "--share-always goes with --method recursive and two or more threads or ranks"

# whole runs by bdf, whose linear equations take evaluations alone: the same place as with a full matrix
for newton in dense krylov; do
  call 0 run $loop "${short[@]}" --integrator bdf --tolerance 1e-9 --option newton=$newton -o "$work/$newton"
  holds "j['study']['newton'] == '$newton'" "$work/$newton/certificate.json"
done
paste -d, <(tail -1 "$work/dense/results.csv") <(tail -1 "$work/krylov/results.csv") |
  awk -F, '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d < -1e-6 || d > 1e-6) exit 1 } }' ||
  fail "newton=krylov leads elsewhere than newton=dense"
call 2 run $loop --option newton=krylov -o "$work/no"
complains "newton belongs to integrator bdf"

call 0 run $loop "${short[@]}" --threads 1 -o "$work/one"
call 2 run $loop --threads 2 -o "$work/no"
complains "--threads share the branches of closed loops in method recursive" "choose --method recursive"
call 2 run models/pendulum.yaml --method recursive --threads 2 -o "$work/no"
complains "this machine has no loops"
call 2 run $loop --method recursive --threads 0 -o "$work/no"
complains "--threads is 0, expected a whole number from 1 to 256"
[ ! -e "$work/no" ] || fail "a call that is refused leaves files"

# generated equations: the same rows for any number, whether threads pay or not
bar=models/loops/four-bar.yaml
for n in 1 2 3; do
  call 0 run $bar --method generated --threads $n --until 0.05 -o "$work/generated-$n"
  cmp "$work/generated-1/results.csv" "$work/generated-$n/results.csv" || fail "$last: other rows than one thread"
done
says "an evaluation takes" "by 3 threads with" "messages of"
holds "j['parallel']['messages'] >= 0 and 0 < j['parallel']['message'] < 1" "$work/generated-3/certificate.json"
holds "j['parallel']['asked'] == 3 and j['parallel']['used'] in (1, 3)" "$work/generated-3/certificate.json"
call 2 run $bar --method generated --threads 65 -o "$work/no"
complains "split into at most 64 tasks"

# a simulator whose accelerations are shared: the table of the serial one, by one thread, by two and by choice
cart=models/vehicles/cart.yaml
call 0 generate $cart --product simulator -o "$work/serial.c"
call 0 generate $cart --product simulator --parallel threads --tasks 2 -o "$work/shared.c"
$quick_cc -std=c11 "$work/serial.c" -lm -o "$work/serial" || fail "no serial simulator"
$quick_cc -std=c11 "$work/shared.c" -lm -lpthread -o "$work/shared" || fail "no simulator with threads"
"$work/serial" --until 0.1 > "$work/serial.csv" 2> "$work/err" || fail "the serial simulator fails"
"$work/shared" --until 0.1 > "$work/measured.csv" 2> "$work/err" || fail "the simulator fails that measures"
complains "an evaluation takes" "by 2 threads with" "messages of"
for n in 1 2; do
  "$work/shared" --until 0.1 --threads $n > "$work/$n.csv" 2> "$work/err" || fail "the simulator fails with $n threads"
done
for table in measured 1 2; do
  cmp "$work/serial.csv" "$work/$table.csv" || fail "the simulator with threads has other rows: $table"
done
"$work/shared" --threads 3 2> "$work/err" && fail "more threads than tasks were taken"
grep -q -- "--threads N: 1, one thread, or all 2;" "$work/err" || fail "it does not say how many threads it has"
complains "--threads N"
call 2 generate $cart --product simulator --parallel mpi -o "$work/no"
complains "a simulator takes no --parallel mpi: it runs by threads"

# tasks behind a header, in C and C++: a caller that knows nothing else
call 0 generate $cart --forms accelerate --parallel threads --tasks 2 --header -o "$work/team.c"
says "team.c" "team.h"
cat > "$work/caller.c" << 'CALLER'
#include <stdio.h>
#include "team.h"
int main(void)
{
  TEAM_team *team = START();
  const int stalled = team ? STALLED(team) : 0;
  STOP(team);
  printf("%d messages, %d\n", MESSAGES, stalled);
  return stalled != -1;
}
CALLER
name=$(sed -n 's/^\(.*\)_team \*.*_start(void).*/\1/p' "$work/team.h")
sed -i "s/TEAM/$name/; s/START/${name}_start/; s/STALLED/${name}_stalled/; s/STOP/${name}_stop/; s/MESSAGES/(int) ${name}_messages/" "$work/caller.c"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$work/caller.c" "$work/team.c" -lm -lpthread -o "$work/caller" || fail "a caller does not compile with the header"
"$work/caller" > "$work/out" || fail "the team of a caller does not start"
cp "$work/caller.c" "$work/caller.cpp"
g++ -std=c++17 -Wall -Wextra -Werror -c "$work/caller.cpp" -o "$work/caller.o" || fail "the header is no C++"

# ranks, where there are any
if command -v mpirun > /dev/null; then
  # memory that MPI itself leaves behind at its end is not ours to check
  export ASAN_OPTIONS="detect_leaks=0"
  launch=(timeout 150 mpirun --allow-run-as-root --oversubscribe -n 2 "$ARTICULA")
  if "${launch[@]}" run $loop "${short[@]}" -o "$work/ranks" > "$work/out" 2> "$work/err" < /dev/null; then
    last="mpirun articula run"
    says "by 2 ranks with "
    cmp "$work/one/results.csv" "$work/ranks/results.csv" || fail "$last: other rows than one rank"
    holds "j['parallel']['by'] == 'ranks' and j['parallel']['round_trips'] in (1, 2)" "$work/ranks/certificate.json"
    "${launch[@]}" run $loop -o "$work/no" > "$work/out" 2> "$work/err" < /dev/null &&
      fail "ranks without a method for them were taken"
    complains "ranks share the branches of closed loops in method recursive"
  else
    complains "built without MPI"
  fi
fi
finish

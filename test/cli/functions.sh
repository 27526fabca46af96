#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Functions of the user from shared objects, in C and Fortran: what runs come to, generated C and Fortran that call
# the same functions, and what is said of libraries and functions that are wrong.
. test/cli/support.bash
cc="${CC:-cc}"
model=examples/functions/cart.yaml plain=examples/functions/cart-plain.yaml
laws=$work/laws.so

$cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -Iinclude -o "$laws" examples/functions/laws.c -lm || fail "laws.c"
gfortran -O1 -Wall -Werror -shared -fPIC -o "$work/fortran.so" examples/functions/laws.f90 || fail "laws.f90"
gfortran -O1 -shared -fPIC -o "$work/bound.so" examples/functions/laws_bind.f90 || fail "laws_bind.f90"

# same A B LIMIT: the last lines of two tables agree in the columns that both have
same() {
  python3 - "$@" << 'PYTHON' || fail "$1 and $2 differ"
import csv, math, sys
rows = [list(csv.reader(l for l in open(f) if not l.startswith('#'))) for f in sys.argv[1:3]]
ends = [{h.split(' ')[0]: float(x) for h, x in zip(r[0], r[-1])} for r in rows]
both = [k for k in ends[0] if k in ends[1]]
worst = max((abs(ends[0][k] - ends[1][k]) / max(1, abs(ends[1][k])), k) for k in both)
wrong = any(not math.isfinite(ends[0][k]) for k in both)
if len(both) < 9 or wrong or not worst[0] <= float(sys.argv[3]):
    sys.exit(f"{len(both)} columns, {worst[1]} off by {worst[0]:g}")
PYTHON
}

# the same motion from every library, with the energy in balance
call 0 run $plain --until 0.3 -o "$work/plain"
for libraries in "$laws" "$work/fortran.so" "$work/bound.so --functions $work/fortran.so"; do
  call 0 run $model --functions $libraries --until 0.3 --strict -o "$work/called"
  says "verdict: good"
  same "$work/called/results.csv" "$work/plain/results.csv" 1e-9
done
for method in recursive augmented generated; do
  call 0 run $model --functions "$laws" --until 0.3 --strict --method $method -o "$work/called"
  same "$work/called/results.csv" "$work/plain/results.csv" 1e-9
done

# a path without a folder is a file of this one; all verbs that read a model take the option
cp $model "$work"
(cd "$work" && "$ARTICULA" check cart.yaml --functions laws.so > out 2> err) || fail "laws.so in the working folder"
says "4: 5 velocities, 1 bound" "strut                    3 inputs, 3 parameters, 1 results, for force 'strut'"
call 0 check $model --functions "$laws" --json
holds 'len(j["functions"]) == 6 and all(f["has_code"] for f in j["functions"])'
call 0 linear $model --functions "$laws"
says "1.66501"
call 0 compare $model --functions "$laws" --until 0.05 --integrator rk4 --step 1ms
says "generated" "conserving"
call 0 sweep $model --functions "$laws" --vary k=30000:50000:3 --until 0.05 --result final:lift.slide -o "$work/sweep"
[ "$(wc -l < "$work/sweep/results.csv")" -eq 4 ] || fail "the sweep has no 3 rows"

# interrupted and resumed, to the same bits: the library is named again
steps=(--until 3 --integrator rk4 --step "0.02 ms" --interval "1 ms")
call 0 run $model --functions "$laws" "${steps[@]}" -o "$work/whole"
"$ARTICULA" run $model --functions "$laws" "${steps[@]}" -o "$work/cut" > "$work/out" 2> "$work/err" &
pid=$!
until [ -s "$work/cut/results.csv" ] || ! kill -0 $pid 2> /dev/null; do :; done
kill -INT $pid 2> /dev/null
wait $pid
complains "to go on: articula run $model --functions $laws"
call 2 run $model "${steps[@]}" -o "$work/cut" --resume
complains "which no library has given"
call 0 run $model --functions "$laws" "${steps[@]}" -o "$work/cut" --resume
cmp "$work/whole/results.csv" "$work/cut/results.csv" || fail "$last: not the same bits as without interruption"

# generated C, compiled with the same file
call 0 generate $model --functions "$laws" --json -o "$work/listed.c"
holds 'len(j["externals"]) > 0 and all(x["name"].startswith("user_") and x["arguments"] > 0 and x["results"] > 0 for x in j["externals"])'
call 0 generate $model --functions "$laws" --product simulator -o "$work/simulator"
$cc -std=c11 -Wall -Wextra -Werror -O1 -Iinclude "$work"/simulator/*.c examples/functions/laws.c -lm -o "$work/simulate" || fail "no simulator"
"$work/simulate" --until 0.3 --tolerance 1e-11 > "$work/simulated.csv" || fail "the simulator fails"
same "$work/simulated.csv" "$work/plain/results.csv" 1e-8

# generated Fortran, compiled with the Fortran file, against the accelerations of the plain machine
sed '/^outputs/,$d' $plain > "$work/accelerations.yaml"
echo "outputs: [go.accel, lift.accel, spin.accel, bounce.accel, hinge.accel]" >> "$work/accelerations.yaml"
call 0 run "$work/accelerations.yaml" --until 0 -o "$work/accelerations"
call 0 generate $model --functions "$laws" --language fortran -o "$work/cart.f90"
grep -q "call user_strut(" "$work/cart.f90" || fail "no call in Fortran"
cat > "$work/driver.f90" << 'FORTRAN'
program driver
  use cart_with_laws_of_the_user_model
  implicit none
  type(parameters) :: p
  double precision :: c(accelerate_constants), q(5), v(5), a(5)
  integer :: status
  q = [0d0, 0.29d0, 0d0, 0.6d0, 0d0]
  v = [12d0, 0d0, 40d0, 0d0, 0d0]
  a = 0
  call accelerate_prepare(p, c)
  call accelerate(p, c, [0d0], q, v, a, status)
  print '(5(es24.16))', a
end program driver
FORTRAN
(cd "$work" && gfortran -O1 cart.f90 driver.f90 "$OLDPWD/examples/functions/laws.f90" -o driver) || fail "generated Fortran does not compile"
"$work/driver" > "$work/fortran.txt" || fail "generated Fortran fails"
python3 - "$work/fortran.txt" "$work/accelerations/results.csv" << 'PYTHON' || fail "Fortran has other accelerations"
import csv, sys
got = [float(x) for x in open(sys.argv[1]).read().split()]
want = [float(x) for x in list(csv.reader(open(sys.argv[2])))[1][1:]]
sys.exit(not (len(got) == len(want) == 5 and all(abs(a - b) <= 1e-9 * max(1, abs(b)) for a, b in zip(got, want))))
PYTHON

# a ground by a function, and a link that is given a state and a command: the same by elements of the program, in runs and in generated C
ride=examples/functions/ride.yaml
$cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -Iinclude -o "$work/ground.so" examples/functions/ground.c -lm || fail "ground.c"
sed -e 's/function: hills, parameters: .*}/amplitude: 0.03 m, wavelength: 5 m}/; s/hills: {type: function/hills: {type: sine/' \
  -e 's|function: piston.*|value: "= 2000[N/m]*(strut.length - 0.5[m]) + 1500[N s/m]*(1 - 0.5*valve)*strut.rate - pressure"}|; /arguments: /d' $ride > "$work/ride-plain.yaml"
for method in order-n generated; do
  call 0 run $ride --functions "$work/ground.so" --method $method --strict -o "$work/called"
  call 0 run "$work/ride-plain.yaml" -o "$work/plain-ride"
  same "$work/called/results.csv" "$work/plain-ride/results.csv" 1e-8
done
call 0 check $ride --functions "$work/ground.so"
says "piston                   3 inputs, 3 parameters, 2 arguments, 1 results" "hills                    2 inputs, 2 parameters, 3 results, for the road of tyre 'tread'"
call 2 run $ride -o "$work/none"
complains "calls the function 'hills', which no library has given"
call 0 generate $ride --functions "$work/ground.so" --product simulator -o "$work/rider"
$cc -std=c11 -Wall -Wextra -Werror -O1 -Iinclude "$work"/rider/*.c examples/functions/ground.c -lm -o "$work/ride" || fail "no simulator of the ride"
"$work/ride" --until 1 --tolerance 1e-11 > "$work/ridden.csv" || fail "the simulator of the ride fails"
same "$work/ridden.csv" "$work/plain-ride/results.csv" 1e-7

# behind the interface the machine in C calls functions in the language of its caller: the same motion, to the last bit
for ending in c f90 py; do
  call 0 generate $model --functions "$laws" --product machine --forms accelerate --name rig -o "$work/rig.$ending"
done
cat > "$work/rig_steps.c" << 'END'
#include <stdio.h>
#include "rig.h"
static rig_machine m;
int main(void)
{
  rig_start(&m);
  for (int i = 0; i < 20; i++) if (rig_step(&m, 1e-3)) return 1;
  for (int i = 0; i < rig_NQ; i++) printf("%.17g\n", m.q[i]);
  return 0;
}
END
cat > "$work/rig_steps.f90" << 'END'
program steps
  use rig_model
  type(rig_machine) :: m
  integer :: i, status
  call rig_start(m)
  do i = 1, 20
    call rig_step(m, 1d-3, status)
    if (status /= 0) error stop
  end do
  print '(es26.17e3)', m%q
end program steps
END
cat > "$work/rig_steps.py" << 'END'
import ctypes, rig
laws = ctypes.CDLL('./laws.so')
class User: pass
def law(name, nx, ny):
    def call(x):
        y = (ctypes.c_double*ny)()
        getattr(laws, name)((ctypes.c_double*nx)(*x), y, None)
        return y[:]
    return call
user = User()
for function in rig._functions: setattr(user, function[0], law(*function))
m = rig.Machine(user)
for i in range(20): m.step(1e-3)
print(*m.q, sep='\n')
def none(x): raise ArithmeticError('no law')
user.user_strut = none
q = m.q
try: m.step(1e-3)
except ArithmeticError as problem: assert str(problem) == 'no law' and m.q is q
else: raise SystemExit('a function of the user has failed, and the step has not')
END
flags="-std=c11 -O0 -ffp-contract=off"
(cd "$work" && $cc $flags -I"$OLDPWD/include" rig.c rig_steps.c "$OLDPWD/examples/functions/laws.c" -lm -o rig_c && ./rig_c > rig_c.txt) || fail "rig.c"
(cd "$work" && $cc $flags -Wall -Wextra -Werror -c rig_fortran.c && gfortran -O0 -ffp-contract=off rig.f90 rig_steps.f90 "$OLDPWD/examples/functions/laws.f90" rig_fortran.o -o rig_f && ./rig_f > rig_f.txt) || fail "rig.f90"
(cd "$work" && CFLAGS=-O0 python3 rig_steps.py > rig_p.txt) || fail "rig.py"
python3 - "$work" << 'PYTHON' || fail "machines in other languages call other functions"
import sys
c, f, p = ([float(x) for x in open(sys.argv[1] + '/rig_' + k + '.txt')] for k in 'cfp')
sys.exit(not (len(c) == 5 and c == f == p))
PYTHON

# other languages call a function that their user supplies; no library is needed to write the forces of a tree
for language in matlab java python; do
  call 0 generate $model --functions "$laws" --language $language -o "$work/$language"
  grep -q "user.user_strut(" "$(cat "$work/out")" || fail "no call in $language"
done

# wrong calls
call 2 run $model -o "$work/none"
complains "$model:40:" "constraint 'flapping' calls the function 'flapping', which no library has given" "--functions LIB"
call 2 run $model --functions "$work/bound.so" -o "$work/none"
complains "$model:40:" "which no library has given"
call 2 run $model --functions "$work/nowhere.so" -o "$work/none"
complains "the library '$work/nowhere.so' cannot be loaded"
call 2 run $model --functions $model -o "$work/none"
complains "cannot be loaded"
call 2 run $plain --functions "$laws" -o "$work/none"
complains "is not needed"
echo 'int nothing, strut;' > "$work/nothing.c"
$cc -shared -fPIC -o "$work/nothing.so" "$work/nothing.c"
call 2 run $model --functions "$work/nothing.so" -o "$work/none"
complains "has none of the functions that the model lacks: flapping, flapping_bias, strut"

# a result that is not a number ends the run by the name of the element
sed 's/y\[0\] = p\[0\] - p\[1\] \* x\[ART_JOINT_RATE\]/y[0] = x[ART_JOINT_TIME] > 0.1 ? NAN : 0/' examples/functions/laws.c > "$work/nan.c"
$cc -shared -fPIC -Iinclude -o "$work/nan.so" "$work/nan.c" -lm || fail "nan.c"
for method in semirecursive generated index3; do
  call 1 run $model --functions "$work/nan.so" --method $method --step 1ms -o "$work/none"
  complains "$model:35:" "force 'motor' has no value: result 1 of its function 'motor' is nan"
done

# so does a constraint, also where steps become shorter and shorter before it
sed 's/y\[0\] = x\[1\] - x\[2\] \* x\[0\]/y[0] = x[0] > 0.6105 \&\& x[0] < 0.6125 ? NAN : x[1] - x[2] * x[0]/' examples/functions/laws.c > "$work/border.c"
$cc -shared -fPIC -Iinclude -o "$work/border.so" "$work/border.c" -lm || fail "border.c"
for method in semirecursive recursive augmented index1; do
  call 1 run $model --functions "$work/border.so" --method $method --step 1ms -o "$work/none"
  complains "constraint 'flapping'"
done

# a model reaches the functions of the libraries that are named, not those that they need themselves
sed 's/function: strut/function: system/' $model > "$work/system.yaml"
for libraries in "" "--functions $laws"; do
  call 2 run "$work/system.yaml" $libraries -o "$work/none"
  complains "calls the function"
done
complains "force 'strut' calls the function 'system', which no library has given"
finish

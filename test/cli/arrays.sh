#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# generate --language numpy, casadi and jax: the example of the guide, many states at a time, derivatives through loops, and what
# comes out where loops cannot be closed. CasADi and JAX by stand-ins (test/support/stand_in).
source test/cli/support.bash

loop=models/loops/four-bar.yaml
stand_in=$PWD/test/support/stand_in
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1

for language in numpy casadi jax; do
  call 0 generate $loop --language $language -o "$work/four_bar_$language.py"
  call 0 generate $loop --forms machine-inverse --independent pivot --actuators bearing --language $language -o "$work/rocker_$language.py"
done
call 0 generate $loop --language numpy -o "$work/four_bar_linkage.py"
call 2 generate $loop --language jax -o "$work/x.m"
complains "--language is jax, and '$work/x.m' is a file of matlab" "name a file that ends in '.py'"
call 2 generate $loop --language jax --product machine -o "$work/x.py"
complains "a machine with its interface takes no --language jax" "it is written in c, fortran, matlab, java or python"
call 2 generate $loop --language numpy --product simulator -o "$work/x.py"
complains "a simulator takes no --language" "it is written in c or matlab"

# nothing in a function asks a traced number for its value
for language in casadi jax; do
  sed -n '/^def accelerate(/,$p' "$work/four_bar_$language.py" > "$work/body"
  if grep -nE '^ *(if|while|for) |math\.|np\.| if ' "$work/body"; then fail "$language: a branch or a function of plain numbers"; fi
done

# the position in which the rocker stands still: it does not turn the crank there
call 0 generate $loop --language python -o "$work/plain.py"
(cd "$work" && python3 - > dead) <<'PYTHON' || fail "no dead centre"
import plain
p = plain.Parameters()
c = plain.accelerate_prepare(p)


def closed(angle):
    q, v = [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]
    for k in range(41):
        q[0] = angle*k/40
        plain.accelerate(p, c, [0.0], q, v)
    return q, v[2]


low = high = 0.0
while closed(low)[1]*closed(high)[1] > 0 and high < 7:
    low, high = high, high + 0.1
for _ in range(60):
    middle = (low + high)/2
    low, high = (middle, high) if closed(low)[1]*closed(middle)[1] > 0 else (low, middle)
assert abs(closed(low)[1]) < 1e-12
print(*map(repr, closed(low)[0]))
PYTHON

cat > "$work/derivatives.py" <<'PYTHON'
import importlib, math, sys
import traced
m = importlib.import_module("four_bar_" + sys.argv[1])
rocker = importlib.import_module("rocker_" + sys.argv[1])
PER_STEP = 1e-6


def accelerations(q0, v0, crank, direction=(0, 0, 0)):
    p = m.Parameters()
    p.crank = traced.Traced(crank, direction[2])
    results = m.accelerate(p, m.accelerate_prepare(p), traced.vector([0.0]),
                           traced.vector([q0, *guess], [direction[0], 0, 0]),
                           traced.vector([v0, 0.0, 0.0], [direction[1], 0, 0]))
    return results


# a closed position near the one of the file, then derivatives along crank angle, rate and length against differences
guess = [0.0, 0.0]
point = [0.3, 1.2, m.Parameters().crank]
a, q, v = accelerations(*point)
guess = [x + 0.01 for x in traced.values(q)[1:]]  # not closed, so that iterations are made
for k in range(3):
    direction = [float(i == k) for i in range(3)]
    exact = [e for x in accelerations(*point, direction) for e in traced.slopes(x)]
    ends = []
    for sign in (-1, 1):
        there = list(point)
        there[k] += sign*PER_STEP
        ends.append([e for x in accelerations(*there) for e in traced.values(x)])
    difference = [(y - x)/(2*PER_STEP) for x, y in zip(*ends)]
    scale = max(map(abs, difference))
    worst = max(abs(x - y) for x, y in zip(exact, difference))
    assert scale > 0.1 and worst < 1e-7*scale, (k, exact, difference)

# a frame that is too long, and actuators out of reach: NaN, and nowhere else
p = m.Parameters()
p.span = 100.0
a, q, v = m.accelerate(p, m.accelerate_prepare(p), traced.vector([0.0]), traced.vector([0.3, *guess]), traced.vector([1.0, 0, 0]))
assert all(map(math.isnan, traced.values(a))) and traced.values(q)[0] == 0.3, traced.values(a)


def force(q):
    p = rocker.Parameters()
    given = [traced.vector(x) for x in ([0.0], q, [1.0, 0, 0], [1.0, 0, 0])]
    return traced.values(rocker.machine_inverse(p, rocker.machine_inverse_prepare(p), *given)[0])[0]


there, dead = force([0.3, *guess]), force([float(x) for x in open("dead").read().split()])
assert math.isfinite(there) and math.isnan(dead), (there, dead)
PYTHON
for language in casadi jax; do
  (cd "$work" && PYTHONPATH=$stand_in python3 derivatives.py $language) || fail "derivatives by $language"
done

if [ -d /usr/lib/python3/dist-packages/numpy ]; then
  # the example of the reference
  awk '/^```python/ {n = 1; next} /^```/ {if (n && text ~ /import numpy/) {print text; exit} n = 0; text = ""} n {text = text $0 "\n"}' \
    doc/reference/generation.md > "$work/example.py"
  echo "assert a.shape == q.shape == v.shape == (3, 100) and abs(a).max() > 1" >> "$work/example.py"
  (cd "$work" && $python -W error example.py) || fail "the example of the reference"

  # many states as one by one; a loop that cannot be closed
  (cd "$work" && $python -W error -) <<'PYTHON' || fail "arrays of NumPy"
import numpy as np
import four_bar_numpy as m, rocker_numpy as rocker
p = m.Parameters()
c = m.accelerate_prepare(p)
angles = np.linspace(0.0, 0.8, 9)
q = np.array([angles, 0*angles, 0*angles])
v = np.array([1 + angles, 0*angles, 0*angles])
many = m.accelerate(p, c, [0.0], q, v)
assert all(x.shape == (3, 9) for x in many)
for k in range(9):
    one = m.accelerate(p, c, [0.0], q[:, k], v[:, k])
    assert all(np.array_equal(x[:, k], y) for x, y in zip(many, one)), k
assert np.array_equal(q, np.array([angles, 0*angles, 0*angles])), "the caller's array is changed"

# parameters of their own for each state
p.crank = np.full(9, p.crank)
assert np.allclose(m.accelerate(p, m.accelerate_prepare(p), [0.0], q, v)[0], many[0], rtol=1e-13, atol=0)
p.span = 100.0
try:
    m.accelerate(p, m.accelerate_prepare(p), [0.0], q, v)
    raise SystemExit("a frame of 100 m closes")
except ArithmeticError:
    pass

# where the rocker does not reach the crank
with open("dead") as file:
    dead = [float(x) for x in file.read().split()]
p = rocker.Parameters()
try:
    tau = rocker.machine_inverse(p, rocker.machine_inverse_prepare(p), [0.0], dead, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    raise SystemExit(f"the rocker turns the crank at its dead centre by {tau}")
except ArithmeticError:
    pass
PYTHON
else
  echo "numpy is not installed: its arrays are not tested"
fi
finish

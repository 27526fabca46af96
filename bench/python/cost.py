#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""What Python costs over C: a call of sim.step, a batch, a function in Python, the import.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/python/cost.py

A thousand steps in one call are a loop in C; a thousand calls of one step are the same loop in Python.
"""
import subprocess
import sys
import time
from pathlib import Path

import articula as art
import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "models"
LAW = """articula: 1
bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, from: ground, to: cart, axis: x}}
forces: {motor: {type: joint-force, coordinate: rail, function: law}}
"""


def best(work, times=15, clock=time.process_time):
    """Seconds of the quickest of some tries: of the processor, which others do not count in."""
    found = []
    for _ in range(times):
        start = clock()
        work()
        found.append(clock() - start)
    return min(found)


def step_cost(n=1000):
    sim = art.load(MODELS / "pendulum.yaml").simulator(step=1e-3, integrator="rk4")

    def calls():
        step = sim.step
        for _ in range(n):
            step()
    in_c = best(lambda: sim.step(n))
    return in_c / n, best(calls) / n


def batch_cost(n=1024, steps=10):
    """A batch on one thread, compared with as many cars that are stepped in C one after the other."""
    model = art.load(MODELS / "vehicles/multilink-car.yaml")
    many = model.batch(n, step=1e-3, threads=1, integrator="rk4")
    alone = [model.simulator(step=1e-3, integrator="rk4") for _ in range(n)]

    def loop():
        for sim in alone:
            sim.step(steps)
            sim._core.outputs()
    pairs = [(best(loop, 1), best(lambda: many.step(None, steps), 1)) for _ in range(6)]  # in turn: what slows one slows the other
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def generated_cost(n=1024, steps=10):
    """Seconds that a batch by compiled equations takes to begin, and for its steps."""
    model = art.load(MODELS / "vehicles/multilink-car.yaml")
    made = []
    model.simulator(step=1e-3, method="generated")  # what is compiled once, and kept
    begin = best(lambda: made.append(model.batch(n, step=1e-3, threads=1, integrator="rk4", method="generated")), 1)
    return begin, best(lambda: made[0].step(None, steps), 4)


def callback_cost(n=20000):
    model, calls = art.read(LAW), [0]

    def law(x):
        calls[0] += 1
        return 1.0
    model.attach_function("law", law)
    data = model.data()
    accelerate = data._core.accelerate

    def ask():
        for _ in range(n):
            accelerate()
    with_law = best(ask, 5)
    calls_each = calls[0] / (5 * n)
    plain = art.read(LAW.replace("function: law", "value: 1 N")).data()._core.accelerate
    without = best(lambda: [plain() for _ in range(n)], 5)
    return (with_law - without) / n / calls_each


def import_cost():
    """By the clock on the wall, within an interpreter that has just begun: the least of some, and the middle."""
    words = "import time; t = time.perf_counter(); import articula; print(time.perf_counter() - t)"
    found = sorted(float(subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True).stdout)
                   for _ in range(15))
    return found[0], found[len(found) // 2]


in_c, in_python = step_cost()
print(f"sim.step       {1e6 * in_c:8.3f} us in C, {1e6 * in_python:8.3f} us called from Python: {1e6 * (in_python - in_c):.3f} us more")
loop, batch = batch_cost()
print(f"batch of 1024  {1e3 * loop:8.1f} ms one by one, {1e3 * batch:8.1f} ms as a batch: {100 * (batch / loop - 1):+.1f} %")
begin, steps = generated_cost()
print(f"by generated   {1e3 * begin:8.1f} ms to begin, {1e3 * steps:8.1f} ms as a batch")
print(f"function       {1e6 * callback_cost():8.3f} us a call")
least, middle = import_cost()
print(f"import         {1e3 * least:8.1f} ms at best, {1e3 * middle:.1f} ms in the middle of 15")

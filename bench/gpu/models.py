#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Instances of sample models on a graphics processor, against those on the processor: 1 s, or to the end of a study whose drives are known no longer.

    python3 bench/gpu/models.py [--n 128] [--device gpu] [--step 1e-3] [--until 1] [MODEL ...]

Machines that stop in steps of 1 ms are stepped by 0.1 ms where no step is given.

Prints a line for each model: seconds to make the kernels, million RK4 steps a second of both, instances that stop, the largest difference of positions,
velocities and states relative to the largest number of their vector, the same of the processor with itself where velocities begin 1e-15 apart, and whether a
second run comes to the same bits.
"""
import argparse
import sys
import time

import articula as art
import numpy as np

VECTORS = ("positions", "velocities", "states")
TOO_LATE = 1002  # after the end of the study: not a failure


def spread(many):
    """Velocities that nothing leads, up to 1 % apart, and up to 1 mm/s where they rest."""
    v = many["velocities"]
    names = many.model.velocities
    for k, name in enumerate(names):
        if name in many.free:
            v[k] += (0.01 * abs(v[k]) + 1e-3) * np.linspace(0, 1, len(many))
    return v


def move(many, v, h, steps):
    """All vectors after the steps, and the time that they took."""
    if v is not None:
        many["velocities"] = v
    many["accelerations"]
    begin = time.perf_counter()
    many.step(h, steps)
    many["time"]
    return [many[name] for name in VECTORS], time.perf_counter() - begin


def difference(have, want):
    """Of instances that go on, relative to the largest number of a vector."""
    worst = 0.0
    for a, b in zip(have, want):
        if b.size:
            size = np.abs(b).max() or 1.0
            worst = max(worst, float(np.abs(a - b).max() / size))
    return worst


def make(model, n, device):
    begin = time.perf_counter()
    many = model.instances(n, device=device)
    return many, time.perf_counter() - begin


def compare(path, n, device, step, until):
    model = art.load(path)
    on_cpu, cpu_made = make(model, n, "cpu")
    on_gpu, gpu_made = make(model, n, device)
    start = {name: on_cpu[name] for name in ("time", *VECTORS)}
    v = spread(on_cpu)
    for h in (step,) if step else (1e-3, 1e-4):
        steps = round(until / h)
        want, cpu_time = move(on_cpu, v, h, steps)
        failed = ~np.isin(on_cpu["failures"], (0, TOO_LATE))
        if not failed.any():
            break
        for name in start:
            on_cpu[name] = start[name]
    stopped = on_cpu["failures"]
    for name in start:
        on_cpu[name] = start[name]
    nudged, _ = move(on_cpu, v + 1e-15 * np.abs(v).max(), h, steps)
    have, gpu_time = move(on_gpu, v, h, steps)
    same = np.array_equal(on_gpu["failures"], stopped)
    for name in start:
        on_gpu[name] = start[name]
    again, _ = move(on_gpu, v, h, steps)
    bits = all(np.array_equal(a, b) for a, b in zip(have, again))
    rate = n * steps / 1e6
    print(f"| {path.split('models/')[-1]} | {n} | {h:g} | {steps} | {cpu_made:.1f} | {gpu_made:.1f} | {rate / cpu_time:.3g} | {rate / gpu_time:.3g} "
          f"| {int(failed.sum())}{'' if same else ' (others)'} | {difference(have, want):.1e} | {difference(nudged, want):.1e} | {'yes' if bits else 'no'} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*")
    parser.add_argument("--n", type=int, default=128)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--step", type=float)
    parser.add_argument("--until", type=float, default=1)
    given = parser.parse_args()
    for path in given.models:
        try:
            compare(path, given.n, given.device, given.step, given.until)
        except art.Error as error:
            print(f"| {path.split('models/')[-1]} | {str(error)[:160]} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Nothing leaks, fork and random misuse do no harm. With ART_SOAK=1 there are more objects and calls."""
import gc
import os
import random
import signal
import time
import unittest

import articula as art
import numpy as np
from support import TestCase, model_path
from test_simulator import CART

IS_SOAK = bool(os.environ.get("ART_SOAK"))
OBJECTS = 100_000 if IS_SOAK else 5_000
SECONDS = 60 if IS_SOAK else 3
SLACK = 128 * 1024  # bytes that allocators of threads may keep


def memory():
    """Bytes that the process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Lifetimes(TestCase):
    def grows(self, make, n):
        """By how many bytes one more object makes the process grow, behind a first half."""
        for _ in range(n // 2):
            make()
        gc.collect()
        before = memory()
        for _ in range(n // 2):
            make()
        gc.collect()
        return (memory() - before - SLACK) / (n // 2)

    def test_objects_end(self):
        model = art.read(CART)
        sim = model.simulator(step=0.01)

        def fail():
            try:
                model.run(until=-1)
            except art.Error:
                pass
        for name, make, n in (("model", lambda: art.read(CART), OBJECTS // 10), ("data", model.data, OBJECTS),
                              ("simulator", lambda: model.simulator(step=0.01), OBJECTS // 5),
                              ("run", lambda: model.run(until=0.01), OBJECTS // 5), ("batch", lambda: model.batch(2), OBJECTS // 10),
                              ("view", lambda: np.from_dlpack(sim._core.view("q")), OBJECTS), ("error", fail, OBJECTS // 5),
                              ("linear", lambda: model.linear().A, OBJECTS // 10), ("outputs", lambda: sim.sensor["rail.rate"], OBJECTS)):
            with self.subTest(name):
                self.assertLess(self.grows(make, n), 100)

    def test_cycles_through_callbacks_end(self):
        text = CART.replace("value: = push", "function: law")

        def make():
            model = art.read(text)
            model.attach_function("law", lambda x: len(model.outputs))
        self.assertLess(self.grows(make, OBJECTS // 10), 200)

    def test_fork(self):
        model = art.load(model_path("double-pendulum"))
        sim = model.simulator(step=1e-3)
        many = model.batch(8, threads=2)
        many.step(n=5)
        sim.step(5)
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            many.step(n=5)
            sim.step(5)
            same = np.array_equal(many.q[0], sim.q) and len(model.run(until=0.1)) > 1
            os._exit(0 if same else 1)
        many.step(n=5)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class RandomCalls(TestCase):
    """Whatever is called with whatever: exceptions, and never a crash."""

    def arguments(self, rng, numbers):
        return rng.choice([0, 1, -1, 3, 2**70, 1.5, float("nan"), float("inf"), -0.0, "q", "", "push", "rail.rate", "\0", "1 ms", None,
                           True, b"bytes", [], [1.0], {}, {"until": 0.01}, {"method": "index3"}, object(), numbers, numbers[::2],
                           np.ones(len(numbers), np.float32), numbers.reshape(1, -1), np.zeros(0), len, numbers.tobytes()])

    def test_random_calls(self):
        seed = int(os.environ.get("ART_SEED", "1"))
        rng = random.Random(seed)
        model = art.read(CART)
        other = art.load(model_path("loops/four-bar"))
        targets = [model, other, model.data(), other.data(), model.simulator(step=0.01), model.batch(2), model.run(until=0.01)]
        targets += [t._core for t in targets if hasattr(t, "_core")] + [art._articula]
        allowed = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, ArithmeticError, RuntimeError,
                   art.Error, BufferError, MemoryError, NotImplementedError, OSError, ImportError)
        left_out = {"generate", "page", "show", "plot", "to_pandas", "compare", "sweep", "resume", "batch", "Batch", "_with_run", "_take",
                    "advance", "info", "schedule", "split", "report", "export", "_command"}
        calls, end = 0, time.monotonic() + SECONDS
        while time.monotonic() < end:
            target = rng.choice(targets)
            name = rng.choice([name for name in dir(target) if not name.startswith("__") and name not in left_out])
            numbers = np.full(rng.randrange(8), rng.choice([0.0, 1.0, -3.0, np.nan, 1e300]))
            arguments = [self.arguments(rng, numbers) for _ in range(rng.randrange(4))]
            if name == "step":
                arguments = [a if not isinstance(a, int) or a < 100 else 1 for a in arguments]
            try:
                call = getattr(target, name)
                if callable(call):
                    call(*arguments)
                elif isinstance(call, np.ndarray) and call.size:
                    call.flat[0] = rng.choice([0.0, np.nan, 1e300, 0.1])
            except allowed:
                pass
            calls += 1
        self.assertGreater(calls, 200)


if __name__ == "__main__":
    unittest.main()

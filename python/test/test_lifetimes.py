# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Nothing leaks, and fork does no harm. With ART_SOAK=1 there are more objects."""
import gc
import os
import signal
import unittest

import articula as art
import numpy as np
from support import TestCase, model_path
from test_simulator import CART

IS_SOAK = bool(os.environ.get("ART_SOAK"))
OBJECTS = 100_000 if IS_SOAK else 5_000
SLACK = 128 * 1024  # bytes that allocators of threads may keep


def memory():
    """Bytes that the process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Lifetimes(TestCase):
    def grows(self, make, n):
        """By how many bytes one more object makes the process grow, behind a first half: the least of some rounds, for what leaks
        does so in all of them, and what the allocator keeps it keeps once."""
        for _ in range(n // 2):
            make()
        gc.collect()
        found, rounds = [], 4
        for _ in range(rounds):
            before = memory()
            for _ in range(n // 2 // rounds):
                make()
            gc.collect()
            found.append((memory() - before - SLACK / rounds) / (n // 2 // rounds))
        return min(found)

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


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Whatever is called with whatever, by two threads on the same objects: exceptions, and never a crash.

    random_calls.py SECONDS [SEED]
"""
import os
import random
import sys
import tempfile
import threading
import time

import articula as art
import numpy as np
from support import model_path
from test_simulator import CART

ALLOWED = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, ArithmeticError, RuntimeError, art.Error,
           BufferError, MemoryError, NotImplementedError, OSError, ImportError)
# they write files, start processes or browsers, or take long
LEFT_OUT = {"generate", "page", "show", "plot", "to_pandas", "compare", "sweep", "resume", "batch", "Batch", "instances", "Instances", "_with_run", "_take", "advance",
            "info", "schedule", "split", "report", "export", "_command"}


def any_argument(rng, numbers):
    return rng.choice([0, 1, -1, 3, 2**70, 1.5, float("nan"), float("inf"), -0.0, "q", "", "push", "rail.rate", "\0", "1 ms", None, True,
                       b"bytes", [], [1.0], {}, {"until": 0.01}, {"method": "index3"}, object(), numbers, numbers[::2],
                       np.ones(len(numbers), np.float32), numbers.reshape(1, -1), np.zeros(0), len, numbers.tobytes()])


def make_targets():
    model, other = art.read(CART), art.load(model_path("loops/four-bar"))
    targets = [model, other, model.data(), other.data(), model.simulator(step=0.01), other.simulator(step=0.01), model.batch(2),
               model.run(until=0.01)]
    return targets + [t._core for t in targets if hasattr(t, "_core")] + [art._articula]


class Traffic:
    """Calls may meet each other; arrays are written when nobody computes, which is for whoever writes to see to."""

    def __init__(self):
        self._lock, self._calls = threading.Lock(), 0

    def call(self, function, arguments):
        with self._lock:
            self._calls += 1
        try:
            function(*arguments)
        finally:
            with self._lock:
                self._calls -= 1

    def write(self, array, value):
        with self._lock:
            if self._calls == 0:
                array.flat[0] = value


def call_one(rng, targets, traffic):
    target = rng.choice(targets)
    name = rng.choice([name for name in dir(target) if not name.startswith("__") and name not in LEFT_OUT])
    numbers = np.full(rng.randrange(8), rng.choice([0.0, 1.0, -3.0, np.nan, 1e300]))
    arguments = [any_argument(rng, numbers) for _ in range(rng.randrange(4))]
    if name == "step":
        arguments = [a if not isinstance(a, int) or a < 100 else 1 for a in arguments]
    try:
        found = getattr(target, name)
        if callable(found):
            traffic.call(found, arguments)
        elif isinstance(found, np.ndarray) and found.size:
            traffic.write(found, rng.choice([0.0, np.nan, 1e300, 0.1]))
    except ALLOWED:
        pass


def call_at_random(seconds, seed=1):
    """The number of calls; anything but the exceptions of misuse comes through."""
    targets, end = make_targets(), time.monotonic() + seconds
    calls, wrong, traffic = [0, 0], [], Traffic()

    def work(k):
        rng = random.Random(2 * seed + k)
        try:
            while time.monotonic() < end and not wrong:
                call_one(rng, targets, traffic)
                calls[k] += 1
        except BaseException as error:  # told by the caller
            wrong.append(error)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise wrong[0]
    return sum(calls)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(call_at_random(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1), "calls")

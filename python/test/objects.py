# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Makes and drops objects of every kind, for whoever watches the memory: objects.py COUNT [leak].

With `leak` some of them stay, by a reference too many, which the watcher must notice."""
import ctypes
import gc
import os
import sys
import threading

import articula as art
import numpy as np
from support import model_path
from test_extras import LAW
from test_simulator import CART


def with_callback():
    """A cycle through a function in Python, which the collector takes apart."""
    model = art.read(LAW)
    model.attach_function("law", lambda x: -x[0] if model.outputs else 0.0)
    return model.data().accelerate()


def wrong(call):
    def make():
        try:
            call()
        except (art.Error, TypeError, ValueError, KeyError):
            return
        raise AssertionError("the call was not refused")
    return make


def kinds(model, sim, loops):
    """Ways to make an object, and how many of them for each thousand."""
    return ((lambda: model.data(), 300), (lambda: np.from_dlpack(sim._core.view("q")), 250), (lambda: sim.sensor["gyro"], 150),
            (lambda: model.simulator(step=0.01).step(2), 60), (lambda: model.run(until=0.02), 40), (lambda: model.data().copy(), 60),
            (lambda: loops.data().assemble(), 20), (lambda: model.linear().modes, 10), (lambda: model.batch(2).step(n=1), 10),
            (lambda: art.read(CART), 10), (with_callback, 5), (lambda: sim.load(sim.save()), 20),
            (wrong(lambda: model.run(until=-1)), 20), (wrong(lambda: model.simulator(step=0)), 20),
            (wrong(lambda: art.read("articula: 1\nbodies: {x: {mas: 1}}")), 10), (wrong(lambda: sim.load(b"none")), 10),
            (lambda: model.sweep({"rail.slide": [0.0, 1.0]}, until=0.01, threads=2), 1))


def make_some(thousands):
    model, loops = art.read(CART), art.load(model_path("loops/four-bar"))
    sim = model.simulator(step=0.01)
    made = 0
    for _ in range(thousands):
        for make, times in kinds(model, sim, loops):
            for _ in range(times):
                make()
            made += times
    return made


def fork():
    """A child inherits all of it, works with its own and ends."""
    sim = art.read(CART).simulator(step=0.01)
    child = os.fork()
    if child == 0:
        sim.step(3)
        make_some(1)
        os._exit(0)
    return os.waitpid(child, 0)[1]


def main():
    count = int(sys.argv[1])
    threads = [threading.Thread(target=make_some, args=(max(1, count // 2000),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if fork() != 0:
        raise AssertionError("the child failed")
    if "leak" in sys.argv:
        for _ in range(20):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(art.read(CART).simulator(step=0.01)._core))
    gc.collect()


main()

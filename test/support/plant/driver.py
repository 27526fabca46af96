# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The program of driver.c in Python, but for differences.
import sys

import plant
from plant import Machine


def say(word, x):
    print(word, *('%.17g' % y for y in x))


def state(m):
    return m.q + m.v + m.s + [m.t]


def names(word, entries):
    for i, e in enumerate(entries):
        print('%s %d %s|%s' % (word, i, e.name, e.unit))


h, steps, m = float(sys.argv[1]), int(sys.argv[2]), Machine()
say('sizes', (plant.NQ, plant.NV, plant.NS, plant.NU, plant.NY, plant.NEVENT, plant.NACTUATOR,
              plant.NPARAMETER, plant.NFREE))
names('position', plant.positions)
names('velocity', plant.velocities)
names('state', plant.states)
names('output', plant.outputs)
names('event', plant.events)
say('begin', state(m))
m.close()
say('closed', state(m))
say('rates', m.rates())
a = m.accelerate()
say('accelerations', a)
say('outputs', m.outputs())
say('events', m.events())
say('idle', m.inverse(a))
free, *matrices = m.linear()
for word, matrix in zip('ABCD', matrices):
    say(word, (x for row in matrix for x in row))
print('free', *free)
for i in range(steps):
    m.step(h)
say('end', state(m))
say('last', m.outputs())
failures = 0
for name in vars(m.p):
    m.start()
    m.close()
    setattr(m.p, name, getattr(m.p, name) + 100)
    m.prepare()
    before = state(m)
    try:
        m.step(h)
    except ArithmeticError:
        failures += 1
        if state(m) != before or not m.failed:
            sys.exit('a step that failed has changed the state, or does not say why')
        print('loop', m.failed)
print('failures', failures)

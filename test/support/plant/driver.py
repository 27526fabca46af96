# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The program of driver.c in Python, but for differences.
import math
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
    say(word + '-data', [x for e in entries for x in (e.value, max(e.lower, -1e300), min(e.upper, 1e300))])


# A step by the midpoint method from (t, x); returns the least margin at its end.
def leap(m, t, x, length):
    def put(own, past, rate):
        y = [a + past*b for a, b in zip(own, rate)]
        m.t, m.q, m.v, m.s = t + past, y[:plant.NQ], y[plant.NQ:plant.NQ + plant.NV], y[plant.NQ + plant.NV:]

    put(x, 0, x)
    rate = m.rates()
    own = m.q + m.v + m.s
    put(own, length/2, rate)
    put(own, length, m.rates())
    m.close()
    return m.margin()


# A leap to the instant at which a margin becomes zero, where it does so within a length; returns whether it does.
def leap_to_border(m, length):
    t, x, lo = m.t, m.q + m.v + m.s, 0
    if not leap(m, t, x, length) < 0:
        return False
    for i in range(50):
        middle = (lo + length)/2
        if leap(m, t, x, middle) < 0:
            length = middle
        else:
            lo = middle
    leap(m, t, x, length)
    return True


# A program that integrates by itself, by way of all instants and borders. It begins anew half way, and has a relay go over at last.
def lead(m, h, steps):
    instants = changes = has_begun = 0
    m.start()
    m.begin()
    end, half = m.t + steps*h, m.t + steps//2*h
    while m.t < end and changes < 1000:
        if m.t > half and not has_begun:
            has_begun = 1
            m.begin()
        following = m.next_instant()
        goal = min(m.t + h, end, following)
        if leap_to_border(m, goal - m.t):
            m.settle(True)
            changes += 1
            continue
        m.t = goal
        if goal == following:
            m.pass_()
            instants += 1
    say('own', state(m))
    say('held', m.u)
    say('passed', [instants, changes] +
        [x if x < math.inf else -1 for x in (m.next_instant(), m.margin())])
    try:
        m.settle(True)
        say('forced', [0])
        say('sides', m.u)
    except ArithmeticError:
        say('forced', [1])
        say('sides', [])


h, steps, m = float(sys.argv[1]), int(sys.argv[2]), Machine()
say('sizes', (plant.NQ, plant.NV, plant.NS, plant.NU, plant.NY, plant.NEVENT, plant.NACTUATOR,
              plant.NPARAMETER, plant.NFREE))
names('position', plant.positions)
names('velocity', plant.velocities)
names('state', plant.states)
names('output', plant.outputs)
names('event', plant.events)
names('input', plant.inputs)
names('actuator', plant.actuators)
names('parameter', plant.parameters)
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
lead(m, h, steps)
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
unmade = 0
for name in vars(m.p):
    m.start()
    m.close()
    setattr(m.p, name, math.nan)
    m.prepare()
    m.u = [x + 0.25 for x in m.u]
    before, held = state(m), list(m.u)
    try:
        m.begin()
    except ArithmeticError:
        unmade += 1
        if state(m) != before or m.u != held or not m.failed:
            sys.exit('a motion that did not begin has changed the state, or does not say why')
        print('loop', m.failed)
print('unmade', unmade)

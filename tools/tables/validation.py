#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/validation.md, most of them from what tests print.
import math
import os
import re

from common import BUILD, QUICK, Run, main, model, output, print_table, rms, short


def test(name, *arguments):
    return output(os.path.join(BUILD, 'test', name), *arguments)


def e1(text):
    """2.6e-6 of 2.6e-06; 0 of 0.0e+00"""
    value = float(text)
    return '0' if value == 0 else f'{value:.1e}'.replace('e-0', 'e-') if value > 1e-13 else short(value, 1)


# ---- ADAMS --------------------------------------------------------------------------------------

CASES = ('revolute-1', 'revolute-2', 'spherical-1', 'spherical-2', 'prismatic-1', 'prismatic-2', 'prismatic-3', 'spring-1', 'spring-2')


def adams():
    found = re.findall(r'^\w+_Case\d\d +(Pos .*)$', test('test_adams'), re.M)
    rows = [('limit', '1e-3', '1e-3', '2e-2', '1e-3', '1e-3', '2e-2', '2e-2', '2e-2')]
    rows += [[name] + [e1(cell) for cell in line.split()[1::2]] for name, line in zip(CASES, found)]
    print_table(('case', 'position m', 'velocity m/s', 'acceleration m/s²', 'quaternion', 'angular velocity', 'angular acceleration',
                 'reaction N', 'reaction torque N m'), rows)


def published(case):
    """Rows of x, y, z of a spring of ADAMS."""
    with open(f'test/data/adams/TranSpring_Case0{case}_ADAMS_Pos.txt', encoding='utf-8') as file:
        return [[float(x) for x in line.split()[1:]] for line in file if line[:1] in '+-']


def springs():
    """Which constants the published histories have: distance of the position, root mean square of the worst column."""
    rows = []
    for case, title in ((1, '1, no free length'), (2, '2, free length 2 m')):
        cells, theirs = [title], published(case)
        for k, c in ((10, 0.5), (100, 1), (100, 5)):
            run = Run(model(f'articula: 1\ninclude: [{{file: {os.getcwd()}/models/adams/spring-{case}.yaml, '
                            f'parameters: {{k: {k}, c: {c}}}}}]\n'
                            'gravity: [0, 0, -9.80665]\nstudy: {type: run, until: 5 s, interval: 10 ms, tolerance: 1e-10}\n'))
            worst = max(rms([row[i] - x for row, x in zip(theirs, run[f'pendulum.{axis}'])]) for i, axis in enumerate('xyz'))
            cells.append(f'{short(worst)} m')
        rows.append(cells)
    print_table(('case', '10 N/m, 0.5 N s/m', '100 N/m, 1 N s/m', '100 N/m, 5 N s/m'), rows)


# ---- A01 ----------------------------------------------------------------------------------------

def exact_pendulum(t, gravity=9.81, length=1.0):
    """Position of the mass that starts at (-L, 0), by Jacobi's sn through the arithmetic-geometric mean."""
    k = math.sqrt(0.5)
    a, b, c = [1.0], math.sqrt(1 - k * k), [k]
    while c[-1] > 1e-15:
        c.append((a[-1] - b) / 2)
        a, b = a + [(a[-1] + b) / 2], math.sqrt(a[-1] * b)
    u = math.pi / (2 * a[-1]) - math.sqrt(gravity / length) * t
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[n] / a[n] * math.sin(phi))) / 2
    angle = 2 * math.asin(k * math.sin(phi))
    return -length * math.sin(angle), -length * math.cos(angle)


def published_pendulum():
    """Rows of time, x and y of the published history."""
    with open('models/benchmarks/pendulum.csv', encoding='utf-8') as file:
        lines = [line.split(',') for line in file if not line.startswith('#')]
    return [[float(x) for x in line] for line in lines[1:]]


def norm():
    x, y = exact_pendulum(2000)
    theirs = published_pendulum()
    rows = []
    for tolerance in ('1e-11', '1e-12', '1e-13', '1e-14'):
        run = Run('models/pendulum.yaml', '--study', 'benchmark', '--tolerance', tolerance)
        distance = math.hypot(run['x'][-1] - x, run['y'][-1] - y)
        parts = [(ours - wanted) / max(abs(wanted), 1e-3) for name, k in (('x', 1), ('y', 2))
                 for ours, wanted in zip(run[name], (row[k] for row in theirs))]
        rows.append((tolerance, short(rms(parts)), f'{short(distance)} m'))
    print_table(('tolerance', 'norm', 'distance from the exact solution at 2000 s'), rows)


# ---- all tests ----------------------------------------------------------------------------------

def largest_of(text, pattern):
    found = [float(x) for x in re.findall(pattern, text, re.M)]
    most = 0.0
    for value in found or [math.nan]:
        if not value <= most:
            most = value
    return short(most, 1)


def what():
    """The column of differences, where a test prints its numbers."""
    short_runs, pendulums, singular = test('test_iftomm'), test('test_reference_pendulums'), test('test_loop_singular')
    models = test('test_models')
    loops, experiments = ('', '') if QUICK else (test('test_loop_references'), test('test_natural_experiments'))
    rows = [['=', '=', '=', '=', '='] for _ in range(19)]

    def put(row, cell):
        rows[row][3] = cell

    x = re.search(r'norm (\S+) .*solution (\S+) m', short_runs)
    put(3, f'norm {short(float(x.group(1)))}; {short(float(x.group(2)))} m from the exact solution at 2000 s')
    put(4, ' and '.join(short(float(e)) for e in re.findall(r'over 10 s (\S+) m', short_runs)) + ' m')
    at = [largest_of(pendulums, rf'\b{t} s ([\d.e-]+)[,;]') for t in (1, 5, 10)]
    put(5, f'{at[0]} at 1 s, {at[1]} at 5 s, {at[2]} at 10 s, where disturbances have grown 12 000 times; both methods')
    energies = [abs(0.625 - float(e)) for e in re.findall(r'energy (0\.\d+) J', pendulums)]
    put(6, f'{largest_of(pendulums, "over 5 s (.*) m, energy")} m over 5 s, both methods; energy 0.625 J to {short(max(energies), 1)} J')
    windows = re.findall(r'^windows, RK4 at 1 ms: energy (\S+) of', singular, re.M)
    put(14, ', '.join(e1(e) for e in windows) + ' J')
    fast = re.search(r'precession (\S+) rad/s, of a fast gyroscope (\S+) rad/s', models)
    put(18, f'{100 * abs(1 - float(fast.group(2)) / float(fast.group(1))):.1f} %')
    change = [float(e) / float(of) for e, of in
              re.findall(r'^(?:four unequal bars|kite|antiparallelogram): energy (\S+) of (\S+) J.*\n  acc', singular, re.M)]
    put(16, f'{short(max(change), 1)} of the energy, '
        f'{largest_of(singular, "^(?:four unequal bars|kite|antiparallelogram): .* closed to (.*?) ")} m')
    if loops:
        def worst(pattern):
            return largest_of(loops, pattern)

        put(8, f'{worst("^four-bars-40, semirecursive: error (.*?),")} m, the accuracy of the file; '
            f'{short(float(re.search("four-bars-40, semirecursive, 20 s: error (.*)", loops).group(1)))} from the exact equation of one '
            'degree of freedom')
        put(9, f'{short(float(re.search("four-bars-2, semirecursive, 20 s: error (.*)", loops).group(1)))}; '
            f'{short(max(float(x) for x in re.findall("four-bars-2, .*, 0.7 s: error (.*)", loops)))}')
        put(11, f'{worst("^spatial-slider-crank, .*: error (.*?),")}, the rounding of the table')
        put(12, f'semirecursive {worst("^(?:spatial-slider-crank-haug|slider-crank), semirecursive: error (.*?),")}, others '
            f'{worst("^(?:spatial-slider-crank-haug|slider-crank), (?:recursive|augmented): error (.*?),")} times the growth')
        put(13, f'{worst("^loop-5, .*: error (.*?),")}; {worst("^loop-15, .*: error (.*?),")} times the growth')
        put(17, worst(r'planar-robot-\d: (\S+) apart'))
    if experiments:
        natural = [largest_of(experiments, rf'four-bars-\d+, {m}: error (\S+) ') for m in ('index[13]', 'conserving')]
        energy = largest_of(experiments, r'conserving: error \S+ \S+ m, energy (\S+) ')
        put(15, f'{natural[0]} m; {natural[1]} m, {energy}')
    print_table(('what', 'source', 'limit', 'difference', 'test'), rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (adams, springs, norm, what)})

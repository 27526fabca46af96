#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/loops.md.
import glob
import os
import re

from common import BUILD, Run, ask, bench, largest, main, model, output, print_table, short


# ---- machines -----------------------------------------------------------------------------------

def count(name):
    """Velocities, rows and degrees of freedom of a file in models/."""
    check = ask('check', f'models/{name}.yaml')
    dof = check['degrees_of_freedom']
    return dof + check['rank'] + len(check['drives']), check['rows'], dof


def files_of(title):
    """Files that a title of the table names: `a-1` … `4` are four, `a-2`, `-40` two that end so."""
    names = re.findall(r'`([^`]*)`', title)
    if '…' in title:
        stem, first = names[0].rsplit('-', 1)
        return [f'{stem}-{k}' for k in range(int(first), int(names[1]) + 1)]
    stem = names[0].rsplit('-', 1)[0] if names[0][-1].isdigit() else names[0]
    return [names[0]] + [stem + ending for ending in names[1:]]


def numbers_of(names):
    """Cells of several files: one number where all have the same, else a list."""
    found = list(zip(*[count(name) for name in names]))
    return [', '.join(map(str, values)) if len(set(values)) > 1 else values[0] for values in found]


def is_series(names, formulas):
    """Whether numbers of machines of N parts are these formulas of N."""
    for name in names:
        n = int(name.rsplit('-', 1)[1])
        for value, (factor, constant) in zip(count(name), formulas):
            if value != factor * n + constant:
                return False
    return True


# velocities, rows and degrees of freedom as text and as factor and constant
SERIES = {'benchmarks/four-bars': (('2N + 1', '5N', '1'), ((2, 1), (5, 0), (0, 1))),
          'benchmarks/loop': (('N - 1', '5', 'N - 3'), ((1, -1), (0, 5), (1, -3)))}


def machines():
    """The document gives the rows; a file of models/loops that has none is added."""
    with open('doc/reports/loops.md', encoding='utf-8') as file:
        text = file.read()
    table = text[text.index('| file | what it is'):].split('\n\n')[0]
    rows, listed = [], set()
    for title in re.findall(r'^\| (`[^|]*) \|', table, re.M):
        names = files_of(title)
        listed.update(names)
        texts, formulas = SERIES.get(names[0].rsplit('-', 1)[0], (None, None))
        rows.append([title, '='] + (list(texts) if texts and is_series(names, formulas) else numbers_of(names)))
    for path in sorted(glob.glob('models/loops/*.yaml')):
        name = path[len('models/'):-len('.yaml')]
        if name not in listed:
            rows.append([f'`{name}`', 'not in the document'] + numbers_of([name]))
    print_table(('file', 'what it is', 'velocities', 'rows', 'dof'), rows)


# ---- the scoreboard -----------------------------------------------------------------------------

def seconds(t):
    return f'{t:.3g} s' if t >= 1 else f'{1e3 * t:.3g} ms'


# steps of these are refined as long as time allows, so that their lines depend on the machine
GIVEN_STEPS = ('index1', 'index3', 'multi-index', 'conserving')


def figures_of(way):
    """Evaluations, openings, energy, error and verdict of a line of the scoreboard."""
    if way['finished']:
        cells = [str(way['evaluations'])]
        cells += [f'{way[f"{kind}_residual"]:.0e}' for kind in ('position', 'velocity', 'acceleration')]
        cells += [f'{way["energy_error"]:.1e}', f'{way["error"]:.1e}', 'met' if way['within_limit'] else 'missed']
    else:
        cells = ['–'] * 6 + ['missed']
    return ['~' + cell for cell in cells] if way['method'] in GIVEN_STEPS else cells


def scoreboard():
    """The output of articula bench --json, laid out."""
    rows = []
    for problem in ask('bench')['problems']:
        name, limit = problem['name'], f'{problem["norm"]} {problem["limit"]:.0e}'
        for way in problem['methods']:
            method = way['method'] + (f', {way["algebra"]}' if way.get('algebra') else '')
            *figures, verdict = figures_of(way)
            rows.append([name, method, seconds(way['wall_time'])] + figures + [limit, verdict])
            name = limit = ''
    print_table(('problem', 'method', 'time', 'evaluations', 'gap', 'rate', 'accel', 'energy', 'error', 'limit', ''), rows)


# ---- singular positions -------------------------------------------------------------------------

def windows_file(n):
    return model(output('tools/make-four-bars.sh', str(n)))


def singular():
    """The output of test_loop_singular, and the windows by the recursive method."""
    text = output(f'{BUILD}/test/test_loop_singular')
    found = re.findall(r'^(.*?): energy (\S+) of (\S+) J, loops closed to (\S+) (\S+) (\S+), \d+ evaluations\n'
                       r'(?:  accelerations up to (\S+)|  \d+ windows: (\S+) J by)', text, re.M)
    windows = [f for f in found if f[0].startswith('windows')]

    def joules(values):
        return ', '.join(f'{float(v):.1e}'.replace('e-0', 'e-') for v in values) + ' J'

    def worst(values):
        return short(max(map(float, values)), 1)

    rows = [('1, 10, 40 windows, RK4 at 1 ms', 'semirecursive', joules(f[1] for f in windows)) +
            tuple(worst(f[k] for f in windows) for k in (3, 4, 5))]
    runs = [Run(windows_file(n), '--method', 'recursive', '--integrator', 'rk4', '--step', '1 ms', '--until', '10 s').certificate
            for n in (1, 10, 40)]
    rows.append(('the same', 'recursive', joules(run['energy']['error'] for run in runs)) +
                tuple(worst(run['constraints'][f'{kind}_residual'] for run in runs)
                      for kind in ('position', 'velocity', 'acceleration')))
    rows.append(('their one equation, RK4 at 1 ms', '', joules(f[7] for f in windows), '', '', ''))
    for title, name in (('four unequal bars at a change point, Dormand-Prince at 1e-12', 'four unequal bars'), ('kite, the same', 'kite'),
                        ('antiparallelogram, the same', 'antiparallelogram')):
        f = next(f for f in found if f[0] == name)
        rows.append((title, 'semirecursive', f'{short(float(f[1]), 1)} of {float(f[2]):.0f} J', short(float(f[3]), 1),
                     short(float(f[4]), 1), f'{short(float(f[5]), 1)} of {float(f[6]):.0f}'))
    print_table(('10 s', '', 'energy error', 'gap', 'rate', 'accel'), rows)


# ---- times --------------------------------------------------------------------------------------

WAYS = ('plain', 'dense', 'sparse', 'recursive', 'augmented')


def grouped(value):
    """24 000"""
    return f'{value:,}'.replace(',', ' ')


def rounded(text):
    """Two digits, three from 100 on, thousands from 10 000 on."""
    if text == '-':
        return ''
    value = float(text)
    if value < 100:
        return short(value)
    return grouped(round(value, 0 if value < 1e3 else -1 if value < 1e4 else -3)).replace('.0', '')


def cost():
    """Three tables of the cost of an evaluation, and ten seconds of windows; BLAS by one thread."""
    text = bench('loops', env=dict(os.environ, OPENBLAS_NUM_THREADS='1'))
    for title, name in (('loop of N joints', 'polygon'), ('N windows', 'windows '), ('N four-bars on a free frame', 'legs ')):
        part = text[text.index(name):].split('\n\n')[0]
        rows = [line.split() for line in part.splitlines()[1:]]
        print_table((title,) + WAYS, [[row[0]] + [rounded(cell) for cell in row[2:]] for row in rows])
    rows = re.findall(r'^ +(\d+)  (\w+) +([\d.]+) ms  energy (\S+) J  gap (\S+) m', text, re.M)
    found = {(n, who): (ms, energy, gap) for n, who, ms, energy, gap in rows}
    result = []
    for n in ('1', '10', '40'):
        for who in ('plain', 'recursive', 'augmented', 'MuJoCo'):
            title = 'MuJoCo 2.2.2' if who == 'MuJoCo' else who
            if (n, who) in found:
                ms, energy, gap = found[n, who]
                result.append((n, title, f'{float(ms):.0f} ms', f'{short(float(energy), 1)} J', f'{short(float(gap), 1)} m'))
            elif who == 'MuJoCo':
                result.append((n, title, '=', '=', '='))
    print_table(('N', '', 'time', 'largest energy error', 'largest gap'), result)


# machines with rows that follow from others, but for two
REDUNDANT = (('planar robot 4', 'models/loops/planar-robot-4.yaml', 1), ('Andrews', 'models/benchmarks/andrews.yaml', 0.03),
             ('40 windows', 40, 0.2), ('van', 'models/vehicles/van.yaml', 0.3), ('van-redundant', 'models/vehicles/van-redundant.yaml', 0.3),
             ('truck', 'models/vehicles/truck.yaml', 0.3), ('truck-redundant', 'models/vehicles/truck-redundant.yaml', 0.3))


def redundant():
    """An evaluation with redundant rows dropped and by all rows, and how far the motions part; balances of the energy are rounding."""
    rows = []
    for title, file, until in REDUNDANT:
        path = windows_file(file) if isinstance(file, int) else file
        check, runs = ask('check', path), {}
        for way in ('drop', 'lu', 'umfpack', 'spqr'):
            tries = [Run(path, '--integrator', 'rk4', '--step', '1 ms' if until > 0.1 else '0.02 ms', '--until', str(until),
                         '--interval', str(until / 20), '--option', f'redundant={way}', '--profile') for _ in range(3)]
            runs[way] = min(tries, key=lambda run: run.certificate['profile']['seconds'])
        times = [rounded(str(1e6 * run.certificate['profile']['seconds'] / run.certificate['profile']['evaluations'])) for run in runs.values()]
        apart = [largest((x - y) for x, y in zip(column, run[name])) / max(1, largest(column))
                 for run in runs.values() for name, column in runs['drop'].columns.items() if name != 'balance']
        rows.append([title, f'{check["rows"]} × {check["rank"]}'] + times + [short(max(apart), 1)])
    print_table(('', 'rows × rank', 'drop', 'lu', 'umfpack', 'spqr', 'motions apart'), rows)


def instructions():
    """Instructions an evaluation, by callgrind."""
    text = output('bench/instructions.sh', f'{BUILD}/bench')
    rows = []
    for shape, n, cells in re.findall(r'^(polygon|windows) +(\d+) +(.*)$', text, re.M):
        if shape == 'polygon':
            title = f'loop of {n} joints' if n == '5' else f'loop of {n}'
        else:
            title = f'{n} window' + ('s' if n != '1' else '')
        rows.append([title] + ['' if cell == '-' else grouped(int(cell)) for cell in cells.split()])
    print_table(('',) + WAYS, rows)


def generated():
    """Ten seconds of windows by the command: wall times of the motion."""
    rows = []
    for n in (1, 10, 40):
        path, ways = windows_file(n), {}
        for method in ('semirecursive', 'generated', 'generated'):  # the second finds its code compiled
            ways[method] = Run(path, '--method', method, '--integrator', 'rk4', '--step', '1 ms', '--until', '10 s').certificate
        times = [f'{1e3 * ways[m]["wall_clock"]["total"]:.0f} ms' for m in ('semirecursive', 'generated')]
        code = ways['generated']
        rows.append([n] + times + [short(code['energy']['error']), short(code['constraints']['position_residual'], 1)])
    print_table(('windows', 'semirecursive', 'generated', 'energy error of it, J', 'gap, m'), rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (machines, scoreboard, singular, cost, redundant, instructions, generated)})

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/parallel.md.
import json
import os
import re
import shutil
import time

from common import BA2000, ARTICULA, BUILD, WORK, ask, bench, main, model, output, print_table, short, skip


def costs():
    """The cost of operations, in additions."""
    found = {}
    for line in filter(str.strip, bench('operations').splitlines()[1:]):
        name, _, additions = line.rsplit(None, 2)
        found[name.strip()] = float(additions)
    names = ('quotient', 'root', 'sine and cosine, together', 'atan', 'exp', 'tanh', 'pow', 'atan2')
    print_table(('product', 'quotient', 'root', 'sine or cosine, found together', 'atan', 'exp', 'tanh', 'pow', 'atan2', 'choice'),
                [['1'] + [short(found[name]) for name in names] + [short(found['choice'])]])


def split():
    """Predicted speed-ups of the vehicles in two and four tasks."""
    rows = []
    for name, published in (('multilink-car', ('1.9 (Audi A6)', '3.5')), ('truck', ('', ''))):
        for tasks, theirs in zip((2, 4), published):
            found = ask('split', f'models/vehicles/{name}.yaml', '--tasks', str(tasks))
            values = sum(task['values'] for task in found['task'])
            rows.append((f'`vehicles/{name}`' if tasks == 2 else '', tasks, f'{found["speedup_with_transfers"]:.2f}',
                         f'{found["speedup"]:.2f}', f'{found["messages"]}, {values}',
                         f'{found["speedup_if_transfers_were_free"]:.2f}', theirs))
    print_table(('machine', 'tasks', 'predicted, with transfers', 'without', 'messages, values', 'transfers in no time', 'thesis'),
                rows)


def thesis():
    """The thesis's own split, and the same with sequences moved."""
    rows = []
    for name, published in (('vehicles/multilink-car', {2: '1.9 (Audi A6)', 4: '3.5'}), ('vehicles/bogie', {2: '1.61', 3: '1.64', 4: '2.05'}),
                            ('vehicles/caracas-bogie', {2: '', 4: ''}), ('generator/car-16', {2: '', 4: ''})):
        for i, (tasks, theirs) in enumerate(published.items()):
            as_published = ('--independent', BA2000, '--smallest', '0') if name == 'vehicles/bogie' else ()
            found = [ask('split', f'models/{name}.yaml', '--forms', 'accelerate', '--tasks', str(tasks), '--by', way, *as_published)
                     for way in ('thesis', 'thesis-moved')]
            rows.append([f'`{name}`' if i == 0 else '', tasks, theirs] +
                        [x for f in found for x in (f'{f["thesis"]["speedup"]:.2f}', f'{f["speedup"]:.2f}', f'{f["messages"]}',
                                                    f'{f["speedup_with_transfers"]:.2f}')])
    print_table(('machine', 'tasks', 'thesis', 'merged: by operations', 'by time', 'messages', 'with transfers', 'moved: by operations', 'by time',
                 'messages', 'with transfers'), rows)


def two_cores():
    if (os.cpu_count() or 1) < 2:
        skip('this takes two cores')


def tasks():
    two_cores()
    rows = []
    for line in bench('parallel').splitlines():
        cells = line.split()
        if cells and cells[0].startswith('models/'):
            title = 'five-bar car' if 'multilink' in cells[0] else 'truck'
            rows.append((title, cells[1], f'{cells[3]}, {cells[4]}', f'{short(float(cells[5]), 3)} µs', f'{short(float(cells[6]), 3)} µs',
                         f'{cells[7]}, {cells[9]}', f'{cells[10]}, {cells[11]}'))
    print_table(('two tasks', 'operations', 'messages, values', 'one thread', 'two', 'predicted, without and with transfers',
                 'measured, middle and shortest'), rows)


def legs():
    two_cores()
    rows = []
    for line in bench('parallel_size', 'legs').splitlines():
        cells = line.split()
        if len(cells) == 10 and cells[0] in ('4', '6', '8', '12', '16', '24'):
            messages = 'none' if cells[3] == '0' else f'{cells[3]}, {cells[4]}'
            rows.append((cells[0], cells[1], cells[2], messages, f'{cells[5]} µs', f'{cells[6]} µs', cells[7],
                         f'{cells[8]}, {cells[9]}'))
    print_table(('legs', 'bodies', 'operations', 'messages, values', 'one thread', 'two', 'predicted', 'measured, middle and shortest'),
                rows)


def recursion():
    """One evaluation of loops by one, by two threads, by two ranks."""
    two_cores()
    text = [bench('parallel_loop')]
    if shutil.which('mpirun'):
        root = ['--allow-run-as-root'] if os.geteuid() == 0 else []
        text.append(output('mpirun', *root, '-n', '2', os.path.join(BUILD, 'bench', 'parallel_loop')))
    found = [dict((name.replace('loop ', '').strip(), numbers.split()) for name, numbers in
                  re.findall(r'^  (slider-crank|loop +\d+) +\d+ +([\d.]+ +[\d.]+ +[\d.]+)$', part, re.M)) for part in text]
    rows = []
    for name, (one, threads, gain) in found[0].items():
        ranks = [found[1][name][1], found[1][name][2]] if len(found) > 1 else ['=', '=']
        rows.append([name] + [short(float(x), 3) if x != '=' else x for x in (one, threads)] + [gain] +
                    [short(float(ranks[0]), 3) if ranks[0] != '=' else '=', ranks[1]])
    print_table(('pairs', 'one', 'two threads', 'speed-up', 'two ranks', 'speed-up'), rows)


def seconds(path, ranks, *options, times=9):
    """Wall clock of a run, the shortest of some, apart from each other: a second core may be taken away for a while."""
    call = [ARTICULA, 'run', path, '--method', 'recursive', '--json', '-o', os.path.join(WORK, 'out'), *options]
    if ranks > 1:
        root = ['--allow-run-as-root'] if os.geteuid() == 0 else []
        call = ['mpirun', *root, '-n', str(ranks)] + call
    found = []
    for _ in range(times):
        time.sleep(0.1 if times > 3 else 0)
        found.append(json.loads(output(*call))['wall_clock']['total'])
    return min(found)


def compared(path, *options):
    """By one, by two threads, by two ranks, the latter two in any case."""
    one = seconds(path, 1, *options)
    two = seconds(path, 1, *options, '--threads', '2', '--share-always')
    ranks = seconds(path, 2, *options, '--share-always') if shutil.which('mpirun') else None
    return one, two, ranks


def cells(one, two, ranks):
    shared = [f'{1e3 * ranks:.3g}', f'{one / ranks:.2f}'] if ranks else ['=', '=']
    return [f'{1e3 * one:.3g}', f'{1e3 * two:.3g}', f'{one / two:.2f}'] + shared


BDF = ('--integrator', 'bdf', '--tolerance', '1e-6', '--until', '1')


def bdf():
    """Whole runs of loops by BDF, with a full matrix and by GMRES."""
    rows = []
    for pairs in (5, 15, 51, 101, 151, 251):
        path = model(output('tools/make-loop.sh', str(pairs)))
        found = [seconds(path, 1, *BDF, '--option', f'newton={way}', times=3) for way in ('dense', 'krylov')]
        rows.append([pairs] + [f'{1e3 * time:.3g}' for time in found])
    print_table(('pairs', 'full matrix', 'GMRES'), rows)


def shared():
    """Whole runs of loops by one, by two threads, by two ranks: seed 001, figure 4."""
    two_cores()
    rows = []
    for pairs in (5, 9, 15, 21, 31, 51, 101, 151, 251, 501):
        path = model(output('tools/make-loop.sh', str(pairs)))
        rows.append([pairs] + cells(*compared(path, *BDF, '--option', 'newton=krylov')))
    print_table(('pairs', 'one, ms', 'two threads', 'speed-up', 'two ranks', 'speed-up'), rows)


def crank():
    """The slider-crank of seed 001, table 1."""
    two_cores()
    rows = []
    for until in (1, 5, 10):
        for step in ('10 ms', '1 ms'):
            path = 'models/benchmarks/spatial-slider-crank.yaml'
            found = compared(path, '--integrator', 'bdf', '--tolerance', '1e-6', '--until', str(until), '--interval', step)
            rows.append([until, step] + cells(*found))
    print_table(('time, s', 'rows every', 'one, ms', 'two threads', 'speed-up', 'two ranks', 'speed-up'), rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (costs, split, thesis, tasks, legs, recursion, bdf, shared, crank)})

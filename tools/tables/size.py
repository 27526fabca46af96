#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/size.md: what large machines take, from the file to the result.
import math
import os
import subprocess

from common import ARTICULA, WORK, main, output, print_table, short


def cost(*arguments):
    """Seconds of processor time and megabytes of a call of the command."""
    with subprocess.Popen((ARTICULA, *arguments), stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    if status != 0:
        raise SystemExit(f'{" ".join(arguments)}: status {status}')
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


def slope(sizes, values):
    """Of the straight line through the logarithms, from the second size on."""
    x, y = [math.log(n) for n in sizes[1:]], [math.log(v) for v in values[1:]]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def table(maker, sizes, calls):
    found = []
    for n in sizes:
        path = os.path.join(WORK, f'{n}.yaml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(output(maker, str(n)))
        found.append([number for verb, *options in calls.values() for number in cost(verb, path, *options)])
        os.remove(path)
    rows = [[f'{n:,}'] + [f'~{short(seconds)} s, {short(memory)} MB' for seconds, memory in zip(row[::2], row[1::2])]
            for n, row in zip(sizes, found)]
    columns = list(zip(*found))
    rows.append(['slope'] + [f'~{slope(sizes, seconds):.2f}, {slope(sizes, memory):.2f}'
                             for seconds, memory in zip(columns[::2], columns[1::2])])
    print_table(['N'] + list(calls), rows)


def run(*options):
    return ('run', '--until', '10 ms', '-o', os.path.join(WORK, 'out'), *options)


RK4 = ('--integrator', 'rk4', '--step', '1 ms')


def compiled(maker, sizes):
    """Runs by compiled equations, with the compiler."""
    rows = []
    for n in sizes:
        path = os.path.join(WORK, f'{n}.yaml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(output(maker, str(n)))
        os.environ['XDG_CACHE_HOME'] = os.path.join(WORK, f'cache-{n}')
        verb, *options = run('--method', 'generated', *RK4)
        rows.append(cost(verb, path, *options))
        os.remove(path)
    return rows


def generated():
    sizes = (100, 400, 1600, 6400, 10001)
    found = [compiled(maker, sizes) for maker in ('tools/make-four-bars.sh', 'tools/make-chain.sh')]
    rows = [[f'{n:,}'] + [f'~{short(seconds)} s, {short(memory)} MB' for seconds, memory in row]
            for n, *row in zip(sizes, *found)]
    rows.append(['slope'] + [f'~{slope(sizes, seconds):.2f}, {slope(sizes, memory):.2f}'
                             for seconds, memory in (zip(*column) for column in found)])
    print_table(['N', 'windows', 'links of a chain'], rows)


def windows():
    table('tools/make-four-bars.sh', (100, 400, 1600, 6400, 10001),
          {'`check`': ('check',), '`semirecursive`': run('--method', 'semirecursive', '--algebra', 'sparse', *RK4),
           '`recursive`': run('--method', 'recursive', *RK4), '`index3`': run('--method', 'index3', '--step', '1 ms')})


def chains():
    table('tools/make-chain.sh', (1000, 4000, 16000, 100000),
          {'`check`': ('check',), '`order-n`': run('--method', 'order-n', *RK4), '`recursive`': run('--method', 'recursive', *RK4),
           '`index3`': run('--method', 'index3', '--step', '1 ms')})


if __name__ == '__main__':
    main({f.__name__: f for f in (windows, chains, generated)})

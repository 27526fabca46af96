#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/performance.md, from what the programs of bench/ print. Columns of clang come from a build by clang in the
# folder that BUILD_CLANG names; without it they stay as they are.
import os
import re

from common import BUILD, bench, main, output, print_table, short, skip

CLANG = os.environ.get('BUILD_CLANG')
JOBS = ('inverse', 'mass', 'forward')


def clang(name, *arguments):
    """The output of a program of the build by clang, or nothing."""
    return output(os.path.join(CLANG, 'bench', name), *arguments) if CLANG else ''


def micro(ns):
    return f'{ns / 1e3:.2f} µs' if ns < 9.95e3 else f'{ns / 1e3:.1f} µs' if ns < 5e4 else f'{ns / 1e3:.0f} µs'


# ---- compared with others ------------------------------------------------------------------------------

def peers_of(text):
    """Times in ns by links, job and engine."""
    head = re.search(r'^ *links +job +(.*?) +Articula/MuJoCo$', text, re.M)
    engines = head.group(1).split() if head else []
    found = {}
    for line in re.findall(r'^ +(\d+)  (\w+) +(.*)$', text, re.M):
        times = re.findall(r'(\d+) ns', line[2])
        found.setdefault(int(line[0]), {})[line[1]] = dict(zip(engines, map(float, times)))
    return found


def peers():
    text = bench('peers')
    ours = peers_of(text)
    if not ours or 'MuJoCo' not in next(iter(ours.values()))['inverse']:
        skip('MuJoCo is not installed: tools/setup.sh bench')
    theirs = peers_of(clang('peers'))

    def cell(found, links, job, engine):
        return micro(found[links][job][engine]) if links in found and engine in found[links][job] else '='

    def ratio(found, links, job, digits=2):
        if links not in found:
            return None
        return f'{found[links][job]["Articula"] / found[links][job]["MuJoCo"]:.{digits}f}'

    titles = ('inverse dynamics', 'mass matrix, lower triangle', 'forward dynamics, O(n)')
    print_table(('job', 'gcc -O3', 'clang -O2', 'MuJoCo', 'Simbody', 'ratio to MuJoCo, gcc', 'clang', 'aim'),
                [(title, cell(ours, 30, job, 'Articula'), cell(theirs, 30, job, 'Articula'), cell(ours, 30, job, 'MuJoCo'),
                  cell(ours, 30, job, 'Simbody'), ratio(ours, 30, job), ratio(theirs, 30, job) or '=', '=')
                 for title, job in zip(titles, JOBS)])
    rows = []
    for links in (6, 10, 100, 1000):
        cells = [str(links)]
        for job in JOBS:
            digits = 3 if links == 1000 and job == 'forward' else 2
            pair = ratio(ours, links, job, digits), ratio(theirs, links, job, digits)
            cells.append(' / '.join(pair) if None not in pair else '=')
        rows.append(cells)
    print_table(('links', 'inverse gcc / clang', 'mass gcc / clang', 'forward gcc / clang'), rows)


# ---- recursions ---------------------------------------------------------------------------------

TREES = {'chain 6': 'chain 6', 'chain 10': 'chain 10', 'chain 30': 'chain 30', 'chain 100': 'chain 100', 'chain 1000': 'chain 1000',
         'iiwa': 'iiwa, 7 joints', 'motorcycle': 'motorcycle, 14 joints'}


def tree_table(compiler, text):
    rows = []
    for name, title in TREES.items():
        line = re.search(rf'^{name} +\d+ +\d+ +(.*)$', text, re.M)
        if line:
            cells = line.group(1).split()
            rows.append([title] + ['–' if cells[k] == '-' else f'{cells[k]} ({float(cells[k + 1]):.0f})' for k in (0, 2, 4, 6)])
        else:
            rows.append([title] + ['='] * 4)
    print_table((compiler, 'inverse', 'mass', 'forward, O(n)', 'by matrix'), rows)


def tree():
    tree_table('gcc -O3', bench('tree'))
    tree_table('clang -O2', clang('tree'))


def instructions():
    """Instructions a call; columns of x86-64 were counted by a cross compiler in qemu, and stay."""
    def counted(folder):
        text = output('bench/instructions.sh', os.path.join(folder, 'bench'), 'tree')
        return {job: f'{int(re.search(rf"^{job} +([0-9]+)", text, re.M).group(1)):,}' for job in JOBS}

    ours, theirs = counted(BUILD), counted(CLANG) if CLANG else dict.fromkeys(JOBS, '=')
    print_table(('job', 'aarch64 gcc -O3', 'aarch64 clang -O2', 'x86-64 gcc -O3 -mavx2', 'x86-64 clang -O2 -mavx2', 'aim'),
                [(job, ours[job], theirs[job], '=', '=', '=') for job in JOBS])


def double_pendulum():
    rows = []
    for title, text in (('gcc -O3', bench('double_pendulum')), ('clang -O2', clang('double_pendulum'))):
        ours = re.search(r'^Articula +([\d.]+) ms in all +(\d+) ns', text, re.M)
        peer = re.search(r'^MuJoCo +([\d.]+) ms', text, re.M)
        rows.append((title, f'{float(ours.group(1)):.1f} ms, {ours.group(2)} ns a step' if ours else '=',
                     f'{float(peer.group(1)):.1f} ms' if peer else '=',
                     f'{float(ours.group(1)) / float(peer.group(1)):.2f}' if ours and peer else '='))
    print_table(('', 'Articula', 'MuJoCo', 'ratio'), rows)


def jitter():
    """Times of art_step at 1 kHz, five-bar car."""
    found = re.findall(r'^(\w+) +(processor|wall) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$', bench('jitter'), re.M)
    print_table(('method', 'clock', 'mean, µs', 'median, µs', '99.9 %, µs', 'worst, µs'),
                [(method, 'CPU' if clock == 'processor' else clock, *(f'{float(x):.0f}' for x in times)) for method, clock, *times in found])


def parameters():
    """Times of art_set_parameter; earlier times stay as they are."""
    found = re.findall(r'^models/(?:\w+/)?([\w-]+)\.yaml +(\d+) +(\S+) +(\S+) +(\S+) +(\S+)$', bench('parameters'), re.M)
    print_table(('ms a change', 'parameters', 'of forces', 'of bodies', 'of formulas in time', 'before', 'mean of all numbers', 'before'),
                [(name, count, *('' if x == 'nan' else f'{float(x):.{3 if float(x) < 0.1 else 2}f}' for x in (force, body, formula)), '=',
                  f'{float(mean):.{3 if float(mean) < 0.1 else 2}f}', '=')
                 for name, count, force, body, formula, mean in found])


# ---- generated code -----------------------------------------------------------------------------

GENERATED = {'puma560': 'PUMA 560', 'iiwa': 'iiwa', 'motorcycle': 'motorcycle', 'generator/quadruped': 'quadruped, 18 dof',
             'chain 10': 'chain 10', 'chain 30': 'chain 30', 'generator/humanoid': 'humanoid, 35 dof'}
# interpreted kernels of others, as quoted: inverse, forward, ns, and the aim
OTHERS = {'puma560': ('6 joints (RBDL), PUMA 560', 420, 980, 4), 'chain 10': ('chain 10 (Pinocchio)', 720, 1690, 3),
          'generator/quadruped': ('quadruped of 18 dof', 930, 2480, 3), 'chain 30': ('chain 30', 2210, 5500, 2),
          'generator/humanoid': ('humanoid of about 38 dof', 3210, 8170, 2)}


def generated():
    """Generated code compared with numbers, then with interpreted kernels of others."""
    found = {}
    for line in bench('generated').splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        found[cells[0]] = cells[1:7]
    print_table(('ns a call', 'inverse, numbers', 'generated', 'ratio', 'forward, numbers', 'generated', 'ratio'),
                [[title] + found[name] for name, title in GENERATED.items()])
    print_table(('', 'their inverse, ns', 'faster', 'their forward, ns', 'faster', 'aim'),
                [(title, inverse, short(inverse / float(found[name][1])), forward, short(forward / float(found[name][4])), aim)
                 for name, (title, inverse, forward, aim) in OTHERS.items()])


# ---- systems and steps --------------------------------------------------------------------------

def positive():
    rows = []
    for line in bench('positive').splitlines():
        cells = line.split()
        if cells[:1] not in (['plane'], ['space']) or cells[1] not in ('1', '4', '10', '100', '200'):
            continue
        times = ['–' if cell == '-' else short(float(cell)) for cell in cells[7:12]]
        times += ['='] * (5 - len(times))
        rows.append([f'{cells[0]} {cells[1]}', cells[2], cells[4], f'{short(float(cells[6]), 3)} µs'] + times)
    print_table(('chain', 'unknowns', 'entries of L', 'ours, sparse', 'ours, dense', 'LAPACK', 'KLU', 'CHOLMOD simplicial',
                 'CHOLMOD supernodal'), rows)


def natural():
    rows = []
    wanted = ['double pendulum', 'Iltis suspension'] + [f'windows {n}' for n in (1, 5, 10, 40, 100, 200)]
    text = bench('natural')
    for name in wanted:
        line = re.search(rf'^{name}  +(.*)$', text, re.M).group(1)
        first, *others = re.findall(r'[\d.]+ \( *[\d.]+\)|[\d.]+|-', line)
        cells = ['–' if cell == '-' else re.sub(r'([\d.]+) \( *([\d.]+)\)',
                                                lambda m: f'{short(float(m.group(1)))} ({short(float(m.group(2)))})', cell)
                 for cell in others]
        rows.append([name, short(float(first), 3)] + cells)
    growth = re.search(r'^growth, power +(.*)$', text, re.M).group(1).split()
    rows.append(['growth from 10 on, power of N'] + growth)
    print_table(('machine', 'RK4, relative', 'index 1, dense', 'sparse', 'index 3, dense', 'sparse', 'conserving, dense', 'sparse'),
                rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (peers, tree, instructions, double_pendulum, jitter, parameters, generated, positive, natural)})

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Figures of README.md against fresh output, and against the tables of the reports that it links to:
#   check_readme.py PROGRAM
# Each figure is found in a sentence, so that a sentence that is written anew brings its figures here. What the page shows of calls is
# compared by tools/tables.py. Times are compared with the table that has them, which make tables repeats.
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
import tables  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
os.chdir(tables.ROOT)
with open('README.md', encoding='utf-8') as file:
    PAGE = file.read()
PLAIN = re.sub(r'\s+', ' ', PAGE)
failures, used = [], []


def figures(sentence):
    """The numbers of a sentence of the page, where the pattern has (#)."""
    pattern = re.escape(sentence).replace(r'\(\#\)', r'(\S*?\d[\d.,e+-]*?)')
    found = re.search(pattern, PLAIN)
    if not found:
        failures.append(f'README.md has no sentence "{sentence}"')
        return None
    used.append(found.group(0))
    return list(found.groups())


def expect(sentence, *new, rounding=0.0):
    """The figures of a sentence are these, to their last digits; below `rounding` within a factor of 30."""
    old = figures(sentence)
    cell = tables.Table('README.md', 0, [], f'call; rounding {rounding}')
    for printed, now in zip(old or [], new):
        if not tables.numbers_agree(printed, now, cell, 0):
            failures.append(f'"{sentence}": {printed} is {now} now')


def call(*words, cwd=None):
    done = subprocess.run([PROGRAM, *words], text=True, capture_output=True, check=False, cwd=cwd)
    if done.returncode:
        failures.append(f'articula {" ".join(words)}: {done.stderr.strip()}')
    return done.stdout


def row_of_report(path, heading, first):
    """The cells of the first row that begins so, below a heading of a report."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    below = lines[[re.sub('^#+ ', '', line) for line in lines].index(heading):]
    return next(tables.cells(line) for line in below if tables.is_row(line) and tables.cells(line)[:len(first)] == first)


def check_windows(folder):
    with open(os.path.join(folder, 'windows.yaml'), 'w', encoding='utf-8') as file:
        subprocess.run(['tools/make-four-bars.sh', '10'], check=True, stdout=file)
    report = json.loads(call('run', 'windows.yaml', '--method', 'generated', '--integrator', 'rk4', '--step', '1 ms', '--until', '10 s', '--json',
                             cwd=folder) or '{}')
    if report:
        expect('the loops stay closed to (#) m and the energy balance to (#) J', f'{report["constraints"]["position_residual"]:.0e}',
               f'{report["energy"]["error"]:.2g}', rounding=1e-9)
    energy, gap = row_of_report('doc/reports/loops.md', 'Ten seconds of windows, RK4 at 1 ms', ['10', 'MuJoCo 2.2.2'])[3:]
    expect('MuJoCo 2.2.2 leaves (#) m and (#) J', gap.split()[0], energy.split()[0])


def check_methods():
    report = json.loads(call('compare', 'models/vehicles/iltis-bump.yaml', '--until', '0.5 s', '--json') or '{}')
    if not report:
        return
    rows = report['methods']
    if figures('which share no coordinate with the others: ten rows side by side') is not None and len(rows) != 10:
        failures.append(f'compare has {len(rows)} rows, README.md says ten')
    natural = {'index1', 'index3', 'multi-index', 'conserving'}
    apart = {kind: max(row['difference'] for row in rows if (row['method'] in natural) == kind) for kind in (False, True)}
    for kind, sentence in ((False, 'the six by relative coordinates end within (#) of each other'), (True, 'the natural ones within (#), the error')):
        said = figures(sentence)
        if said and not apart[kind] <= tables.number(said[0]) * 1.05:
            failures.append(f'"{sentence}": {said[0]}, but they are apart by {apart[kind]:.2g}')


def check_code():
    models, functions, error = row_of_report('doc/reports/generator.md', 'Errors of all functions', ['all'])[1:4]
    expect('(#) functions of (#) models agree with the numbers to (#) in all five', functions, models, f'{float(error):.0e}')
    van = json.loads(call('check', 'models/vehicles/van.yaml', '--json') or '{}')
    cell = row_of_report('doc/reports/vehicles.md', 'Times', ['van'])
    plain, generated = (float(cell[k].split(',')[1]) for k in (1, 6))
    if van:
        expect('they run a van of (#) bodies and (#) constraint rows (#) times faster than real time', str(len(van['bodies'])), str(van['rows']),
               f'{generated:.0f}')
    if figures('nearly six times faster than the numeric method') is not None and not 5.5 < generated / plain < 6:
        failures.append(f'README.md says nearly six times faster, the report {generated / plain:.2g}')


def check_model(folder):
    """The model of the page runs, and the program in C is the first example."""
    block = re.search(r'## A model\n\n((?:    .*\n)+)', PAGE).group(1)
    with open(os.path.join(folder, 'rod.yaml'), 'w', encoding='utf-8') as file:
        file.write(re.sub('^    ', '', block, flags=re.M))
    call('check', 'rod.yaml', cwd=folder)
    if 'verdict: good' not in call('run', 'rod.yaml', cwd=folder):
        failures.append('the model of README.md does not run well')
    call('plot', 'results/rod', 'angle', cwd=folder)


with tempfile.TemporaryDirectory() as work:
    check_windows(work)
    check_model(work)
check_methods()
check_code()
# sentences of claims whose figures nobody has asked for
claims = PLAIN[PLAIN.index('## Three claims'):PLAIN.index('## A model')]
for sentence in used:
    claims = claims.replace(sentence, '')
claims = re.sub(r'`[^`]*`|\]\([^)]*\)|MuJoCo 2\.2\.2|FMI 2\.0 or 3\.0|articula \S+.*?(?= \d\. | The |$)', ' ', claims)
left = [n for n in re.findall(r'(?<![\w.])\d[\d.]*(?:e-?\d+)?(?= ?(?:m|J|MB|times|functions|models|of)\b)', claims) if n not in ('2.1',)]
if left:
    failures.append(f'nobody compares these figures of the claims: {", ".join(left)}')
print('\n'.join(failures) or 'the figures of README.md are those of today')
sys.exit(1 if failures else 0)

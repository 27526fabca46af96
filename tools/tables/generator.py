#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/generator.md.
import os
import re
import subprocess

from common import ARTICULA, BUILD, WORK, ask, bench, main, output, print_table, short


# ---- operations ---------------------------------------------------------------------------------

def operations():
    """Operations of trees and of machines with loops, as bench/generator counts them."""
    first, second = bench('generator').split('\n\n')[:2]
    for text, width in ((first, 9), (second, 6)):
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.strip().splitlines()]
        rows = [[re.sub(r'^models/|\.yaml$', '', cell) for cell in row[:width]] for row in rows]
        print_table(rows[0], rows[2:])


def kinematics():
    """Operations of frames by each scheme, and of factors of full mass matrices, as bench/kinematics counts them."""
    for text in bench('kinematics').split('\n\n'):
        rows = [[cell.strip() for cell in line.strip()[1:-1].split('|')] for line in text.strip().splitlines()]
        print_table(rows[0], rows[2:])


def modellings():
    """The planar robot by the four modellings of the thesis: reduced to free coordinates, and with multipliers."""
    published = ((1447, 1917), (861, 1202), (845, 1303), (772, 900))
    rows = []
    for i, figures in enumerate(published, 1):
        row = [f'loops/planar-robot-{i}']
        for form, figure in zip(('accelerate', 'augmented'), figures):
            for option in ((), ('--minimal',)):
                text = output(ARTICULA, 'generate', f'models/loops/planar-robot-{i}.yaml', '--forms', form, '--count', *option)
                row.append(re.search(rf'^  {form}, (\d+) operations', text, re.M).group(1))
            row.append(figure)
        rows.append(row)
    print_table(('modelling', 'accelerate', 'minimal', 'published', 'augmented', 'minimal', 'published'), rows)


ARMS, ELBOWS = 'arm1/base,arm2/base,arm3/base', 'arm1/elbow,arm2/elbow,arm3/elbow'
MOTORS = 'arm1/motor,arm2/motor,arm3/motor'
STROKES = ','.join(f'leg{i}/stroke' for i in range(1, 7))


def counted(*options):
    """Operations of every function."""
    return {f['function']: f['operations'] for f in ask('generate', *options, '--count')['functions']}


def actuators():
    """Operations of joint forces of the tree and of forces of actuators, independent coordinates by hand."""
    rows = []
    for name, words, independent, acts in (
            ('four-bar', 'its crank', 'pivot', 'pivot'),
            ('planar-robot-1', 'motors of the arms', ARMS, ARMS),
            ('planar-robot-2', 'motors of the arms', ARMS, ARMS),
            ('planar-robot-3', 'motors of the arms', ARMS, ARMS),
            ('planar-robot-4', 'motors of the arms', ARMS, ARMS),
            ('planar-robot-4', 'the same, place of the platform given', 'float', ARMS),
            ('planar-robot-4', 'arms and elbows, place of the platform given', 'float', f'{ARMS},{ELBOWS}'),
            ('delta', 'motors', MOTORS, MOTORS),
            ('delta', 'the same, place of the platform given', 'x,y,z', MOTORS),
            ('stewart', 'legs', STROKES, STROKES),
            ('stewart', 'legs, place of the platform given', 'float', STROKES)):
        call = (f'models/loops/{name}.yaml', '--independent', independent, '--actuators', acts, '--forms')
        plain, minimal = counted(*call, 'inverse'), counted(*call, 'inverse', '--minimal')
        forward = counted(*call[:3], '--forms', 'accelerate')
        rows.append((f'loops/{name}', words, plain['inverse'], f"**{plain['machine_inverse']}**",
                     f"**{minimal['machine_inverse']}**", forward['accelerate']))
    print_table(('model', 'who acts', 'inverse', 'machine_inverse', 'minimal', 'accelerate'), rows)


# ---- texts --------------------------------------------------------------------------------------

def made(path, forms):
    """Size of the text in MB, processor time in s and memory in MB of making it."""
    text = os.path.join(WORK, 'text.c')
    process = subprocess.Popen([ARTICULA, 'generate', path, '--forms', forms, '-o', text], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f'{path}, {forms}: status {status}')
    size = os.path.getsize(text)
    os.remove(text)
    return size / 1e6, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


def texts():
    chains = {}
    for n in (30, 200):
        chains[n] = os.path.join(WORK, f'chain-{n}.yaml')
        with open(chains[n], 'w', encoding='utf-8') as file:
            file.write(output('tools/make-chain.sh', str(n)))
    rows = []
    for title, path, forms, words in (
            ('chain of 30', chains[30], 'all', 'all'),
            ('chain of 200', chains[200], 'accelerate', 'accelerate'),
            ('chain of 200', chains[200], 'inverse', 'inverse'),
            ('chain of 200', chains[200], 'forward', 'forward, whose factors grow with the cube of the length'),
            ('chain of 200', chains[200], 'kinematics', 'kinematics, 800 functions'),
            ('`vehicles/truck`, 58 bodies, 40 constraint rows', 'models/vehicles/truck.yaml', 'accelerate', 'accelerate'),
            ('`vehicles/road-train`, 87 bodies, 55 constraint rows', 'models/vehicles/road-train.yaml', 'accelerate', 'accelerate'),
            ('`vehicles/road-train`', 'models/vehicles/road-train.yaml', 'all', '='),
            ('`vehicles/multilink-car`', 'models/vehicles/multilink-car.yaml', 'accelerate', 'accelerate')):
        size, seconds, memory = made(path, forms)
        unit = f'{short(memory, 2)} MB' if memory < 1000 else f'{memory / 1e3:.1f} GB'
        rows.append((title, words, f'{short(size, 3)} MB', f'{short(seconds)} s', unit))
    print_table(('model', 'forms', 'text', 'made in', 'memory'), rows)


# ---- soaks --------------------------------------------------------------------------------------

FOLDERS = ('models/', 'adams/', 'benchmarks/', 'experiments/', 'generator/', 'loops/', 'vehicles/', 'vehicles/manoeuvres/')
LANGUAGES = ('c', 'fortran', 'matlab', 'java', 'python')


def soak(name, **environment):
    """The output of a test when it goes through all models: hours."""
    return output(os.path.join(BUILD, 'test', name), env=dict(os.environ, ART_SOAK='1', **environment))


def folder_of(name):
    return name.rsplit('/', 1)[0] + '/' if '/' in name else 'models/'


def states():
    """Worst errors of generated functions by folder and language; the log is kept, so that a second call goes on."""
    log = os.path.join(BUILD, 'test_gen_states.log')
    soak('test_gen_states', ART_TEST_ALL='1', ART_LOG=log)
    worst, files, functions = {}, {}, {}
    with open(log, encoding='utf-8') as file:
        for name, language, count, error in re.findall(r'^(\S+) (\S+) (\d+) functions \d+ states (\S+) error', file.read(), re.M):
            for place in (folder_of(name), 'all'):
                key = place, language.lower()
                worst[key] = max(worst.get(key, 0.0), float(error))
                files.setdefault(place, set()).add(name)
                functions.setdefault(place, {})[name] = int(count)
    rows = []
    for place in FOLDERS + ('all',):
        title = '`models/` itself' if place == 'models/' else place if place == 'all' else f'`{place}`'
        rows.append([title, len(files.get(place, ())), sum(functions.get(place, {}).values())] +
                    [short(worst.get((place, language), 0.0)) for language in LANGUAGES])
    print_table(('files', 'number', 'functions', 'C', 'Fortran', 'Octave', 'Java', 'Python'), rows)


SHORT = ('iiwa', 'chain-10', 'double-pendulum', 'experiments/double-pendulum', 'benchmarks/loop-15', 'vehicles/motorcycle', 'puck')


def group_of(name):
    """Title of the row in which a machine stands: vehicles have rows of their own."""
    if name in SHORT:
        return ('not determined to the end: ' + ', '.join(f'`{other}`' for other in SHORT[:-1]) + '; and `puck`', len(FOLDERS))
    place = folder_of(name)
    if place.startswith('vehicles/'):
        return f'`{name}`', len(FOLDERS) + 1
    return ('`models/` itself' if place == 'models/' else f'`{place}`'), FOLDERS.index(place)


def simulators():
    """Twenty seconds of all simulators against numbers."""
    groups = {}
    for line in re.findall(r'^  (\S+): (\S+) in \S+ s, numbers among themselves (\S+); (\S+) s to make, (\S+) s to run, (\S+) s by numbers$',
                           soak('test_simulators'), re.M):
        title, place = group_of(line[0])
        groups.setdefault((place, title), []).append([float(x) for x in line[1:]])
    rows = []
    for (_, title), lines in sorted(groups.items()):
        most = [max(column) for column in zip(*lines)]
        up, title = ('', title) if len(lines) == 1 else ('up to ', f'{title}, {len(lines)} files')
        rows.append([title] + [f'{x:.1e}' for x in most[:2]] + [f'{up}{x:.1f}' for x in most[2:]])
    print_table(('files', 'largest difference', 'numbers among themselves', 'to make, s', 'to run, s', 'by numbers, s'), rows)


def lanes():
    """Gains of lanes on this CPU, next to the gains of the others, which stay."""
    found = {}
    for line in bench('batch').splitlines()[2:]:
        name, count, one, many, ratio = [cell.strip() for cell in line.strip('|').split('|')][:5]
        found[name, count] = one, many, f'**{float(ratio):.1f}**'
    names = {'puma': 'puma560', 'four-bar': 'four-bar', 'cart': 'vehicles/cart', 'multilink-car': 'vehicles/multilink-car',
             'truck': 'vehicles/truck'}
    blank = ('=', '=', '=')
    if os.uname().machine == 'aarch64':
        rows = [(title,) + blank + blank + found.get((name, '2'), blank) for name, title in names.items()]
    else:
        rows = [(title,) + found.get((name, '4'), blank) + found.get((name, '8'), blank) + blank for name, title in names.items()]
    print_table(('machine', 'AVX2: one, ns', '4 lanes, ns', 'gain', 'AVX-512: one, ns', '8 lanes, ns', 'gain', 'Neoverse N1: one, ns',
                 '2 lanes, ns', 'gain'), rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (operations, kinematics, modellings, actuators, texts, states, simulators, lanes)})

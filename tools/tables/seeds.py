#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/seeds.md: a row for every table and figure of the five source documents. The column of our figures is
# computed, all others are the page's ('='), or are printed as they stand there with WHOLE=1. In the tests rows that take long, or
# are times, are '=', too.
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import tables  # noqa: E402
from common import ARTICULA, BA2000, QUICK, WORK, Run, ask, largest, main, print_table, rms, short  # noqa: E402

HEAD = ('place', 'reported', 'Articula', 'repeat', 'difference')


def rows(*pairs):
    """Rows by their places, each with the function that makes our figures, or None where there are none."""
    printed = [[place, '=', make() if make else '=', '=', '='] for place, make in pairs]
    if os.environ.get('WHOLE'):
        for row, known in zip(printed, page_rows()):
            row[:] = [old if new == '=' else new.lstrip('~') for new, old in zip(row, known)]
    print_table(HEAD, printed)


def page_rows():
    """Rows of the page for the paper that is asked for."""
    with open('doc/reports/seeds.md', encoding='utf-8') as file:
        found = tables.read_tables(file.read().split('\n'), 'seeds.md')
    table = next(t for t in found if sys.argv[1] in t.command)
    return [tables.cells(row) for row in table.rows[2:]]


def long(make):
    """Not in the tests."""
    return None if QUICK else make


def seconds(*call):
    """Processor time of a call, the least of three, as `time` counts it."""
    least = float('inf')
    for _ in range(3):
        process = subprocess.Popen([ARTICULA, *call], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f'{" ".join(call)}: status {status}')
        least = min(least, used.ru_utime + used.ru_stime)
    return least


# ---- Hidalgo and Garcia de Jalon ----------------------------------------------------------------

def sizes(name):
    """Rows, dependent columns, redundant rows and the part of J_v that is not zero."""
    def make():
        found = ask('check', f'models/vehicles/{name}.yaml', '--jacobian')
        n = len(found['dependent'])
        filled = sum(column <= n for row in found['jacobian']['rows'] for column in row['columns'])
        return f'{found["rows"]} x {n}, {found["rows"] - found["rank"]} rows redundant, {100 * filled / (found["rows"] * n):.0f} %'
    return make


def parts(name):
    def make():
        found = ask('check', f'models/vehicles/{name}.yaml')
        one = found['one_dof_joints']
        return (f'{found["degrees_of_freedom"]} degrees of freedom, {one["bodies"]} bodies, {one["massless"]} of them without mass, '
                f'{one["rods"]} rods, {one["joints"]} joints')
    return make


def truck(way):
    return Run('models/vehicles/truck-redundant.yaml', '--until', '0.05', '--option', f'redundant={way}')


def ways_agree():
    reference, most = truck('lu'), 0.0
    for way in ('umfpack', 'spqr'):
        run = truck(way)
        for name, values in reference.columns.items():
            size = max(1.0, largest(values))
            most = max(most, largest((a - b) / size for a, b in zip(values, run[name])))
    return f'{most:.0e}'


def ratios(name):
    """Time of a run that keeps all rows, by rectangular LU and by UMFPACK."""
    def make():
        call = ('run', f'models/vehicles/{name}.yaml', '--until', '1', '--quiet', '--option')
        dense, sparse = (seconds(*call, f'redundant={way}') for way in ('lu', 'umfpack'))
        return f'~1 by `lu`, {sparse / dense:.2f} by `umfpack`'
    return make


def equal_vectors():
    """The hinge of eqs. 20 and 21, all rows at every evaluation, against one of five rows."""
    path = 'models/loops/spatial-four-bar.yaml'
    found = ask('check', path)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    five = os.path.join(WORK, 'five-rows.yaml')
    with open(five, 'w', encoding='utf-8') as file:
        file.write(text.replace(', closing: vectors', ''))
    if (found['rows'], found['rank'], ask('check', five)['rows']) != (6, 5, 5):
        sys.exit(f'{path}: expected six rows, five of them independent, and five rows by angles')
    tolerance = ('--tolerance', '1e-11')
    vectors, angles = Run(path, *tolerance, '--option', 'redundant=lu'), Run(five, *tolerance)
    most = max(largest(a - b for a, b in zip(values, vectors[name])) / max(1.0, largest(values)) for name, values in angles.columns.items())
    return f'{most:.0e}'


def hidalgo():
    rows(('figs. 1 to 3, eqs. 1 to 25', None), ('eqs. 20, 21', equal_vectors), ('eq. 26', lambda: f'{ask("check", "models/loops/planar-robot-by-hand.yaml")["degrees_of_freedom"]} by hand'),
         ('fig. 4, eqs. 30, 31', lambda: f'{truck("lu").certificate["constraints"]["position_residual"]:.0e} m'),
         ('section 5, eq. 32', ways_agree), ('section 5.1, fig. 5, van', parts('van-redundant')), ('the same, its matrix', sizes('van-redundant')),
         ('section 5.1, fig. 6, truck', parts('truck-redundant')), ('the same, its matrix', sizes('truck-redundant')),
         ('table 1, van', long(ratios('van-redundant'))), ('table 2, truck', long(ratios('truck-redundant'))))


# ---- closed chains, in Polish -------------------------------------------------------------------

def crank_error():
    """The slider-crank of fig. 2 by the paper's method, against 34 digits."""
    path = 'models/benchmarks/spatial-slider-crank-haug'
    with open(path + '.csv', encoding='utf-8') as file:
        lines = [line for line in file if not line.startswith('#')]
    exact = [[float(x) for x in row] for row in list(csv.reader(lines))[1:]]
    head = next(csv.reader(lines))
    last = exact[0]
    run = Run(path + '.yaml', '--method', 'recursive', '--integrator', 'bdf', '--tolerance', '1e-10', '--until', repr(last[0]))
    most = max(abs(run[name.rsplit(' [', 1)[0]][-1] - value) for name, value in zip(head[1:], last[1:]))
    return f'{most:.0e}'


def freedom(path):
    return lambda: f'{ask("check", path)["degrees_of_freedom"]} degrees of freedom'


def polish():
    rows(('fig. 1, eqs. 1 to 7', None), ('fig. 2', crank_error), ('section 2.3', None), ('table 1', None),
         ('fig. 3', freedom('models/benchmarks/loop-15.yaml')), ('fig. 4', None), ('section 4', None))


# ---- Cardenal, Cuadrado and Bayo ----------------------------------------------------------------

PENDULUM, SUSPENSION = 'models/experiments/double-pendulum.yaml', 'models/experiments/iltis-front.yaml'


def energy_errors(step):
    def make():
        found = [ask('run', PENDULUM, '--study', 'table', '--method', method, '--step', step, '-o', os.path.join(WORK, method))
                 for method in ('index1', 'index3')]
        return ', '.join(f'{f["energy"]["error"]:.3e}'.replace('e-0', 'e-') for f in found) + ' J'
    return make


def step_times():
    """CPU time of index 1 over that of index 3, by steps."""
    found = []
    for step in ('1e-3', '1e-4', '1e-5'):
        index1, index3 = (seconds('run', PENDULUM, '--study', 'table', '--method', method, '--step', step, '--quiet')
                          for method in ('index1', 'index3'))
        found.append(f'{index1 / index3:.2f}')
    return '~' + ', '.join(found)


def variable(path):
    def make():
        found = ask('run', path, '--study', 'variable', '-o', os.path.join(WORK, 'variable'))
        return f'{found["steps"]["accepted"]} steps, {found["energy"]["error"]:.1e} J'
    return make


def penalty_energy():
    """K_alpha of eq. 10, without projections at 1 ms."""
    found = ask('run', PENDULUM, '--study', 'table', '--method', 'index3', '--step', '1e-3', '--option', 'projections=no', '--option', 'penalty=1e7',
                '--until', '1', '-o', os.path.join(WORK, 'free'))
    return f'{found["constraints"]["penalty_energy"]:.1e} J'


def baumgarte():
    """Drift of index 1 without projections, without and with Baumgarte's terms."""
    found = [ask('run', PENDULUM, '--study', 'table', '--method', 'index1', '--step', '1e-3', '-o', os.path.join(WORK, 'terms'), *options)
             for options in (('--option', 'projections=no'), ('--option', 'projections=baumgarte', '--option', 'alpha=50', '--option', 'beta=50'))]
    free, held = (f['constraints']['position_residual'] for f in found)
    return f'{free:.1e} m without them, {held:.1e} m with alpha = beta = 50'


def suspension():
    fixed, steered = (ask('run', SUSPENSION, '--study', study, '-o', os.path.join(WORK, study)) for study in ('fixed', 'variable'))
    return f'{fixed["steps"]["accepted"]} and {steered["steps"]["accepted"]} steps, {fixed["energy"]["error"]:.1e} and {steered["energy"]["error"]:.1e} J'


def suspension_time():
    fixed, steered = (seconds('run', SUSPENSION, '--study', study, '--quiet') for study in ('fixed', 'variable'))
    return f'~{fixed / steered:.1f}'


def cardenal():
    rows(('introduction', None), ('eq. 4', baumgarte), ('fig. 1', freedom(PENDULUM)), ('table 1, 10 ms', energy_errors('1e-2')),
         ('table 1, 1 ms', energy_errors('1e-3')), ('table 1, 0.1 ms', long(energy_errors('1e-4'))), ('table 1, 10 µs', long(energy_errors('1e-5'))),
         ('table 1, 1 µs', None), ('table 1, CPU time', long(step_times)), ('figs. 2, 3', None),
         ('eq. 10', penalty_energy), ('fig. 4', None), ('figs. 5, 6', variable(PENDULUM)), ('figs. 7 to 10', suspension),
         ('the same, CPU time', long(suspension_time)))


# ---- Dopico, Gonzalez, Lugris and Cuadrado ------------------------------------------------------

def pendulum(study, *keys):
    def make():
        found = ask('run', 'models/experiments/spherical-pendulum.yaml', '--study', study, '-o', os.path.join(WORK, study))
        units = {'energy': 'J', 'velocity_residual': 'm/s', 'acceleration_residual': 'm/s²'}
        return ', '.join(f'{short(found["energy"]["error"] if key == "energy" else found["constraints"][key])} {units[key]}' for key in keys)
    return make


def stairs(road, study):
    """Whole steps of 10 ms: passes, or stops."""
    def make():
        folder = os.path.join(WORK, 'stairs')
        done = subprocess.run((ARTICULA, 'run', f'models/vehicles/iltis-{road}.yaml', '--study', study, '--option', 'whole_steps=true',
                               '--interval', '0.1', '--json', '-o', folder), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode == 0:
            return 'passes'
        with open(os.path.join(folder, 'results.csv'), encoding='utf-8') as file:
            return f'stops after {float(file.read().split()[-1].split(",")[0]):.1f} s'
    return make


def both_stairs(study):
    return lambda: f'vertical risers: {stairs("edges", study)()}; sloped ones: {stairs("stairs", study)()}'


def periods():
    """Rms errors of pitch on sloped risers at 10 ms by the trapezoidal rule and by the conserving one, both with projections."""
    road = 'models/vehicles/iltis-stairs.yaml'
    reference = Run(road, '--study', 'reference')
    found = [Run(road, '--study', study, '--option', 'whole_steps=true') for study in ('projections', 'combined')]
    return ' and '.join(short(rms([a - b for a, b in zip(run['pitch'], reference['pitch'])])) for run in found) + ' rad'


def dopico():
    rows(('fig. 1', freedom('models/experiments/spherical-pendulum.yaml')), ('fig. 2', pendulum('free', 'velocity_residual')),
         ('fig. 3', pendulum('free', 'energy')), ('figs. 4, 5, projections', pendulum('projected', 'velocity_residual', 'acceleration_residual')),
         ('figs. 4, 5, conserving', pendulum('conserving', 'velocity_residual', 'acceleration_residual')),
         ('fig. 6, projections', pendulum('projected', 'energy')), ('fig. 6, conserving', pendulum('conserving', 'energy')),
         ('fig. 7', parts('iltis-edges')), ('fig. 8', None), ('fig. 9, projections', both_stairs('projections')),
         ('fig. 9, conserving', long(both_stairs('conserving'))), ('fig. 9 again, both', long(both_stairs('combined'))), ('fig. 10', long(periods)))


# ---- Postiau ------------------------------------------------------------------------------------

def count(path, *options, function=None, group=None):
    def one(more):
        found = ask('generate', f'models/{path}.yaml', '--count', *options, *more)['functions']
        f = next(f for f in found if function is None or f['function'] == function)
        return f['groups'][group] if group else f['operations']
    return one


def pair(path, form, function):
    """Classical and minimal parameters."""
    return lambda: ', '.join(str(count(path, '--forms', form, function=function)(more)) for more in ((), ('--minimal',)))


def reduced(path, *options):
    return str(count(path, '--forms', 'accelerate', *options, function='accelerate', group='reduction')(()))


def reduction(path, *options):
    return lambda: reduced(path, *options)


def modellings(form):
    return lambda: ', '.join(str(count(f'loops/planar-robot-{i}', '--forms', form, '--minimal', function=form)(())) for i in (1, 2, 3, 4))


def puma(latency, *units):
    def make():
        found = [ask('schedule', 'models/generator/puma-thesis.yaml', '--forms', 'inverse', '--units', u, *latency)['list']['cycles'] for u in units]
        return ', '.join(map(str, found))
    return make


def system(path, form, units):
    def make():
        found = ask('schedule', f'models/{path}.yaml', '--forms', form, '--units', units)
        return f'{sum(found["count"].values())} operations, {found["list"]["cycles"]} cycles'
    return make


def rings():
    found = ask('schedule', 'models/generator/puma-thesis.yaml', '--forms', 'inverse', '--modules', '4', '--latency', 'mul=4,add=4')['rings']
    return ', '.join(str(ring['cycles_of_list']) for ring in found)


def bogie(*options):
    return ask('split', 'models/vehicles/bogie.yaml', '--independent', BA2000, *options)


def groups():
    found = bogie('--by', 'thesis', '--smallest', '0')['thesis']['groups']
    return '; '.join(' '.join(map(str, g['branches'])) + (f' with {" ".join(map(str, g["blocks"]))}' if g['blocks'] else '') for g in found)


def blocks():
    found = ask('check', 'models/vehicles/bogie.yaml', '--independent', BA2000, '--jacobian')['jacobian']
    names = {}
    for i, row in enumerate(found['rows']):
        names.setdefault(row['block'], []).append(found['columns'][i]['name'].split('.')[0])
    return '; '.join(' '.join(n) for n in names.values())


def tasks(*options):
    def make():
        found = bogie('--by', *options)
        t = found['thesis']
        return (f'{", ".join(str(task["operations"]) for task in found["task"])}; critical {t["critical"]}, '
                f'{found["critical_messages"]} transfers on one way, {t["kept"]} in all')
    return make


def car():
    found = [ask('split', 'models/vehicles/multilink-car.yaml', '--by', 'thesis', '--tasks', n)['thesis']['speedup'] for n in ('2', '4')]
    return 'predicted ' + ', '.join(f'{x:.2f}' for x in found)


def postiau():
    delta = 'arm1/a,arm2/a,arm3/a,arm1/m2,arm2/m2,arm3/m2'
    rows(('figs. 1 to 4, 1.1 to 1.12, 1.14 to 1.25', None),
         ('tables 1.1, 1.2, fig. 1.13', None), ('table 1.3', None), ('table 1.4', None), ('fig. 1.26, table 1.5', freedom('models/generator/puma-thesis.yaml')),
         ('table 1.6, inverse', pair('generator/puma-thesis', 'inverse', 'inverse')),
         ('table 1.7, semi-explicit', pair('generator/puma-thesis', 'mass', 'mass_bias')),
         ('table 1.8, explicit', pair('generator/puma-thesis', 'forward', 'forward')),
         ('table 1.8, O(N)', pair('generator/puma-thesis', 'forward-n', 'forward_n')),
         ('fig. 1.27, table 1.9', freedom('models/motorcycle.yaml')),
         ('table 1.10, explicit', pair('motorcycle', 'forward', 'forward')), ('table 1.10, O(N)', pair('motorcycle', 'forward-n', 'forward_n')),
         ('figs. 2.1 to 2.5, 2.7 to 2.10', None), ('fig. 2.6', lambda: ', '.join(
             ' '.join(map(str, ask('check', 'models/loops/seven-body.yaml', '--independent', q)['blocks'])) for q in ('q1', 'q2', 'q4'))),
         ('table 2.1, Delta', lambda: f'{reduced("generator/delta-massless", "--freeze", delta)}; alive {reduced("generator/delta-massless")}'),
         ('table 2.1, Stewart', lambda: f'{reduced("generator/stewart-bare", "--share")}; with mass in its legs {reduced("loops/stewart")}'),
         ('table 2.1, Caracas bogie, figs. 2.18, 2.19', reduction('vehicles/caracas-bogie')),
         ('table 2.1, Audi A6, fig. 2.16', reduction('vehicles/multilink-car')),
         ('figs. 2.11 to 2.15, reduced', modellings('accelerate')), ('the same, with multipliers', modellings('augmented')), ('fig. 2.17', None),
         ('figs. 3.1 to 3.6', None), ('table 3.1, figs. 3.7 to 3.14', puma((), *(f'mul={m},add={a}' for m, a in ((7, 4), (6, 4), (5, 4), (4, 4), (5, 3), (3, 4), (4, 3), (4, 2))))),
         ('table 3.2', puma(('--latency', 'mul=3:1', '--transfer', '1'), *(f'mul={m},add={a}' for m, a in ((3, 2), (2, 2), (1, 2), (2, 1), (1, 1))))),
         ('table 3.3, car of 16 joints', system('generator/car-16', 'inverse', 'mul=9,add=9')),
         ('table 3.3, Stewart', system('generator/stewart-massless', 'forward', 'mul=6,add=3,div=1')), ('table 3.3, the others', None),
         ('table 3.4, figs. 3.15, 3.16', rings), ('fig. 3.17', None), ('figs. 4.1 to 4.13, 4.17 to 4.21, 4.23 to 4.25, 4.29', None),
         ('fig. 4.14, tables 4.1, 4.2', blocks), ('figs. 4.15, 4.16', groups), ('tables 4.3 to 4.6, figs. 4.22, 4.26', tasks('thesis', '--smallest', '0')),
         ('tables 4.7, 4.8, fig. 4.27', long(tasks('thesis-talk', '--smallest', '0', '--tasks', '4'))), ('tables 4.9, 4.10, fig. 4.28', long(tasks('thesis', '--smallest', '0', '--tasks', '4'))),
         ('table 4.11', long(tasks('thesis', '--merge', '0/1/2,3,4'))), ('table 4.12', long(tasks('thesis', '--merge', '0,4/1,2,3'))),
         ('table 4.13', long(tasks('thesis-grid', '--tasks', '4'))), ('table 4.14', long(tasks('thesis-grid', '--tasks', '3'))), ('table 4.15', long(tasks('thesis-grid', '--tasks', '2'))),
         ('fig. 4.30, tables 4.16, 4.17', long(car)), ('sections 1.4, 1.5, 2.2.5', None), ('section 2.5.1', lambda: str(count(
             'loops/planar-robot-4', '--forms', 'inverse', '--independent', 'float', '--actuators', 'arm1/base,arm2/base,arm3/base',
             function='machine_inverse')(()))))



if __name__ == '__main__':
    main({f.__name__: f for f in (hidalgo, polish, cardenal, dopico, postiau)})

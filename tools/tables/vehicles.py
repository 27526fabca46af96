#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/vehicles.md.
import csv
import json
import math
import os
import re
import resource
import subprocess

from common import ARTICULA, WORK, Run, ask, bench, largest, main, model, output, print_table, rms, short

VEHICLES = 'models/vehicles/'
DEGREE = 180 / math.pi


def path_of(name):
    return f'{VEHICLES}{name}.yaml'


# ---- counts -------------------------------------------------------------------------------------

def bodies_of(check):
    """All bodies, and how many of them have no mass."""
    masses = [body['mass'] for body in check['bodies']]
    return len(masses), sum(mass == 0 for mass in masses)


def velocities_of(check):
    return check['degrees_of_freedom'] + check.get('rank', 0) + len(check['drives'])


def mass_text(mass):
    return f'{mass:.6g} kg' if mass < 1e4 else f'{mass / 1e3:.3g} t'


def counts():
    links = {'iltis': 'bombardier-iltis', 'multilink-car': 'five-bar-multi-link-car', 'motorcycle': 'sports-motorcycle',
             'van': 'van-and-semi-trailer-truck', 'van-redundant': 'redundant-constraints', 'truck': 'van-and-semi-trailer-truck',
             'truck-redundant': 'redundant-constraints', 'road-train': 'road-train',
             'bogie': 'articulated-bogie', 'caracas-bogie': 'metro-bogie'}
    rows = []
    for name, link in links.items():
        check = ask('check', path_of(name))
        bodies, massless = bodies_of(check)
        rows.append((f'[{name}](#{link})', f'{bodies}, {massless}', len(check['rods']), mass_text(check['mass']),
                     velocities_of(check), len(check['drives']), check['rows'], check['degrees_of_freedom']))
    print_table(('model', 'bodies, of them without mass', 'rods', 'mass', 'velocity coordinates', 'driven', 'constraints',
                 'degrees of freedom'), rows)


def multilink():
    check = ask('check', path_of('multilink-car'))
    bodies, massless = bodies_of(check)
    blocks = set(check['blocks'])
    print_table(('', 'thesis', 'ours'), (
        ('variables', '=', f'{velocities_of(check)}, with the steering rack'),
        ('constraints', '=', check['rank']),
        ('degrees of freedom', '=', f'{check["degrees_of_freedom"]}, the rack is driven'),
        ('J_v', '=', f'four blocks of {blocks.pop()}' if len(check['blocks']) == 4 and len(blocks) == 1 else check['blocks']),
        ('bodies', '=', f'{bodies}, {massless} of them without mass: no auxiliary bodies for joints and inclined axes'),
        ('driven in the manoeuvre', '=', '=')))


def paper():
    """The counting of Hidalgo and Garcia de Jalon, in joints of one degree of freedom."""
    checks = [ask('check', path_of(name)) for name in ('van', 'truck')]
    counts_of = [check['one_dof_joints'] for check in checks]

    def row(title, values):
        return title, '=', values[0], '=', values[1]

    redundant = [ask('check', path_of(f'{name}-redundant')) for name in ('van', 'truck')]
    rows_of = [6 * count['cuts'] + count['rods'] for count in counts_of]
    print_table(('', 'paper, van', '`check`', 'paper, truck', '`check`'), (
        row('degrees of freedom', [check['degrees_of_freedom'] for check in checks]),
        row('bodies', [count['bodies'] for count in counts_of]),
        row('of them without mass', [count['massless'] for count in counts_of]),
        row('rods', [count['rods'] for count in counts_of]),
        row('joints', [f'{count["joints"]}, of them {count["cuts"]} cut' for count in counts_of]),
        row('guided coordinates', [count['driven'] for count in counts_of]),
        row('rank of the constraints', [check['rank'] for check in checks]),
        row('rows, 6 for a revolute cut and 1 for a rod', [f'{rows_of[0]} and one of the steering rack', rows_of[1]]),
        row('J_v of `van-redundant`, `truck-redundant`', [f'{check["rows"]} × {check["rank"]}' for check in redundant])))


# ---- rest ---------------------------------------------------------------------------------------

def first_row(path, *arguments):
    run = Run(path, '--until', '1e-3', '--interval', '1e-3', *arguments)
    return {name: values[0] for name, values in run.columns.items()}


def statics():
    rest = path_of('iltis-rest')
    drawn, still = first_row(rest), first_row(rest, '--at-equilibrium')

    def both(row, name, digits=2):
        return f'{row[name + "_fl"]:.{digits}f} / {row[name + "_rl"]:.{digits}f}'

    print_table(('', 'paper, nominal', 'ours, nominal', 'Robotran, equilibrium', 'ours, equilibrium'), (
        ('leaf, front / rear', '=', f'{drawn["leaf_fl"]:.2f}', '=', both(still, 'leaf')),
        ('shock absorber', '=', f'{drawn["shock_fl"]:.2f}', '=', both(still, 'shock')),
        ('tyre, front / rear', '=', both(drawn, 'load'), '=', both(still, 'load')),
        ('leaf rod', '', '', '=', both(still, 'rod')),
        ('chassis', '', '', '=', f'{1e3 * still["dz"]:.4f} mm, {DEGREE * still["pitch"]:.5f}°')))


def loads():
    """Wheel loads at the equilibrium."""
    van, truck = (first_row(path_of(name), '--at-equilibrium', '--study', study)
                  for name, study in (('van', 'bumps'), ('truck', 'slalom')))
    others = [[truck[f'load{k}_{side}'] for k in (3, 4, 5)] for side in ('left', 'right')]
    same = largest(a - b for a, b in zip(*others)) < 1
    print_table(('N', 'by hand, each wheel', 'left', 'right'), (
        ('van, front', '=', f'{van["load_front_left"]:.1f}', f'{van["load_front_right"]:.1f}'),
        ('van, rear (twins)', '=', f'{van["load_rear_left"]:.1f}', f'{van["load_rear_right"]:.1f}'),
        ('truck, 1', '=', f'{truck["load1_left"]:.0f}', f'{truck["load1_right"]:.0f}'),
        ('truck, 2 (twins)', '=', f'{truck["load2_left"]:.0f}', f'{truck["load2_right"]:.0f}'),
        ('truck, 3 to 5', '=', ', '.join(f'{load:.0f}' for load in others[0]),
         'the same' if same else ', '.join(f'{load:.0f}' for load in others[1]))))


# ---- modes --------------------------------------------------------------------------------------

def eigenvalues(*arguments):
    """Pairs of real and imaginary part, imaginary part not negative, with the sizes of the coordinates in the mode."""
    found = ask('linear', *arguments)
    names = [name.split('.')[0] for name in found['mode_coordinates']]
    result = []
    for mode in found['modes']:
        shape = map(math.hypot, mode['shape_real'], mode['shape_imaginary'])
        if mode['imaginary'] >= 0:
            result.append((mode['real'], mode['imaginary'], dict(zip(names, shape))))
    return result


def modes():
    """The oscillations and decays of the Iltis, slowest first; what drifts is left out."""
    found = [(re_, im) for re_, im, _ in eigenvalues(path_of('iltis')) if math.hypot(re_, im) > 1]
    pairs = sorted((x for x in found if x[1] > 1e-3), key=lambda x: math.hypot(*x))
    decays = sorted((x[0] for x in found if x[1] <= 1e-3), reverse=True)
    wheels, body = pairs[3:], pairs[:3]

    def text(values):
        return ', '.join(f'{a:.3g} ± {b:.3g}i' for a, b in values)

    wheels = wheels[1:] + wheels[:1]  # the softest last, as Robotran lists them
    print_table(('', 'ours', 'Robotran'), (
        ('wheels', text(wheels), '='), ('pitch, heave', text(body[1:]), '='), ('lateral, yaw', text(body[:1]), '='),
        ('roll', ', '.join(f'{x:.1f}' for x in decays), '=')))


def motorcycle():
    """Weave and wobble: lateral oscillations, spins of the wheels left aside, below 5 Hz and above."""
    rows = []
    for speed in range(10, 61, 10):
        weave, wobble = [], []
        for re_, im, shape in eigenvalues(path_of('motorcycle'), '--speed', f'{speed} m/s'):
            most = max((name for name in shape if 'spin' not in name), key=shape.get)
            frequency = math.hypot(re_, im) / (2 * math.pi)
            if im > 1 and most in ('roll', 'yaw', 'steer'):
                damping = -re_ / math.hypot(re_, im)
                text = [f'{frequency:.2f} Hz', short(damping)]
                if frequency < 5:
                    weave = text
                elif frequency < 11 and damping < 0.4:
                    wobble = text
        rows.append([f'{speed} m/s'] + weave + (wobble or ['', '']))
    print_table(('speed', 'weave', 'damping ratio', 'wobble', 'damping ratio'), rows)


# ---- histories ----------------------------------------------------------------------------------

def manoeuvres():
    """How far the samples of the Robotran model lie from ours, as tools/plot-iltis.sh prints it."""
    text = output('tools/plot-iltis.sh', ARTICULA, WORK)
    worst = {}
    for line in text.splitlines():
        name = line.split()[0]
        worst[name] = [float(x) for x in re.findall(r'(?:x|height|pitch|roll|yaw|rate|load) ([\d.]+)', line)]

    def numbers(name):
        x, height, pitch, roll, yaw, _, load = worst[name]
        return height, max(pitch, roll), yaw, load

    rows = [(title, f'{h:.2f} mm', f'{a:.3f}°', f'{y:.3f}° of {of}°', f'{l:.0f} N')
            for title, name, of in (('rack ramp to 2 mm, 10 m/s', 'ramp-10', 17), ('20 m/s', 'ramp-20', 23),
                                    ('30 m/s', 'ramp-30', 23)) for h, a, y, l in [numbers(name)]]
    sines = [numbers(f'sine-{k}') for k in (1, 2, 4)]
    rows.append(('rack sine 1 / 2 / 4 mm, 20 m/s', f'{max(s[0] for s in sines):.2f} mm',
                 ' / '.join(f'{s[1]:.3f}' for s in sines) + '°', f'{max(s[2] for s in sines):.3f}°',
                 ' / '.join(f'{s[3]:.0f}' for s in sines) + ' N'))
    h, a, _, l = numbers('in-5')
    rows.append(('bump, both sides, 5 m/s', f'{h:.1f} mm of 121 mm', f'{a:.2f}° of 7.6°', '', f'{l:.0f} N of 6.2 kN'))
    h, a, _, l = numbers('in-10')
    rows.append(('10 m/s', f'{h:.1f} mm of 307 mm', f'{a:.2f}° of 8.3°', '', f'{l / 1e3:.1f} kN of 33 kN'))
    h, a, y, l = numbers('anti-5')
    rows.append(('bump and hole, 5 m/s', f'{h:.0f} mm of 81 mm', f'{a:.1f}° of 18°', f'{y:.1f}°', f'{l / 1e3:.1f} kN of 19.9 kN'))
    h, a, y, l = numbers('anti-10')
    rows.append(('10 m/s', f'{h:.0f} mm of 45 mm', f'{a:.1f}° of 15°', f'{y:.1f}°', f'{l / 1e3:.1f} kN of 18 kN'))
    print_table(('manoeuvre', 'height', 'pitch, roll', 'yaw', 'wheel load'), rows)


STAIRS = (('projections', '`projections`: index 3'), ('combined', '`combined`: conserving, projections'), ('conserving', '`conserving`'))
STEPS = ('1 ms', '2 ms', '3 ms', '5 ms', '7.5 ms', '10 ms')


def descent(road, study, reference, *arguments):
    """Cells of a run down the stairs, or how far it came."""
    folder = os.path.join(WORK, 'descent')
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run((ARTICULA, 'run', road, '--study', study, '-q', '-o', folder, *arguments), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    with open(os.path.join(folder, 'certificate.json'), encoding='utf-8') as file:
        certificate = json.load(file)
    seconds = f'~{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.1f} s'
    steps = certificate['steps']
    taken = f'{steps["accepted"]}, {steps["rejected"]}'
    velocity = f'{short(certificate["constraints"]["velocity_residual"], 1)} m/s'
    energy = f'{short(certificate["energy"]["error"], 1)} J'
    if done.returncode != 0:
        return f'stops at {certificate["time"]:.2f} s', taken, '', '', velocity, energy, seconds
    run = Run.read(folder, certificate)
    x = [1e3 * (a - b) for a, b in zip(run['x'], reference['x'])]
    pitch = [a - b for a, b in zip(run['pitch'], reference['pitch'])]
    return ('passes', taken, f'{short(largest(x))}, {short(rms(x))} mm', f'{short(rms(pitch))} rad', velocity, energy, seconds)


def descend(name):
    """The three methods of Dopico and others with steps of every length, and two methods of ours."""
    road = path_of(name)
    reference = Run(road, '--study', 'reference')
    rows = []
    for study, title in STAIRS:
        for step in STEPS:
            rows.append((title, step, *descent(road, study, reference, '--step', step)))
    rows.append(('`quick`: generated, Dormand-Prince', 'tolerance 1e-3', *descent(road, 'quick', reference, '--method', 'generated')))
    rows.append(('generated, RK4', '5 ms', *descent(road, 'quick', reference, '--method', 'generated', '--integrator', 'rk4', '--step', '5 ms')))
    print_table(('study', 'step', 'stairs', 'steps, again', 'largest, rms error of x', 'rms error of pitch',
                 'velocities off the constraints', 'balance of energy', 'CPU time'), rows)


def stairs():
    descend('iltis-stairs')


def edges():
    descend('iltis-edges')


def whole():
    """The three methods of Dopico and others with whole steps, as they were published: where runs end, or their error of pitch."""
    rows = []
    for name, words in (('iltis-edges', 'vertical risers'), ('iltis-stairs', 'sloped risers')):
        road = path_of(name)
        reference = Run(road, '--study', 'reference')
        for step in STEPS:
            cells = []
            for study, ends in (('projections', ''), ('combined', ''), ('conserving', ''), ('combined', 'true'), ('conserving', 'true')):
                more = ('--option', 'forces_at_ends=true') if ends else ()
                found = descent(road, study, reference, '--step', step, '--option', 'whole_steps=true', *more)
                cells.append(f'passes, {found[3]}' if found[0] == 'passes' else found[0])
            rows.append((words if step == STEPS[0] else '', step, *cells))
    print_table(('road', 'step', '`projections`', '`combined`', '`conserving`', '`combined`, forces at ends', '`conserving`, forces at ends'), rows)


def penalties():
    """The first stairs with the penalty held: where runs end."""
    road = path_of('iltis-edges')
    reference = Run(road, '--study', 'reference', '--until', '5 s')
    rows = []
    for penalty in ('1e9', '3e9', '1e11'):
        for step in ('5 ms', '10 ms'):
            held = ('--until', '5 s', '--step', step, '--option', f'penalty={penalty}')
            rows.append((penalty, step, *(descent(road, study, reference, *held)[0] for study, _ in STAIRS)))
    print_table(('penalty', 'step', *(f'`{study}`' for study, _ in STAIRS)), rows)


# ---- kinematics ---------------------------------------------------------------------------------

def kinematics_of(path, *arguments):
    """Rows of kinematics.csv as dictionaries without units."""
    folder = os.path.join(WORK, 'kinematics')
    output(ARTICULA, 'kinematics', path, '-q', '-o', folder, *arguments)
    with open(os.path.join(folder, 'kinematics.csv'), encoding='utf-8', newline='') as file:
        rows = list(csv.reader(file))
    names = [name.rsplit(' [', 1)[0] for name in rows[0]]
    return [dict(zip(names, map(float, row))) for row in rows[1:]]


def nearest(rows, travel):
    return min(rows, key=lambda row: abs(row['travel'] - travel))


def wheel():
    """The front left wheel of the five-bar car, its body held."""
    path = model(f'articula: 1\ninclude: [{{file: {os.getcwd()}/{path_of("multilink-car")}}}]\n'
                 'studies: {rig: {type: kinematics, wheels: [fl/wheel, fr/wheel], bump: 60 mm, rebound: 60 mm, steps: 6, '
                 'radius: 0.3 m, hold: [float, fl/spin, fr/spin]}}\n')
    found = kinematics_of(path, '--study', 'rig')
    rows = []
    for travel in (60, 20, -20, -60):
        row = nearest(found, 1e-3 * travel)
        at = {key.split('.', 1)[1]: value for key, value in row.items() if key.startswith('fl/wheel.')}
        rows.append((f'{travel:+d} mm', f'{DEGREE * at["camber"]:.2f}°', f'{DEGREE * at["toe"]:.2f}°',
                     f'{1e3 * at["dy"]:.1f} mm', f'{1e3 * at["dx"]:.1f} mm', f'{1e3 * at["scrub"]:.1f} mm'))
    print_table(('wheel travel', 'camber', 'toe', 'centre to the left', 'forward', 'contact outwards'), rows)


def rig():
    found = kinematics_of(path_of('double-wishbone-rig'))
    rows = []
    for travel in (-80, 0, 80):
        row = nearest(found, 1e-3 * travel)
        at = {key.rsplit('.', 1)[1]: value for key, value in row.items() if key.startswith('l/') and key.count('.') <= 2}
        rows.append((f'{travel} mm' if travel else '0', f'{DEGREE * at["toe"]:.3f}°', f'{DEGREE * at["camber"]:.3f}°',
                     f'{at["load"]:.0f} N', f'{1e-3 * at["rate"]:.2f} N/mm'))
    print_table(('travel', 'toe', 'camber', 'load', 'rate'), rows)


# ---- times --------------------------------------------------------------------------------------

TIMED = {'van': 'van', 'truck': 'truck', 'five-bar car': 'multilink-car', 'Iltis, bump': 'iltis-bump', 'motorcycle': 'motorcycle'}
WAYS = ('plain', 'dense', 'sparse', 'recursive', 'augmented', 'generated', 'index3')


def micro(value):
    return f'{value:.3g}' if value < 100 else f'{value:.0f}'


def times():
    """An evaluation by every method and how many times as fast as the motion, then the nine stages."""
    text = bench('vehicles', *TIMED.values())
    sections = {part.split('.yaml', 1)[0]: part for part in re.split(r'\n\n', text)}
    rows = []
    for title, name in TIMED.items():
        cells = [title]
        for way in WAYS:
            found = re.search(rf'^  {way} +([\d.]+) us +([\d.]+) times', sections[name], re.M)
            cells.append(f'{micro(float(found.group(1)))}, {short(float(found.group(2)))}' if found else '')
        rows.append(cells)
    print_table(('',) + WAYS, rows)
    stages = [re.findall(r'^  (?:\d| )  .{34} +([\d.]+) +([\d.]+) +([\d.]+)$', sections[name], re.M) for name in ('van', 'truck')]
    titles = ('1 positions, loops closed', '2 J, J_v = L U', '3 R', '4 dependent velocities', '5 forces', '6 gamma, s',
              '7 inertia forces', '8 M, RᵀMR, right side', '9 accelerations, multipliers', 'all')
    print_table(('', 'van: plain', 'dense', 'sparse', 'truck: plain', 'dense', 'sparse'),
                [[title] + [f'{float(x):.1f}' for stage in stages for x in stage[k]] for k, title in enumerate(titles)])


# ---- manoeuvres ---------------------------------------------------------------------------------

# lanes of ISO 3888-2 that begin at 20 m, for a body 1.8 m wide: x from, to, y from, to
LANES = ((20, 32, -1.115, 1.115), (45.5, 56.5, 2.115, 4.915), (69, 81, -1.115, 1.885))


def distance_of_cones(run):
    """Smallest distance of the corners of a body, 2.2 m before and 2.6 m behind its origin, from the sides of the lanes."""
    least = math.inf
    for x, y, yaw in zip(run['x'], run['y'], run['yaw']):
        for u, w in ((2.2, 0.9), (2.2, -0.9), (-2.6, 0.9), (-2.6, -0.9)):
            ahead, aside = x + math.cos(yaw) * u - math.sin(yaw) * w, y + math.sin(yaw) * u + math.cos(yaw) * w
            for begin, end_, right, left in LANES:
                if begin <= ahead <= end_:
                    least = min(least, aside - right, left - aside)
    return least


def both_ways(name):
    path = f'{VEHICLES}manoeuvres/{name}.yaml'
    numbers, code = Run(path), Run(path, '--method', 'generated')
    return numbers, largest(a - b for a, b in zip(numbers['across'], code['across']))


def end(run, name):
    return run[name][-1]


def runs():
    """The results of the runs of models/vehicles/manoeuvres."""
    rows = []
    run, gap = both_ways('multilink-lane-change')
    scale = run.certificate['energy']['scale']
    rows.append(('`multilink-lane-change`, 20 s at 14 m/s',
                 f'lateral acceleration up to {largest(run["across"]):.1f} m/s²; corners of a body 1.8 m wide and 4.8 m long stay '
                 f'{distance_of_cones(run):.2f} m inside the lanes; energy balance '
                 f'{short(run.certificate["energy"]["error"], 1)} J of {short(scale)} J', gap))
    run, gap = both_ways('multilink-ramp-steer')
    rows.append(('`multilink-ramp-steer`, 10 s at 20 m/s',
                 f'{end(run, "across"):.1f} m/s² at a yaw rate of {end(run, "yaw_rate"):.3f} rad/s', gap))
    run, gap = both_ways('van-ramp-steer')
    weight = 9.81 * ask('check', VEHICLES + 'manoeuvres/van-ramp-steer.yaml')['mass']
    load = sum(end(run, f'load_{a}_{b}') for a in ('front', 'rear') for b in ('left', 'right'))
    steady = end(run, 'across') / (math.hypot(end(run, 'forward'), end(run, 'forward') * math.tan(end(run, 'sideslip')))
                                   * end(run, 'yaw_rate'))
    rows.append(('`van-ramp-steer`, 12 s at 15 m/s',
                 f'{end(run, "across"):.2f} m/s², roll {abs(DEGREE * end(run, "roll")):.1f}°; wheel loads add up to {load:.1f} N, '
                 f'the weight is {weight:.1f} N; lateral acceleration over V Ω is {steady:.5f}', gap))
    run, gap = both_ways('van-circle')
    rows.append(('`van-circle`, 20 s at 12 m/s',
                 f'forward speed over yaw rate is {end(run, "forward") / end(run, "yaw_rate"):.1f} m on a circle of 50 m, the lasting '
                 'error of a driver by one point', gap))
    run, gap = both_ways('van-sine-steer')
    rows.append(('`van-sine-steer`, 6 s at 20 m/s, 0.7 Hz with 0.5 s dwell',
                 f'up to {largest(run["across"]):.1f} m/s², roll {DEGREE * largest(run["roll"]):.1f}°', gap))
    run, gap = both_ways('van-braking')
    half = len(run['time']) // 2
    front = run['load_front_left']
    rows.append(('`van-braking`, from 20 m/s',
                 f'{-run["along"][half]:.1f} m/s² after 2 s; front wheel loads from {1e-3 * front[0]:.1f} to {1e-3 * front[half]:.1f} kN', gap))
    print_table(('run', 'what is seen', 'difference'), [(a, b, f'{short(gap, 1)} m/s²') for a, b, gap in rows])


if __name__ == '__main__':
    main({f.__name__: f for f in (counts, multilink, paper, statics, loads, modes, motorcycle, manoeuvres, stairs, edges, penalties, whole, wheel,
                                  rig, times, runs)})

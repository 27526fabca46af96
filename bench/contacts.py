#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Machines with contacts by steps of 1 ms, compared with MuJoCo (peers_contacts.c): bench/contacts.py machines. A walking machine
# with 36 loops, a quadruped, and piles of balls (rigid-pile). Rigid contacts and `integrator: moreau` here; there the elliptic cone, and
# tendons of given length instead of rods. Rods have no mass, and the motor of the walker is a spring to the angle it is to have.
# bench/contacts.py reach: instructions of steps of compliant balls.
import math
import os
import re
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools', 'tables'))
from common import ARTICULA, WORK, ask, bench, main, output, print_table, skip  # noqa: E402

STEP = 1e-3
PACE = 3


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def rigid(text):
    """The text of a model with rigid contacts instead of compliant ones."""
    return re.sub(r'type: contact, (between: \[[^]]*\]).*?, friction', r'type: rigid-contact, \1, friction', text)


# ---- the walking machine ----------------------------------------------------------------------------

def meeting(a, ra, b, rb, side):
    """The point at the distances ra from a and rb from b, to the left of the way from a to b (side 1) or to its right."""
    d = math.dist(a, b)
    angle = math.atan2(b[1] - a[1], b[0] - a[0]) + side * math.acos((ra**2 + d**2 - rb**2) / (2 * ra * d))
    return a[0] + ra * math.cos(angle), a[1] + ra * math.sin(angle)


def walker_here():
    leg = rigid(read('models/contact/machines/parts/jansen-leg.yaml')).replace('type: rod, mass: 10 g', 'type: rod')
    machine = read('models/contact/machines/walker.yaml').replace('parts/jansen-leg', 'jansen-leg')
    machine = re.sub(r'drives:\n.*\n', 'forces:\n  motor: {type: joint-force, coordinate: turn.angle, value: '
                     '"= 30*(pace*(time - 0.3[s]*(1 - exp(-time/0.3[s]))) - turn.angle) - 0.5*turn.rate"}\n', machine)
    machine = machine.replace('start: 0 m', 'start: 0.2 m').replace('[1e-4, 1e-4, 1e-4]', '[2e-3, 2e-3, 2e-3]', 1)
    write('jansen-leg.yaml', leg)
    return write('walker.yaml', machine)


def body(name, at, parent, mass, com, inertia, inside):
    """A body of MJCF that is drawn in ground axes, with its joint at its origin."""
    pos = ' '.join(f'{a - b:.17g}' for a, b in zip(at, parent))
    centre = ' '.join(f'{a - b:.17g}' for a, b in zip(com, at))
    return (f'<body name="{name}" pos="{pos}"><inertial pos="{centre}" mass="{mass}" diaginertia="{inertia}"/>{inside}</body>')


def site(name, point, at):
    return f'<site name="{name}" pos="{" ".join(f"{a - b:.17g}" for a, b in zip(point, at))}"/>'


def leg_there(name, pin, crank, side, y, height):
    s, hinge = 4e-3, '<joint axis="0 1 0"/>'
    angle = crank if side > 0 else math.pi - crank
    p, b = (15 * math.cos(angle), 15 * math.sin(angle)), (-38, -7.8)
    top, low = meeting(p, 50, b, 41.5, -1), meeting(p, 61.9, b, 39.3, 1)
    back = meeting(top, 55.8, b, 40.1, -1)
    knee = meeting(back, 39.4, low, 36.7, -1)
    foot = meeting(knee, 65.7, low, 49, -1)

    def place(*points):
        n = len(points)
        return side * s * sum(q[0] for q in points) / n, y, height + s * sum(q[1] for q in points) / n

    hip, chassis = place(b), (0, 0, height)
    ball = f'<geom type="sphere" size="0.01" pos="{" ".join(f"{a - c:.17g}" for a, c in zip(place(foot), place(low)))}"/>'
    lower = body(f'{name}lower', place(low), hip, 0.04, place(low, knee, foot), '2e-4 2e-4 2e-4',
                 hinge + ball + site(f'{name}low', place(low), place(low)) + site(f'{name}knee', place(knee), place(low)))
    upper = body(f'{name}upper', hip, chassis, 0.03, place(top, back, b), '1e-4 1e-4 1e-4',
                 hinge + site(f'{name}top', place(top), hip) + site(f'{name}back', place(back), hip))
    link = body(f'{name}link', hip, chassis, 0.01, place(low, b), '2e-5 2e-5 2e-5', hinge + lower)
    rods = ((pin, f'{name}top'), (pin, f'{name}low'), (f'{name}back', f'{name}knee'))
    tendons = ''.join(f'<spatial name="{name}{k}"><site site="{a}"/><site site="{c}"/></spatial>' for k, (a, c) in enumerate(rods))
    return upper + link, tendons, ''.join(f'<tendon tendon1="{name}{k}"/>' for k in range(3))


def walker_there():
    height, start, parts = 0.3771, 0.2, ['', '', '']
    pins = ''
    for k, (phase, y) in enumerate(zip((0, 120, 240, 60, 180, 300), (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15))):
        crank = math.radians(phase)
        pins += f'<site name="pin{k}" pos="{0.06 * math.cos(crank):.17g} {y} {0.06 * math.sin(crank):.17g}"/>'
        for side in (1, -1):
            for j, text in enumerate(leg_there(f'l{k}{side}', f'pin{k}', crank, side, y, height)):
                parts[j] += text
    shaft = body('shaft', (0, 0, height), (0, 0, height), 0.2, (0, 0, height), '2e-3 2e-3 2e-3',
                 '<joint name="turn" axis="0 1 0" damping="0.5"/>' + pins)
    chassis = body('chassis', (start, 0, height), (0, 0, 0), 2, (start, 0, height), '0.05 0.02 0.05',
                   '<freejoint/>' + shaft + parts[0])
    logs = ''.join(f'<geom type="capsule" size="0.04 {half}" pos="{x} {y} -0.025" euler="90 0 0" contype="2" conaffinity="1"/>'
                   for x, y, half in ((0.42, 0.2, 0.15), (0.62, -0.2, 0.15), (0.85, 0, 0.3)))
    return write('walker.xml', f'''<mujoco><compiler angle="degree"/><default><geom friction="0.8" contype="1" conaffinity="2"/></default>
<worldbody><geom type="plane" size="5 5 1" contype="2" conaffinity="1"/>{logs}{chassis}</worldbody>
<tendon>{parts[1]}</tendon><equality>{parts[2]}</equality><actuator><position joint="turn" kp="30"/></actuator></mujoco>''')


# ---- the quadruped ----------------------------------------------------------------------------------

def quadruped_here():
    path = os.path.join(WORK, 'compliant.yaml')
    output(ARTICULA, 'import', 'models/import/quadruped.xml', '--contact', '-q', '-o', path)
    return write('quadruped.yaml', rigid(read(path)).replace('0.3714', '0.3715'))  # the feet begin above the floor


def quadruped_there():
    # MuJoCo 2.2.2 has no kv: the damping of the joints instead
    text = read('models/import/quadruped.xml')
    text = text.replace('0 0 0.3714', '0 0 0.3715')
    return write('quadruped.xml', text.replace(' kv="5"', '').replace('damping="0.1"', 'damping="5.1"'))


# ---- a pile -----------------------------------------------------------------------------------------

def places(n):
    """Balls of 50 mm in layers of 3 by 3 that do not lie above one another."""
    for k in range(n):
        layer, i, j = k // 9, k // 3 % 3 - 1, k % 3 - 1
        yield 0.12 * i + 0.004 * (layer % 3 - 1), 0.12 * j + 0.003 * (layer % 4 - 1.5), 0.06 + 0.11 * layer


WALLS = (('left', '[-0.19, 0, 0]', 'y', 90), ('right', '[0.19, 0, 0]', 'y', -90), ('front', '[0, -0.19, 0]', 'x', -90),
         ('back', '[0, 0.19, 0]', 'x', 90))


def pile_here(n):
    frames = ', '.join(f'{name}: {{position: {at}, orientation: {{axis: {axis}, angle: {angle} deg}}}}' for name, at, axis, angle in WALLS)
    lines = ['articula: 1', f'ground: {{frames: {{{frames}}}}}', 'bodies:']
    lines += [f'  b{k}: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}' for k in range(n)]
    lines += ['joints:'] + [f'  j{k}: {{type: free, from: ground, to: b{k}}}' for k in range(n)]
    lines += ['surfaces:', '  floor: {type: plane, body: ground}']
    lines += [f'  {wall[0]}: {{type: plane, body: ground.{wall[0]}}}' for wall in WALLS]
    lines += [f'  s{k}: {{type: sphere, body: b{k}, radius: 0.05}}' for k in range(n)]
    lines += ['forces: {touch: {type: rigid-pile, between: [all, all], friction: 0.5}}', 'initial:']
    lines += [f'  j{k}: {{x: {x:g}, y: {y:g}, z: {z:g}}}' for k, (x, y, z) in enumerate(places(n))]
    return write(f'pile{n}.yaml', '\n'.join(lines + ['outputs: {z: j0.z}', '']))


def pile_there(n):
    walls = ''.join(f'<geom type="plane" size="1 1 1" pos="{at.strip("[]").replace(",", "")}" '
                    f'euler="{f"0 {angle} 0" if axis == "y" else f"{angle} 0 0"}"/>' for _, at, axis, angle in WALLS)
    balls = ''.join(f'<body pos="{x:g} {y:g} {z:g}"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1e-3 1e-3 1e-3"/>'
                    '<geom type="sphere" size="0.05"/></body>' for x, y, z in places(n))
    return write(f'pile{n}.xml', '<mujoco><compiler angle="degree"/><option solver="CG"/><size njmax="6000" nconmax="2000"/>'
                 '<default><geom friction="0.5"/></default><worldbody><geom type="plane" size="1 1 1"/>'
                 f'{walls}{balls}</worldbody></mujoco>')


# ---- compliant balls --------------------------------------------------------------------------------

def compliant(n, is_piled, reads_all, floor_alone=False):
    """n balls of 100 mm that slide on a floor 250 mm apart, or lie on each other. With reads_all a force of zero reads every contact."""
    side = math.ceil(n ** (1 / 3)) if is_piled else math.ceil(math.sqrt(n))
    pace = 0.0999 if is_piled else 0.25
    lines = ['articula: 1', 'bodies:', '  aside: {mass: 1}'] + [f'  b{k}: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}' for k in range(n)]
    lines += ['joints:', '  slide: {type: prismatic, axis: x, from: ground, to: aside}']
    lines += [f'  j{k}: {{type: free, from: ground, to: b{k}}}' for k in range(n)]
    lines += ['surfaces:', '  floor: {type: plane, body: ground}']
    lines += [f'  s{k}: {{type: sphere, body: b{k}, radius: 0.05, group: balls}}' for k in range(n)]
    lines += [f'forces:\n  touch: {{type: contact, between: {"[floor, balls]" if floor_alone else "[all, all]"}, stiffness: 2e4, '
              'damping: 50, friction: 0.3}']
    gaps = [f"'touch/floor/s{k}'.gap" for k in range(n)] + [f"'touch/s{i}/s{k}'.gap" for i in range(n) for k in range(i + 1, n)]
    value = ' + '.join(gaps) if reads_all else '0[m]'
    lines += [f'  still: {{type: joint-force, coordinate: slide, value: "= 0[N/m]*({value})"}}', 'initial:']
    for k in range(n):
        i, j, layer = k % side, k // side % side, k // side**2 if is_piled else 0
        speed = 0 if is_piled else 0.1 * (k % 7 - 3)
        lines.append(f'  j{k}: {{x: {pace * i:g}, y: {pace * (j if is_piled else k // side):g}, z: {0.0495 + pace * layer:g}, vx: {speed:g}}}')
    return write(f'balls{n}.yaml', '\n'.join(lines + ['outputs: {x: j0.x}', '']))


def instructions_of_step(path, integrator):
    """Instructions of a step, by callgrind."""
    study = ('--integrator', integrator, '--until', '1 ms' if integrator == 'rk4' else '5 ms', '--interval', '1 s')
    study += ('--step', '0.1 ms') if integrator == 'rk4' else ()
    results = ('-o', os.path.join(WORK, 'results'))
    steps = ask('run', path, *study, *results)['steps']['accepted']
    told = subprocess.run(('valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--toggle-collect=relative_run_advance',
                           ARTICULA, 'run', path, *study, *results, '-q'), text=True, capture_output=True, check=False).stderr
    return int(re.search(r'Collected : (\d+)', told).group(1)) / steps


def reach():
    if not shutil.which('valgrind'):
        skip('valgrind is not installed')
    rows = []
    for is_piled, integrator in ((False, 'rk4'), (False, 'dopri5'), (True, 'rk4'), (True, 'dopri5')):
        for n in (10, 30, 1000) if integrator == 'rk4' and not is_piled else (10, 30):
            found = instructions_of_step(compliant(n, is_piled, False, n == 1000), integrator)
            every = instructions_of_step(compliant(n, is_piled, True), integrator) if n < 30 else 0
            where = 'piled' if is_piled else 'on the floor alone' if n == 1000 else 'on the floor'
            pairs = n if n == 1000 else n * (n + 1) // 2
            rows.append((f'{n:,}', where, integrator, f'{pairs:,}', f'{every / n / 1e3:,.0f}' if every else '–', f'{found / n / 1e3:,.0f}'))
    print_table(('balls', 'where', 'integrator', 'pairs', 'all pairs', 'those in reach'), rows)


# ---- the table --------------------------------------------------------------------------------------

def run_here(path, until):
    """The certificate of a run, and the CPU time that it took, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    certificate = ask('run', path, '--integrator', 'moreau', '--step', str(STEP), '--until', str(until), '--interval', '0.1',
                      '-o', os.path.join(WORK, 'results'))
    return certificate, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def rows_of(title, here, there, until, pace=0):
    _, start = run_here(here, STEP)
    certificate, end = run_here(here, until)
    loops = certificate['constraints']['position_residual']
    mujoco, penetration, drift = map(float, bench('contacts_mujoco', there, str(STEP), str(until), str(pace)).split()[:3])

    def row(engine, step, overlap, gap):
        micro = 1e6 * step
        return (title, engine, f'{micro:.0f} µs' if micro < 1e4 else f'{1e-3 * micro:.1f} ms', f'{overlap:.1e} m',
                f'{gap:.1e} m' if gap else '–')

    return [row('Articula', (end - start) / (until / STEP - 1), certificate['contacts']['overlap'], loops),
            row('MuJoCo', 1e-6 * mujoco, penetration, drift)]


def machines():
    rows = rows_of('walking machine, 36 loops', walker_here(), walker_there(), 1, PACE)
    rows += rows_of('quadruped', quadruped_here(), quadruped_there(), 2)
    for n in (27, 90, 300):
        rows += rows_of(f'pile of {n} balls', pile_here(n), pile_there(n), 1)
    print_table(('machine', 'engine', 'a step', 'penetration', 'loops open by'), rows)


if __name__ == '__main__':
    main({'machines': machines, 'reach': reach})

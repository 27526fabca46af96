#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Tables of the other documents: tyres, roads, the viewer, steering of steps, beginnings of bdf and adams.
import os

from common import ARTICULA, BUILD, WORK, Run, bench, main, output, print_table, short, skip


def tyres():
    """The agreement with others is what tests hold: the table stands if they pass."""
    for name in ('test_tyre_magic', 'test_tyre_models', 'test_tyre_contact', 'test_tyre_element'):
        output(os.path.join(BUILD, 'test', name))
    print_table(('against', 'agreement'), [('=', '=')] * 9)


def roads():
    """Nanoseconds of one evaluation."""
    found = dict(line.rsplit(None, 1) for line in bench('roads').splitlines())

    def ns(name, words=''):
        return f'{short(float(found[name]))} ns{words}'

    print_table(('road', 'function', 'second derivatives jump', 'time of one evaluation'), [
        ('=', '=', '=', time) for time in (
            ns('plane'), ns('bumps'), ns('stairs', ', 1000 steps'), ns('sweep'),
            f'{ns("random")}; {ns("random between tracks")} between the tracks', ns('table', ', 10 000 points'), '=', '=')])


def pages():
    """Sizes of pages of the viewer."""
    page = 'viewer/dist/index.html'
    if not os.path.exists(page):
        skip('the viewer is not built: npm')

    def megabytes(path):
        return f'{short(os.path.getsize(path) / 1e6)} MB'

    cells = [megabytes(page)]
    for name in ('iltis-bump', 'multilink-car'):
        result, html = os.path.join(WORK, name), os.path.join(WORK, f'{name}.html')
        output(ARTICULA, 'run', f'models/vehicles/{name}.yaml', '--until', '10 s', '--interval', '10 ms', '-q', '-o', result)
        output(ARTICULA, 'view', result, '--html', html)
        cells.append(megabytes(html))
    print_table(('what', 'measured', 'how'), [('=', cell, '=') for cell in cells] + [('=', '=', '=')])


def browsers():
    skip('GL=gl-egl npm run bench -- car.html many, in viewer/, on the machines that the table names')


def steering():
    """The effect of the constants of multi-index."""
    rows = []
    for option in ('safety=0.8', 'safety=0.2', 'growth=1.2', 'longest_step=1 ms', 'shortest_step=0.5 ms', 'leave_index3=1 ms',
                   'reductions=1', 'local_error=1e-6', 'energy_scale=100', 'energy_upper=1e-6'):
        run = Run('models/experiments/double-pendulum.yaml', '--study', 'variable', '--option', option)
        steps = run.certificate['steps']
        key, value = option.split('=')
        by_index1 = sum(1 for index in run['step.index'] if index == 1) / len(run['step.index'])
        rows.append((f'`{key}`', '=', value, steps['accepted'], steps['rejected'], f'{100 * by_index1:.1f} %',
                     f"{short(run.certificate['energy']['error'])} J"))
    print_table(('key', 'default', 'set to', 'steps', 'rejected', 'rows by index 1', 'energy error'), rows)


def beginnings():
    """Evaluations of bdf and adams, which samplers and events let begin anew."""
    rows = []
    for name, end in (('plant/van-abs', 0.5), ('plant/stewart-pid', 0.3), ('plant/inverted-pendulum', 2), ('plant/industrial-robot', 0.3),
                      ('puck', 5), ('tackle', 5), ('puma560', 1), ('vehicles/van', 1), ('pendulum', 10), ('benchmarks/andrews', 0.05)):
        row = ['=', '=']
        for integrator in ('bdf', 'adams'):
            run = Run(f'models/{name}.yaml', '--integrator', integrator, '--until', str(end))
            row += [f"{run.certificate['steps']['evaluations']:,}", '=']
        rows.append(row)
    print_table(('model, T', 'samplers, events', '`bdf` now', 'before', '`adams` now', 'before'), rows)


if __name__ == '__main__':
    main({f.__name__: f for f in (tyres, roads, pages, browsers, steering, beginnings)})

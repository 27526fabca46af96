#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Tables of the other documents: tyres, roads, the viewer.
import os

from common import ARTICULA, BUILD, WORK, bench, main, output, print_table, short, skip


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


if __name__ == '__main__':
    main({f.__name__: f for f in (tyres, roads, pages, browsers)})

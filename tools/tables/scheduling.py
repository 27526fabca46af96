#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The tables of doc/reports/scheduling.md, from what bench/schedule prints.

from common import bench, main, print_table

# operations of the thesis, as its uses imply them: inverse, forward, mass_bias of the systems of table 3.3
THESIS = {'planar pendulum, 5 bodies': (139, 433, 318), 'PUMA': (338, 831, 654), 'Stewart platform, massless legs': (136, 240, 187),
          'Stewart platform': (136, 240, 187), 'motorcycle, 14 joints': (640, 3090, 1956),
          'car, 16 joints': (671, 2927, 1838), 'bogie, 23 joints': (1168, 4892, 4017), 'car': (4815, 23050, 22074)}
NAMES = {'Stewart platform, legs without mass': 'Stewart platform, massless legs', 'car: multi-link here, Audi A6 there': 'car'}


def sections():
    """Rows of cells below each title of bench/schedule."""
    found, title = {}, ''
    for line in bench('schedule').splitlines():
        if not line.startswith('|'):
            title = line or title
        elif not line.startswith('|---'):
            found.setdefault(title, []).append([cell.strip() for cell in line.strip('|').split('|')])
    return found


def pick(found, *words):
    """Rows of the section whose title has all words, without its head."""
    return next(rows[1:] for title, rows in found.items() if all(word in title for word in words))


def systems_of(found):
    """Rows of table 3.3, which follow the last ring."""
    rows = found[list(found)[-1]]
    return [row for row in rows if len(row) == 15 and row[1] == 'classical']


def machines(found, products):
    classical = pick(found, 'classical', products)
    minimal = pick(found, 'minimal', products)
    print_table(('mul', 'add', 'thesis', 'list', 'use', 'earliest finish', 'minimal parameters'),
                [a[:6] + [b[5]] for a, b in zip(classical, minimal)])


def systems(found):
    rows, last = [], ''
    for row in systems_of(found):
        name = NAMES.get(row[0], row[0])
        function = ('inverse', 'forward', 'mass_bias').index(row[2])
        rows.append(['' if name == last else name, row[2], f'{row[3]} ({THESIS[name][function]})'] + row[4:10] + row[12:])
        last = name
    print_table(('system', 'function', 'operations', 'thesis: units', 'cycles', 'ours on these', 'ours: fewest units', 'cycles',
                 'use', 'best use', 'cycles', 'use'), rows)


def rings(found):
    rows = []
    for row in pick(found, 'classical', 'rings'):
        if row[0] in '14' or row[1] in '14':
            if row[1] == '1':
                row[3] = row[5] = row[7] = ''
            rows.append(row)
    print_table(('c', 'modules', 'thesis: cycles', 'gain', 'list, here', 'gain', 'transfers in view', 'gain'), rows)


def all_tables():
    found = sections()
    machines(found, 'products 1 cycle,')
    machines(found, 'products 3 cycles,')
    systems(found)
    rings(found)


if __name__ == '__main__':
    main({'all': all_tables})

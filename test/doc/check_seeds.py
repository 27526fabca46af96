#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# doc/reports/seeds.md against the five source documents, which lie beside the checkout where they are at hand: numbers that the page
# reports of a source stand there, numbers of the last column there or in their row, and every caption of a table or figure has a row.
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
import tables  # noqa: E402

SOURCES = os.path.join(tables.ROOT, '..', 'shared', 'seeds')
ORDER = ('000', '001', '002', '004', '003')  # of the tables on the page
CAPTION = re.compile(r'^\W*(TAB|Tab|Tabla|Table|FIG|Figura|Figure|Rys)\.? *(\d+(?:\.\d+)?)\w?(?=[ .:\n–—-])', re.M)
RANGE = re.compile(r'(tables?|figs?\.) ((?:\d+(?:\.\d+)?(?: to \d+(?:\.\d+)?)?(?:, )?)+)')

failures = []


def plain(number):
    return re.sub(r'[,\s  ]', '', number)


def numbers_of(text):
    """Numbers of a text in every way of writing them: 0,01 and 0.01, 425,128 and 425128."""
    found = set()
    for number in re.findall(r'\d[\d.,]*(?:[eE]-?\d+)?', text):
        number = number.rstrip('.,')
        found |= {number, plain(number), number.replace(',', '.')}
    return found


def words_of(cell):
    """A cell without code, addresses and links."""
    return re.sub(r'`[^`]*`|\]\([^)]*\)', ' ', cell)


def captions_of(places):
    """('table', '1.10') of all tables and figures that places name."""
    found = set()
    for kind, text in RANGE.findall(' ; '.join(places)):
        for part in text.strip(', ').split(', '):
            ends = part.split(' to ')
            chapter = ends[0].rsplit('.', 1)[0] + '.' if '.' in ends[0] else ''
            first, last = (int(end.rsplit('.', 1)[-1]) for end in (ends[0], ends[-1]))
            found |= {('table' if kind.startswith('table') else 'figure', f'{chapter}{k}') for k in range(first, last + 1)}
    return found


def check(table, source):
    with open(source, encoding='utf-8') as file:
        text = file.read()
    known = numbers_of(text)
    rows = [tables.cells(row) for row in table.rows[2:]]
    for row in rows:
        missing = numbers_of(words_of(row[1])) - known
        missing = {n for n in missing if plain(n) not in known and n.replace(',', '.') not in known}
        if missing:
            failures.append(f'{row[0]}: the source does not have {", ".join(sorted(missing))}')
        own = known | numbers_of(' '.join(row[:3]))
        unknown = {n for n in numbers_of(words_of(row[4])) if n not in own and plain(n) not in own}
        if unknown:
            failures.append(f'{row[0]}: {", ".join(sorted(unknown))} of the last column is neither in the source nor in the row')
    there = {('table' if kind.lower().startswith('tab') else 'figure', number) for kind, number in CAPTION.findall(text)}
    for kind, number in sorted(there - captions_of([row[0] for row in rows])):
        failures.append(f'{os.path.basename(source)}: {kind} {number} has no row')


page = os.path.join(tables.ROOT, 'doc', 'reports', 'seeds.md')
with open(page, encoding='utf-8') as file:
    found = tables.read_tables(file.read().split('\n'), page)
assert len(found) == len(ORDER), f'{page}: {len(found)} tables, {len(ORDER)} sources'
if not os.path.isdir(SOURCES):
    print('the source documents are not at hand: skipped')
    sys.exit(77)
for table, number in zip(found, ORDER):
    check(table, glob.glob(os.path.join(SOURCES, number + '*'))[0])
print('\n'.join(failures) or 'numbers and captions of the sources are on the page')
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Differences that tools/tables.py calls drift, and others that it does not.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
import tables  # noqa: E402

failures = []


def expect(agree, old, new, mark='command'):
    """Whether a document with the cell `old` stands where the command prints `new`."""
    head = ['| row | cell |', '|---|---|']
    table = tables.Table('page.md', 1, head + [f'| a | {old} |'], mark)
    outcome = tables.compare(table, head + [f'| a | {new} |'])
    if (not outcome.drifted and not outcome.problem) != agree:
        failures.append(f'"{old}" and "{new}" ({mark}) should {"agree" if agree else "differ"}')


expect(True, '5.4 mm', '5.4 mm')
expect(True, '5.4 mm', '5.5 mm')  # a unit of the last digit
expect(False, '5.4 mm', '5.6 mm')
expect(True, '5.4 mm', '5.6 mm', 'command; within 5%')
expect(False, '5.4 mm', '5.4 m')
expect(False, '800, 3', '800, 0')  # counts are exact
expect(False, '24 000', '25 000')
expect(True, '24 000', '24,000')
expect(False, '1e-12', 'nan', 'command; rounding 1e-9; within 50%')
expect(False, '3.8', 'inf', 'command; within 50%')
expect(False, '3.8', '-3.8', 'command; within 50%')
expect(True, '4e-15', '4e-14', 'command; rounding 1e-9')
expect(False, '4e-15', '4e-12', 'command; rounding 1e-9')
expect(False, '4e-15', '4e-14')
expect(False, '0.36', '1e-12', 'command; rounding 1e-9')
expect(True, '< 1e-15 m/s', '8e-16 m/s')
expect(False, '< 1e-15 m/s', '8e-15 m/s')
expect(True, 'published 3.7', '=')
expect(False, '', '3')
expect(True, '12 ms', '99 ms', 'command; times 2')
expect(True, '**291**', '291')
expect(True, '3.0e-3', '~2.1e-6')  # as far as the machine came
expect(False, '| 2', '2')  # another number of cells

unmarked = tables.Table('page.md', 1, ['| a |', '|---|', '| 3 |'], None)
if not tables.has_figures(unmarked) or not tables.check_marks([unmarked]):
    failures.append('a table of figures without a mark passes')
wrong = tables.Table('page.md', 1, ['| a |', '|---|', '| 3 |'], 'tools/tables/none.py x')
if not tables.check_marks([wrong]):
    failures.append('a mark with a command that does not exist passes')
print('\n'.join(failures) or 'drift is told from agreement')
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Repeats the tables of the documents and shows what has drifted.
#   tools/tables.py [--quick] [--long] [--update] [--times] [--list] [--build FOLDER] [WORD ...]
# WORDs choose tables whose document or command contains one of them. --quick repeats those that are marked
# so, and looks at the marks of all; --long adds those that take hours; --update writes what has drifted into the documents,
# times only with --times; --list prints the marks. FOLDER holds articula, bench/ and test/, by default build/release. Exit status 1:
# a figure has drifted, a command failed, or a table with figures has no mark.
#
# A mark stands in the line above its table:
#   <!-- table: COMMAND; within 5%; rounding 1e-9; exact 1 2; times 3 4; quick -->
# COMMAND is run in the root of the repository and prints tables in Markdown; of tables with the same command the first takes the
# first that is printed, and so on. A printed cell '=' stands for what the document has (published figures, words); one that begins
# with '~' depends on the speed of the machine and is treated as a time.
# Figures agree to the last digit of the document; beyond that
#   within T    figures agree to this part of their size
#   rounding S  figures below S are rounding errors and agree within a factor of 30
#   exact N..   columns, counted from 1, in which neither is allowed
#   times N..   columns that hold times or ratios of times: shown, never a failure
#   quick       belongs to the tests: takes a second or so and gives the same everywhere; QUICK=1 is set for the command
#   long        takes hours: repeated with --long alone
#   needs WHAT  cannot be repeated on every machine; skipped where the command ends with status 77
# Instead of a command `<!-- table: defines -->` marks a table that defines or describes: nothing in it is measured, and
# `<!-- tables: define -->` says so of all unmarked tables of a page. Guide and reference have no other tables and need no
# marks: what is measured is in the reports. Besides tables, calls `$ articula VERB ...` that a page shows
# with what they print are made again: each line must be printed, but for times and rounding errors.
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = re.compile(r'<!-- table: (.*?) -->')
NUMBER = re.compile(r'[-−+]?\d{1,3}(?:[  ,]\d{3})+(?![\d.])|[-−+]?\d+(?:\.\d+)?(?:[eE][-+−]?\d+)?')
SKIPPED = 77


class Table:
    """A table of a document: its rows, where it stands, and what its mark says."""

    def __init__(self, path, line, rows, mark):
        self.path, self.line, self.rows, self.mark = path, line, rows, mark
        self.columns = {'exact': set(), 'times': set()}
        self.within = self.rounding = 0.0
        self.flags, self.command = set(), None
        if mark and mark != 'defines':
            self.command, *words = [part.strip() for part in mark.split(';')]
            for word in words:
                self.read_word(word)

    def read_word(self, word):
        key, *values = word.split()
        if key == 'within':
            self.within = float(values[0].rstrip('%')) / (100 if values[0].endswith('%') else 1)
        elif key == 'rounding':
            self.rounding = float(values[0])
        elif key in self.columns:
            self.columns[key] = {int(v) - 1 for v in values}
        elif key in ('quick', 'long', 'needs'):
            self.flags.add(key)
        else:
            raise ValueError(f'{self.path}:{self.line}: the mark has the word "{word}", which is not known')

    def place(self):
        return f'{self.path}:{self.line}'


# ---- reading ------------------------------------------------------------------------------------

def cells(line):
    return [cell.strip() for cell in re.split(r'(?<!\\)\|', line.strip().strip('|'))]


def is_row(line):
    return line.startswith('|')


def read_tables(lines, path):
    """All tables of a text, with their marks."""
    tables, k = [], 0
    while k < len(lines):
        if not is_row(lines[k]):
            k += 1
            continue
        begin = k
        while k < len(lines) and is_row(lines[k]):
            k += 1
        above = lines[begin - 1].strip() if begin else ''
        mark = MARK.fullmatch(above)
        tables.append(Table(path, begin + 1, lines[begin:k], mark.group(1) if mark else None))
    return tables


def has_figures(table):
    """Whether a cell below the head holds a number outside of code and addresses."""
    text = ' '.join(table.rows[2:])
    text = re.sub(r'`[^`]*`|\]\([^)]*\)', ' ', text)
    return bool(re.search(r'\d', text))


def pages():
    return ['README.md', 'CONTRIBUTING.md'] + sorted(glob.glob('doc/**/*.md', recursive=True))


def read_documents():
    tables = []
    os.chdir(ROOT)
    for path in pages():
        with open(path, encoding='utf-8') as file:
            text = file.read()
        page = read_tables(text.split('\n'), path)
        defines = '<!-- tables: define -->' in text or path.startswith(('doc/guide/', 'doc/reference/'))
        for table in page:
            if table.mark is None and defines:
                table.mark = 'defines'
        tables += page
    return tables


# ---- comparing ----------------------------------------------------------------------------------

def number(text):
    return float(re.sub(r'[  ,]', '', text.replace('−', '-')))


def last_digit(text):
    """The value of one unit of the last digit of a printed number; of whole numbers 0."""
    match = re.fullmatch(r'[-−+]?\d+(?:\.(\d+))?(?:[eE]([-+−]?\d+))?', text)
    if not match or not (match.group(1) or match.group(2)):
        return 0.0
    return 10.0 ** (int((match.group(2) or '0').replace('−', '-')) - len(match.group(1) or ''))


def numbers_agree(old, new, table, column):
    a, b = number(old), number(new)
    if a == b:
        return True
    if column in table.columns['exact']:
        return False
    if abs(a) < table.rounding and abs(b) < table.rounding:
        return min(abs(a), abs(b)) * 30 >= max(abs(a), abs(b)) or max(abs(a), abs(b)) < 1e-14
    return abs(a - b) <= max(1.01 * max(last_digit(old), last_digit(new)), table.within * max(abs(a), abs(b)))


def words(cell):
    """The words of a cell besides its numbers."""
    return re.sub(r'[\s*]+', ' ', NUMBER.sub('#', cell)).strip()


def cells_agree(old, new, table, column):
    if new == '=':
        return True
    if old.startswith('<') and NUMBER.search(old) and NUMBER.search(new):
        return number(NUMBER.search(new).group()) < number(NUMBER.search(old).group())
    if words(old) != words(new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new))
    return all(numbers_agree(a, b, table, column) for a, b in pairs)


def time_ratio(old, new):
    """The measured time over that of the document, where both begin with a number."""
    a, b = NUMBER.search(old), NUMBER.search(new)
    return number(b.group()) / number(a.group()) if a and b and number(a.group()) != 0 else None


class Outcome:
    def __init__(self):
        self.drifted = []  # row, column, new cell
        self.times = []  # the same, of times
        self.ratios = []
        self.problem = None


def compare(table, printed):
    outcome = Outcome()
    if len(printed) != len(table.rows) or any(len(cells(a)) != len(cells(b)) for a, b in zip(table.rows, printed)):
        outcome.problem = (f'the command prints {len(printed)} rows of {len(cells(printed[0]))} cells, the document '
                           f'has {len(table.rows)} of {len(cells(table.rows[0]))}')
        return outcome
    for r, (old_row, new_row) in enumerate(zip(table.rows, printed)):
        if r == 1:
            continue
        for c, (old, new) in enumerate(zip(cells(old_row), cells(new_row))):
            if r > 1 and (c in table.columns['times'] or new.startswith('~')):
                new = new.lstrip('~')
                ratio = time_ratio(old, new) if c in table.columns['times'] else None
                if new != '=' and old != new:
                    outcome.times.append((r, c, new))
                if ratio is not None:
                    outcome.ratios.append(ratio)
            elif not cells_agree(old, new, table, c):
                outcome.drifted.append((r, c, new))
    return outcome


# ---- repeating ----------------------------------------------------------------------------------

class Commands:
    """Runs each command once and hands out its tables in the order in which documents ask for them."""

    def __init__(self, tables, options):
        self.order = {}
        for table in tables:
            if table.command:
                self.order.setdefault(table.command, []).append(table)
        self.printed = {}
        self.environment = dict(os.environ, BUILD=options.build, ARTICULA=os.path.join(options.build, 'articula'),
                                OPENBLAS_NUM_THREADS='1', LC_ALL='C.UTF-8')
        if options.quick:
            self.environment['QUICK'] = '1'

    def run(self, command):
        """Status, tables and last complaint of a command."""
        if command not in self.printed:
            done = subprocess.run(command, shell=True, executable='/bin/bash', env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            tables = [t.rows for t in read_tables(done.stdout.split('\n'), command)]
            self.printed[command] = done.returncode, tables, (done.stderr.strip().split('\n') or [''])[-1]
        return self.printed[command]

    def rows_for(self, table):
        """The rows that were printed for a table, or nothing."""
        status, printed, _ = self.run(table.command)
        place = self.order[table.command].index(table)
        return printed[place] if status == 0 and place < len(printed) else None

    def repeat(self, table):
        status, printed, complaint = self.run(table.command)
        if status == SKIPPED:
            return None
        rows = self.rows_for(table)
        if rows:
            return compare(table, rows)
        outcome = Outcome()
        outcome.problem = f'the command ended with status {status} and printed {len(printed)} tables: {complaint}'
        return outcome


def report(table, outcome, seconds):
    if outcome is None:
        print(f'skipped  {table.place()}: {table.command}')
        return False
    bad = bool(outcome.problem or outcome.drifted)
    ratios = ''
    if outcome.ratios:
        ratios = f'; times {min(outcome.ratios):.2g} to {max(outcome.ratios):.2g} of those printed'
    print(f'{"DRIFTED" if bad else "holds":8} {table.place()}: {table.command} ({seconds:.1f} s{ratios})')
    if outcome.problem:
        print(f'         {outcome.problem}')
    for r, c, new in outcome.drifted:
        row = cells(table.rows[r])
        print(f'         line {table.line + r}, "{row[0]}", column {c + 1} "{cells(table.rows[0])[c]}": '
              f'{row[c] or "nothing"}  ->  {new or "nothing"}')
    sys.stdout.flush()
    return bad


# ---- writing ------------------------------------------------------------------------------------

def row_of(row):
    return '|' + ''.join(f' {cell} |' if cell else ' |' for cell in row)


def whole_rows(table, printed, changes):
    """Changes of all figures in rows in which one has drifted, so that a row is of one measurement."""
    rows = {r for r, _, _ in changes}
    return [(r, c, new) for r in rows for c, new in enumerate(cells(printed[r]))
            if new != '=' and not new.startswith('~') and (r == 0 or c not in table.columns['times'])]


def replace_cells(table, changes):
    rows = [cells(row) for row in table.rows]
    for r, c, new in changes:
        rows[r][c] = f'**{new}**' if rows[r][c].startswith('**') and not new.startswith('*') else new
    changed = {r for r, _, _ in changes}
    return [row_of(rows[r]) if r in changed else row for r, row in enumerate(table.rows)]


def reshaped(table, printed, with_times):
    """Printed rows of another shape, with what the document has in the place of '=' and of times. Columns are known by their
    heads, rows by their places where there are as many as before, else by their first cells."""
    old = [cells(row) for row in table.rows]
    head = cells(printed[0])
    column = {c: old[0].index(name) for c, name in enumerate(head) if name in old[0]}
    result = [row_of(head), '|' + '---|' * len(head)]
    for r, row in enumerate(cells(row) for row in printed[2:]):
        if len(printed) == len(old):
            known = old[r + 2]
        else:
            known = next((other for other in old[2:] if other[0] == row[0] != ''), None)
        for c, k in column.items():
            is_time = k in table.columns['times'] or row[c].startswith('~')
            if known and (row[c] == '=' or is_time and not with_times):
                row[c] = known[k]
        result.append(row_of(cell.lstrip('~') for cell in row))
    return result


def update(changed):
    """Tables with their new rows, by document; from the last to the first, so that lines stay where they are."""
    for path in sorted({table.path for table, _ in changed}):
        with open(path, encoding='utf-8') as file:
            lines = file.read().split('\n')
        for table, rows in sorted(changed, key=lambda x: -x[0].line):
            if table.path == path:
                lines[table.line - 1:table.line - 1 + len(table.rows)] = rows
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines))
        print(f'wrote    {path}')


# ---- transcripts --------------------------------------------------------------------------------

CALL = re.compile(r'^    (?:\$ |build/release/)articula ((?:generate|run|check|split|schedule) .*)$')
TIMED = re.compile(r'in [\d.]+ [mµ]?s, [\d.]+ times real time')


def transcripts(path):
    """Calls of the command in a page with the lines that it prints: line, arguments, lines."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    for k, line in enumerate(lines):
        call = CALL.match(line)
        said = []
        while call and lines[k + 1 + len(said)].startswith('    ') and '^C' not in lines[k + 1]:
            said.append(lines[k + 1 + len(said)][4:])
        if said:
            yield k + 1, call.group(1), said


def stands_in(line, printed):
    """Whether a line is printed, up to rounding errors, and to times."""
    cell = Table('', 0, [], 'transcript; rounding 1e-8; within 0.1%')
    old = TIMED.sub('', line.strip())
    return any(cells_agree(old, TIMED.sub('', other.strip()), cell, 0) for other in printed)


def check_transcripts(program):
    """Every line that a page shows of a call is printed by it; a line of dots stands for any others."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, 'models'), os.path.join(folder, 'models'))
        for path in pages():
            for number_, arguments, said in transcripts(path):
                done = subprocess.run(f"'{program}' {arguments}", shell=True, cwd=folder, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, check=False)
                missing = [line for line in said if line != '...' and not stands_in(line, done.stdout.split('\n'))]
                print(f'{"DRIFTED" if missing else "holds":8} {path}:{number_}: articula {arguments}')
                for line in missing:
                    print(f'         is not printed: {line}')
                bad += bool(missing)
    return bad


# ---- the whole ----------------------------------------------------------------------------------

def check_marks(tables):
    bad = 0
    for table in tables:
        if table.mark is None and has_figures(table):
            print(f'UNMARKED {table.place()}: {table.rows[0]}')
            bad += 1
        elif table.command:
            program = table.command.split()[0].replace('$BUILD/', '')
            if not re.match(r'articula$|bench/|test/', program) and not os.path.exists(program):
                print(f'MISSING  {table.place()}: there is no {program}')
                bad += 1
    return bad


def chosen(table, options):
    if not table.command or options.quick and 'quick' not in table.flags or 'long' in table.flags and not options.long:
        return False
    return not options.words or any(word in table.path or word in table.command for word in options.words)


def main():
    parser = argparse.ArgumentParser(description='repeat the tables of the documents')
    for name in ('quick', 'long', 'update', 'times', 'list'):
        parser.add_argument('--' + name, action='store_true')
    parser.add_argument('--build', default='build/release')
    parser.add_argument('words', nargs='*')
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    tables = read_documents()
    bad = check_marks(tables)
    asked = [table for table in tables if chosen(table, options)]
    commands, changed, skipped = Commands(tables, options), [], 0
    for table in asked:
        if options.list:
            print(f'{table.place()}: {table.mark}')
            continue
        start = time.time()
        outcome = commands.repeat(table)
        bad += report(table, outcome, time.time() - start)
        if outcome is None:
            skipped += 1
        elif options.update and outcome.problem and commands.rows_for(table):
            changed.append((table, reshaped(table, commands.rows_for(table), options.times)))
        elif options.update:
            printed = commands.rows_for(table)
            changes = whole_rows(table, printed, outcome.drifted) + (outcome.times if options.times else [])
            if changes:
                changed.append((table, replace_cells(table, changes)))
    update(changed)
    if not options.list and not options.words:
        bad += check_transcripts(os.path.join(options.build, 'articula'))
    if not options.list:
        print(f'{len(asked)} tables, {skipped} skipped, {bad} with something to mend')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Functions that the programs that print tables share. Each is called by tools/tables.py as PROGRAM NAME, with BUILD and ARTICULA in the
# environment, and with QUICK=1 in the tests; alone it takes build/release.
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.environ.get('BUILD', 'build/release')
ARTICULA = os.environ.get('ARTICULA', os.path.join(BUILD, 'articula'))
QUICK = bool(os.environ.get('QUICK'))
WORK = tempfile.mkdtemp()

# the coordinates that are independent in the bogie BA2000 of the thesis, table 4.2, by the names of models/vehicles/bogie.yaml
BA2000 = ('x,y,z,yaw,roll,pitch,rear_yaw,rear_slide,travel_fl,fl/spin,travel_fr,fr/spin,travel_rr,rr/spin,'
          'travel_rl,rl/spin')


def skip(reason):
    """Status 77 says that the table cannot be repeated on this machine."""
    print(reason, file=sys.stderr)
    sys.exit(77)


def output(*command, **more):
    """The output of a program, which must succeed."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode != 0:
        print(f'{" ".join(command)}: status {done.returncode}: {done.stderr.strip()}', file=sys.stderr)
        sys.exit(1)
    return done.stdout


def bench(name, *arguments, **more):
    program = os.path.join(BUILD, 'bench', name)
    if not os.path.exists(program):
        skip(f'{program} is not built: make bench')
    return output(program, *arguments, **more)


def ask(verb, *arguments):
    """The JSON object that a verb prints."""
    return json.loads(output(ARTICULA, verb, *arguments, '--json'))


def model(text):
    """The path of a model file of these lines, next to models/."""
    path = os.path.join(WORK, f'model-{len(os.listdir(WORK))}.yaml')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


class Run:
    """A run of a model file: its certificate, and its columns by their names without units."""

    def __init__(self, path, *arguments):
        folder = tempfile.mkdtemp(dir=WORK)
        self.take(folder, ask('run', path, '-o', folder, *arguments))

    @classmethod
    def read(cls, folder, certificate):
        """Of a run that was made already; the folder goes."""
        run = cls.__new__(cls)
        run.take(folder, certificate)
        return run

    def take(self, folder, certificate):
        self.certificate = certificate
        with open(os.path.join(folder, 'results.csv'), encoding='utf-8', newline='') as file:
            rows = list(csv.reader(file))
        names = [name.rsplit(' [', 1)[0] for name in rows[0]]
        self.columns = {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}
        shutil.rmtree(folder)

    def __getitem__(self, name):
        return self.columns[name]


def largest(values):
    """The largest size, NaN if there is one."""
    most = 0.0
    for value in values:
        if not abs(value) <= most:
            most = abs(value)
    return most


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def short(value, digits=2):
    """0.36, 13, 4.0, 2.2e-3, 3e-12, 1.5e5: so many digits, in the form that is short."""
    mantissa, power = f'{value:.{digits - 1}e}'.split('e')
    if value == 0:
        return '0'
    if -3 < int(power) < 4:
        return f'{value:.{max(0, digits - 1 - int(power))}f}'
    return f'{mantissa}e{int(power)}'


def print_row(row):
    print('|' + ''.join(f' {cell} |' if cell != '' else ' |' for cell in row))


def print_table(head, rows):
    print_row(head)
    print('|' + '---|' * len(head))
    for row in rows:
        print_row(row)
    print()


def main(tables):
    """The table that the first argument names."""
    if len(sys.argv) != 2 or sys.argv[1] not in tables:
        print(f'usage: {sys.argv[0]} {"|".join(tables)}', file=sys.stderr)
        sys.exit(2)
    os.chdir(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    try:
        tables[sys.argv[1]]()
    finally:
        shutil.rmtree(WORK)

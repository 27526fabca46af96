#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Runs the example of every page of doc/reference/elements and compares what the page says of outputs with the results: each
# output of its table exists and has the unit of the table. The verdict of every run must be good.
#   test/doc/check_elements.py PATH/TO/articula [PAGE ...]
# A page with <!-- needs: function --> needs a program or library of the user; its example is only read.
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = 'doc/reference/elements/*.md'


def item_of(model, kind):
    """The name of the first item of a type."""
    return re.search(r'^  ?(?: *|.*?\{)([\w-]+): *(?:\{|\n +)type: ' + re.escape(kind) + r'\b', model, re.M).group(1)


def outputs_of(text, item):
    """Pairs of an output and its unit, from the table below the heading; None: a unit of its own."""
    part = re.search(r'^## Outputs\n(.*?)(?=^## )', text, re.M | re.S)
    found = []
    for outputs, meaning in re.findall(r'^\| (`NAME.*?) \| (.*) \|$', part.group(1) if part else '', re.M):
        for name, unit in re.findall(r'`(NAME[\w.]*)`(?: \[(.*?)\])?', outputs):
            unit = None if unit == 'its own' else unit
            found.append((name.replace('NAME', item), unit))
        found += [(f'{item}.{more}', unit) for more in re.findall(r'`(\w+)`', meaning.partition('also')[2])]
    return found


def problem_of(program, path, folder):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    model = re.search(r'^## Example\n\n```yaml\n(.*?)^```', text, re.M | re.S).group(1)
    kind = re.search(r'<!-- keys: \w+ ([\w-]+) -->', text).group(1)
    outputs = outputs_of(text, item_of(model, kind))
    name, results = os.path.join(folder, 'example.yaml'), os.path.join(folder, 'results')
    with open(name, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'^outputs:.*\n', '', model, flags=re.M))
        if outputs:
            file.write('outputs: [' + ', '.join(output for output, _ in outputs) + ']\n')
    if '<!-- needs: function -->' in text:
        done = subprocess.run([program, 'check', name], text=True, capture_output=True, check=False)
        return done.stderr if done.returncode else None
    done = subprocess.run([program, 'run', name, '-o', results, '--json'], text=True, capture_output=True, check=False)
    if done.returncode:
        return f'the example fails: {done.stdout}{done.stderr}'
    if json.loads(done.stdout)['verdict'] != 'good':
        return f"the verdict of the example is {json.loads(done.stdout)['verdict']}"
    with open(os.path.join(results, 'results.csv'), encoding='utf-8') as file:
        columns = file.readline().rstrip('\n').split(',')[1:]
    for (output, unit), column in zip(outputs, columns, strict=bool(outputs)):
        if unit is not None and column not in ((f'{output} [{unit}]',) if unit else (output, f'{output} [1]', f'{output} []')):
            return f"the table says '{output} [{unit}]', the results have '{column}'"
    return None


def main():
    program = os.path.abspath(sys.argv[1])
    os.chdir(ROOT)
    pages = sys.argv[2:] or sorted(path for path in glob.glob(PAGES) if not path.endswith('/README.md'))
    failures = 0
    for path in pages:
        with tempfile.TemporaryDirectory() as folder:
            problem = problem_of(program, path, folder)
        if problem:
            print(f'{path}: {problem}')
            failures += 1
    print(f'{len(pages)} pages, {failures} failures')
    return 1 if failures or not pages else 0


if __name__ == '__main__':
    sys.exit(main())

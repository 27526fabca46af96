#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Whether the module of the playground links, without building it: CMakeLists.txt beside this file leaves out sources that
# a page cannot use, and absent.c and throw.c answer in their place. No function that the module calls may stand only in a
# source that is left out.
#   tools/site/module/check.py BUILD [CC], where BUILD is a native build of the project
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
build = Path(sys.argv[1])
compiler = sys.argv[2] if len(sys.argv) > 2 else 'cc'


def symbols(paths):
    """Of each object file the names that it defines and the names that it needs."""
    text = subprocess.run(['nm', '-A', '-P', *paths], capture_output=True, text=True, check=True).stdout
    found = {str(path): (set(), set()) for path in paths}
    for path, name, kind in re.findall(r'^(.*?): (\w+) ([TDBRVWCU])\b', text, re.M):
        found[path][kind == 'U'].add(name)
    return found


left_out = [re.compile(rule.replace('\\\\', '\\')) for rule in
            re.findall(r'FILTER ours EXCLUDE REGEX "(.*)"\)', (HERE / 'CMakeLists.txt').read_text())]
inside, outside = [], []
for target in ('objects', 'show', 'verbs', 'command', 'schedule', 'units'):
    folder = build / f'CMakeFiles/articula_{target}.dir'
    for path in sorted(folder.rglob('*.c.o')):
        (outside if any(rule.search('/' + str(path.relative_to(folder))) for rule in left_out) else inside).append(path)
left = set().union(*(defined for defined, _ in symbols(outside).values()))
definer, needs = {}, {}
with tempfile.TemporaryDirectory() as work:
    for name in ('absent', 'throw'):
        inside.insert(0, f'{work}/{name}.o')
        subprocess.run([compiler, '-std=c11', '-w', '-D_POSIX_C_SOURCE=200809L', f'-I{ROOT}/include', f'-I{ROOT}/src', f'-I{ROOT}',
                        *(f'-iquote{ROOT}/cli/{room}' for room in ('', 'run', 'generate', 'export', 'study', 'view')), f'-I{build}', '-c', HERE / f'{name}.c', '-o', inside[0]], check=True)
    for path, (defined, needs[path]) in symbols(inside).items():
        definer.update({name: path for name in defined if name not in definer})

# files from which main can come to others
reached, waiting = set(), [definer['main']]
while waiting:
    path = waiting.pop()
    if path not in reached:
        reached.add(path)
        waiting += [definer[name] for name in needs[path] if name in definer]
missing = {(name, path) for path in reached for name in needs[path] if name in left and name not in definer}
for name, path in sorted(missing, key=str):
    print(f'{Path(path).stem} needs {name}, which the module leaves out: tools/site/module/absent.c must answer', file=sys.stderr)
print(f'{len(reached)} files in the module, {len(missing)} functions missing')
sys.exit(1 if missing else 0)

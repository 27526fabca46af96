#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A static function is found by its name: the name has two words at least and stands in one file of src, cli and show.
# Hooks stand in several: a header has the text that calls them, and each file that includes it defines them its own way.
import collections
import glob
import os
import re
import sys

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFINED = re.compile(r'^static (?:inline |_Noreturn )?[A-Za-z_][\w *]*?\b(\w+)\((?!\*)[^;{]*?\)\s*\{', re.M)


def read(pattern):
    for folder in ('src', 'cli', 'show'):
        for path in sorted(glob.glob(f'{folder}/**/{pattern}', recursive=True)):
            with open(path, encoding='utf-8') as file:
                yield path, file.read()


in_headers = {name for _, text in read('*.h') for name in re.findall(r'\b(\w+)\(', text)}
places = collections.defaultdict(set)
for path, text in read('*.c'):
    for name in DEFINED.findall(text):
        places[name].add(path)

problems = [f'{name} is one word; its name needs a subject: {" ".join(paths)}' for name, paths in places.items() if '_' not in name]
problems += [f'{name} stands in several files: {" ".join(sorted(paths))}' for name, paths in places.items()
             if '_' in name and len(paths) > 1 and name not in in_headers]
for problem in sorted(problems):
    print(problem, file=sys.stderr)
print(f'{len(places)} names of static functions, {len(problems)} that do not tell their subject')
sys.exit(1 if problems else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Does what the tutorials say, each in a fresh folder, and compares what is printed.
#   test/doc/check_tutorials.py --build FOLDER [PAGE ...]      FOLDER holds articula and python/
#   test/doc/check_tutorials.py --write FOLDER                 FOLDER/PAGE/... gets the files that the pages end with;
#                                                              with --build also all that the commands of the pages write
#
# A comment before a fenced block of a page says what the block is:
#   <!-- file: NAME -->       the file NAME of the reader
#   <!-- sections: NAME -->   sections of the model file NAME that replace those of the same name or are new;
#                             'NAME without SECTION' takes one away
#   <!-- status: N -->        a console block whose last command ends with this exit status
# Blocks of the language `console` are commands after '$ ' and lines that they print, in this order; '...' stands for any lines.
# Figures agree to 0.1 %, times are not compared. A page with <!-- needs: python --> waits for a build with the Python package.
# <!-- live: NAME --> names the model that the site shows live on the page.
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
import tables  # noqa: E402

BLOCK = re.compile(r'(?:<!-- (?P<kind>file|sections|status): (?P<name>[\w./-]+)(?: without (?P<without>\w+))? -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$', re.M | re.S)
SECTION = re.compile(r'^(?=[a-z])', re.M)


def merge_sections(old, new, without):
    """The model file `old` with the top-level sections of `new`, without one of its own."""
    def parts(text):
        return {part.split(':')[0]: part for part in SECTION.split(text) if part.strip()}
    merged = parts(old)
    merged.update(parts(new))
    merged.pop(without, None)
    return ''.join(part if part.endswith('\n') else part + '\n' for part in merged.values())


def commands_of(text):
    """Pairs of a command and the lines that it prints."""
    found = []
    for line in text.rstrip('\n').split('\n'):
        if line.startswith('$ '):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def missing_lines(shown, printed):
    """Lines of a page that are not printed in their order."""
    missing, place = [], 0
    for line in shown:
        if line == '...' or not line.strip():
            continue
        at = next((k for k in range(place, len(printed)) if line == printed[k] or tables.stands_in(line, [printed[k]])), None)
        if at is None:
            missing.append(line)
        else:
            place = at + 1
    return missing


class Tutorial:
    def __init__(self, path, environment, folder):
        self.path, self.environment, self.folder = path, environment, folder
        self.problems = []
        with open(path, encoding='utf-8') as file:
            self.text = file.read()

    def write(self, name, text, is_merged, without):
        target = os.path.join(self.folder, name)
        if is_merged:
            with open(target, encoding='utf-8') as file:
                text = merge_sections(file.read(), text, without)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'w', encoding='utf-8') as file:
            file.write(text)

    def run(self, line, call, shown, status):
        done = subprocess.run(['bash', '-c', call], cwd=self.folder, env=self.environment, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != status:
            self.problems.append(f'{self.path}:{line}: {call}: exit status {done.returncode}\n{done.stdout}')
            return
        for text in missing_lines(shown, done.stdout.split('\n')):
            self.problems.append(f'{self.path}:{line}: {call} does not print: {text}\n{done.stdout}')

    def follow(self, with_commands):
        for block in BLOCK.finditer(self.text):
            line = self.text.count('\n', 0, block.start()) + 1
            if block['kind'] in ('file', 'sections'):
                self.write(block['name'], block['text'], block['kind'] == 'sections', block['without'])
            elif block['language'] == 'console' and with_commands:
                calls = commands_of(block['text'])
                for k, (call, shown) in enumerate(calls):
                    self.run(line, call, shown, int(block['name']) if block['kind'] == 'status' and k == len(calls) - 1 else 0)


def main():
    parser = argparse.ArgumentParser(description='follow the tutorials')
    parser.add_argument('--build')
    parser.add_argument('--write')
    parser.add_argument('pages', nargs='*')
    options = parser.parse_args()
    os.chdir(tables.ROOT)
    pages = options.pages or sorted(glob.glob('doc/guide/tutorials/[!R]*.md') + glob.glob('doc/guide/coming-from/[!R]*.md'))
    problems = []
    with tempfile.TemporaryDirectory() as work:
        environment = dict(os.environ, LC_ALL='C.UTF-8', OPENBLAS_NUM_THREADS='1', XDG_CACHE_HOME=os.path.join(work, 'cache'))
        if options.build:
            build = os.path.abspath(options.build)
            os.makedirs(os.path.join(work, 'bin'))
            os.symlink(os.path.join(build, 'articula'), os.path.join(work, 'bin', 'articula'))
            environment.update(PATH=f'{work}/bin:/usr/bin:{os.environ["PATH"]}', PYTHONPATH=os.path.join(build, 'python'))
        for path in pages:
            name = os.path.splitext(os.path.basename(path))[0]
            folder = os.path.join(options.write or work, name)
            os.makedirs(folder, exist_ok=True)
            tutorial = Tutorial(path, environment, folder)
            has_python = options.build and glob.glob(os.path.join(options.build, 'python', 'articula', '_articula*'))
            tutorial.follow(options.build and (has_python or '<!-- needs: python -->' not in tutorial.text))
            problems += tutorial.problems
    print('\n'.join(problems) or f'{len(pages)} tutorials do what they say')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())

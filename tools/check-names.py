#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Whether what the documents name exists: links with their anchors, files, functions of the public headers, verbs and options of
# the command, programs of test/ and bench/; and whether the models that they show are accepted.
#   tools/check-names.py PATH/TO/articula
# Names with *, ..., KIND or NAME stand for several, of which one must exist.
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ('src', 'test', 'tools', 'bench', 'models', 'doc', 'examples', 'include', 'cli', 'viewer', 'schema', 'cmake', 'python')
# options of other programs, and of simulators that are generated
FOREIGN = {'--preset', '--headless', '--no-pdf-header-footer', '--print-to-pdf', '--method', '--until', '--interval', '--step',
           '--tolerance', '--quick', '--update', '--times', '--long', '--list', '--build', '--write', '--cflags', '--libs', '--coverage', '--install', '--component', '--prefix'}
problems = []


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def say(path, text, position, message):
    problems.append(f'{path}:{text.count(chr(10), 0, position) + 1}: {message}')


# ---- links --------------------------------------------------------------------------------------

def anchors(text):
    """Those that GitHub makes of headings."""
    found = set()
    for heading in re.findall(r'^#+ +(.*)$', re.sub(r'```.*?```', '', text, flags=re.S), re.M):
        name = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
        found.add(re.sub(r'[^\w\- ]', '', name).replace(' ', '-'))
    return found


def check_links(path, text):
    for match in re.finditer(r'\]\(([^)\s]+)\)', text):
        target = match.group(1)
        if re.match(r'[a-z]+:', target):
            continue
        name, _, anchor = target.partition('#')
        file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(file):
            say(path, text, match.start(), f'the link {target} leads nowhere')
        elif anchor and file.endswith('.md') and anchor not in anchors(read(file)):
            say(path, text, match.start(), f'{file} has no heading for #{anchor}')


# ---- functions ----------------------------------------------------------------------------------

def public_functions():
    text = ''.join(re.sub(r'//.*', '', read(header)) for header in glob.glob('include/articula/*.h'))
    return set(re.findall(r'\b(art_[a-z0-9_]+) *\(', text))


def check_functions(path, text, functions):
    for match in re.finditer(r'\bart_[a-z0-9_]+(\*|KIND|NAME)?', text):
        name = match.group().removesuffix(match.group(1) or '')
        exists = any(f.startswith(name) for f in functions) if match.group(1) else name in functions
        if not exists:
            say(path, text, match.start(), f'there is no public function {match.group()}')


def check_lesson():
    """The README shows the first example as it is."""
    text = read('README.md')
    code = re.search(r'```c\n(.*?)```', text, re.S)
    if not code or code.group(1).strip() not in read('examples/01_pendulum.c'):
        say('README.md', text, code.start() if code else 0, 'the code is not that of examples/01_pendulum.c')


def check_decisions():
    """The index names every record."""
    text = read('doc/decisions/README.md')
    for path in sorted(glob.glob('doc/decisions/[0-9]*.md')):
        if f']({os.path.basename(path)})' not in text:
            say('doc/decisions/README.md', text, len(text), f'the list has no line for {path}')


# ---- files --------------------------------------------------------------------------------------

def file_exists(name):
    name = re.sub(r'…|\.\.\.|\b(?:KIND|NAME|FILE|MODEL)\b', '*', name)
    return any(glob.glob(path) for path in (name, name + '.c', name + '.yaml', 'viewer/' + name))


def check_files(path, text):
    pattern = r'(?<![\w/.$<-])((?:' + '|'.join(FOLDERS) + r')/[\w./*…-]*[\w/*])'
    for match in re.finditer(pattern, text):
        if 'chrono_models' not in match.group() and 'dist/' not in match.group() and not file_exists(match.group()):
            say(path, text, match.start(), f'there is no file {match.group()}')


def check_programs(path, text):
    for match in re.finditer(r'\bbuild/\w+/(bench|test)/(\w+)|`(test_\w+)(?:\.c)?`', text):
        folder, name = ('test', match.group(3)) if match.group(3) else match.group(1, 2)
        if not glob.glob(f'{folder}/{name}.c') and not glob.glob(f'{folder}/*/{name}.c'):
            say(path, text, match.start(), f'there is no program {folder}/{name}')


# ---- the command --------------------------------------------------------------------------------

def options_of_verbs(program):
    """The options that the help of each verb lists."""
    def help_of(*verb):
        return subprocess.run([program, 'help', *verb], text=True, capture_output=True, check=True).stdout

    verbs = re.findall(r'^  (?!articula)([a-z]+) ', help_of(), re.M)
    return {verb: set(re.findall(r'--[a-z0-9-]+', help_of(verb))) for verb in verbs}


def check_calls(path, text, verbs):
    """Calls of the command, in code: `articula VERB ... --option`."""
    for match in re.finditer(r'(?:(?<=[`$ /])|^)(?<!import )articula ([a-z]+)\b(?!/)((?: (?!#)[^\s`|#]+)*)', text, re.M):
        verb, rest = match.groups()
        if not code_at(text, match.start()):
            continue
        if verb not in verbs and verb not in ('help', 'completion'):
            say(path, text, match.start(), f"articula has no verb '{verb}'")
            continue
        for option in re.findall(r'(?<=\s)--[a-z][a-z0-9-]*', rest):
            if option not in verbs.get(verb, ()):
                say(path, text, match.start(), f'articula {verb} has no option {option}')


def code_at(text, position):
    """Whether a place is in a code span or an indented line."""
    line = text[text.rfind('\n', 0, position) + 1:position]
    return line.startswith('    ') or line.count('`') % 2 == 1


def check_options(path, text, verbs):
    known = set().union(*verbs.values()) | FOREIGN
    for match in re.finditer(r'`[^`\n]*`', text):
        for option in re.findall(r'(?<![\w-])--[a-z][a-z0-9-]*', match.group()):
            if option not in known:
                say(path, text, match.start(), f'no verb has the option {option}')


# ---- models -------------------------------------------------------------------------------------

def check_models(path, text, program):
    """Whole models of the README and of the guide are models: indented lines that begin with `articula: 1`."""
    for match in re.finditer(r'^    articula: 1\n(?:(?:    .*)?\n)*', text, re.M):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
            file.write(re.sub(r'^    ', '', match.group(), flags=re.M))
            file.flush()
            done = subprocess.run([program, 'check', file.name], text=True, capture_output=True, check=False)
        if done.returncode != 0:
            say(path, text, match.start(), f'the model is refused: {done.stderr.strip()}')


# ---- the whole ----------------------------------------------------------------------------------

def main():
    if len(sys.argv) != 2:
        sys.exit(f'usage: {sys.argv[0]} PATH/TO/articula')
    program = os.path.abspath(sys.argv[1])
    verbs = options_of_verbs(program)
    os.chdir(ROOT)
    functions = public_functions()
    check_lesson()
    check_decisions()
    documents = ['README.md', 'CONTRIBUTING.md'] + sorted(glob.glob('doc/**/*.md', recursive=True))
    for path in documents:
        text = read(path)
        check_links(path, text)
        check_functions(path, text, functions)
        check_files(path, text)
        check_programs(path, text)
        check_calls(path, text, verbs)
        check_options(path, text, verbs)
        if path == 'README.md' or path.startswith('doc/guide/'):
            check_models(path, text, program)
    check_links('CHANGELOG.md', read('CHANGELOG.md'))
    for path in sorted(glob.glob('include/articula/*.h') + glob.glob('examples/*.c')):
        text = read(path)
        check_functions(path, text, functions)
        check_files(path, text)
    print('\n'.join(problems) or f'{len(documents)} documents, {len(functions)} functions, {len(verbs)} verbs: all names exist')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())

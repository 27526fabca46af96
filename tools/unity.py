#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Join C sources to batches that compile as one file each:
#   tools/unity.py FOLDER SIZE SOURCE ...
# writes FOLDER/1.c and so on, each of which includes at most SIZE sources, and prints the files that are to be compiled:
# batches, and the sources that stay alone. No source of a batch mentions a name that another one of it defines for
# itself, and macros end with their source: so every source means what it means alone.
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROOTS = ('src', 'include', '.')
FREE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')  # comments and texts
WORD = re.compile(r'[A-Za-z_]\w*')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.M)
GUARD = re.compile(r'^#ifndef (\w+)\n#define \1$', re.M)
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.M)
SCALAR = re.compile(r'^#define ART_(?:SYMBOLIC|DUAL)', re.M)
COMPLEX = re.compile(r'^#include <(?:complex|lapacke|cblas)\.h>', re.M)  # `I` is a macro there
ENUM = re.compile(r'^(?:typedef )?(?:static )?(?:const )?enum\b[^{;]*\{([^}]*)\}', re.M)
TYPE = re.compile(r'^\} (\w+)|^(?:typedef )?(?:struct|union|enum) (\w+) \{|^typedef [^{;]*?(\w+)\)?(?:\([^;]*\))?;', re.M)
STATIC = re.compile(r'^(?:__attribute__\S.* |_Noreturn |inline )*(?:static|_Thread_local|_Atomic)\b([^;={]*)', re.M)


def own_names(text):
    """Names that a source defines at its outermost level for itself."""
    names = set()
    for body in ENUM.findall(text):
        names.update(re.findall(r'(?:^|,)\s*(\w+)', body))
    for groups in TYPE.findall(text):
        names.update(groups)
    for declaration in STATIC.findall(text):
        pointer = re.search(r'\(\*(?:const )?(\w+)', declaration)
        function = re.match(r'[\w\s*]*?(\w+)\s*\(', declaration)
        if pointer or function:
            names.add((pointer or function)[1])
        else:
            names.update(re.findall(r'(\w+)\s*(?:\[[^\]]*\]\s*)*(?:,|$)', declaration))
    return names - {'', 'struct', 'union', 'enum'}


class Headers:
    """Which headers a source sees."""

    def __init__(self, top):
        self.top, self.seen, self.scalar, self.known = top, {}, {}, {}

    def find(self, name, beside):
        for folder in (beside, *(self.top / root for root in ROOTS)):
            if (folder / name).is_file():
                return folder / name
        return None

    def once(self, path, names):
        """Headers without a guard among those that a source includes itself."""
        found = {self.find(name, path.parent) for name in names} - {None}
        return {header for header in found if not GUARD.search(header.read_text())}

    def words(self, path):
        if path not in self.known:
            self.known[path] = set(WORD.findall(FREE.sub(' ', path.read_text()))) if path.suffix == '.h' else set()
        return self.known[path]

    def scalars(self, path):
        if path not in self.scalar:
            text = path.read_text()
            self.scalar[path] = {path} if SCALAR.search(text) else {'complex'} if COMPLEX.search(text) else set()
        return self.scalar[path]

    def of(self, path, text=None):
        if path not in self.seen:
            self.seen[path] = {path}
            text = path.read_text() if text is None else text
            for _, name in INCLUDE.findall(text):
                header = self.find(name, path.parent)
                if header:
                    self.seen[path] = self.seen[path] | self.of(header)
        return self.seen[path]


class Source:
    def __init__(self, path, headers):
        self.path = path
        text = path.read_text()
        includes = list(INCLUDE.finditer(text))
        macros = [(found.start(), found[1]) for found in DEFINE.finditer(text)]
        last = includes[-1].start() if includes else 0
        # includes of texts, and of headers that look at macros of this source
        self.alone = any(found[2].endswith('.c') for found in includes) or any(start < last for start, _ in macros)
        self.macros = sorted({name for _, name in macros})
        self.system = frozenset(found[2] for found in includes if found[1] == '<')
        self.scalar = frozenset().union(*map(headers.scalars, headers.of(path)))
        text = FREE.sub(' ', text)
        once = headers.once(path, [found[2] for found in includes])
        self.own = own_names(text) | once
        self.words = set(WORD.findall(text)).union(once, *map(headers.words, headers.of(path)))


class Batch:
    def __init__(self, source):
        self.sources, self.scalar = [], source.scalar
        self.own, self.words = set(), set()
        self.add(source)

    def takes(self, source, size):
        return (len(self.sources) < size and self.scalar == source.scalar
                and not self.own & source.words and not self.words & source.own)

    def add(self, source):
        self.sources.append(source)
        self.own |= source.own
        self.words |= source.words

    def text(self):
        lines = []
        for source in self.sources:
            lines.append(f'#include "{source.path}"')
            lines.extend(f'#undef {macro}' for macro in source.macros)
        return '\n'.join(lines) + '\n'


def main(folder, size, *paths):
    folder = pathlib.Path(folder)
    top = pathlib.Path(__file__).resolve().parent.parent
    headers = Headers(top)
    batches, alone = [], []
    for path in sorted(map(pathlib.Path, paths)):
        source = Source(path, headers)
        if source.alone:
            alone.append(path)
            continue
        for batch in batches:
            if batch.takes(source, int(size)):
                batch.add(source)
                break
        else:
            batches.append(Batch(source))

    folder.mkdir(parents=True, exist_ok=True)
    for i, batch in enumerate(batches, 1):
        file = folder / f'{i}.c'
        # an unchanged batch keeps its time
        if not file.exists() or file.read_text() != batch.text():
            file.write_text(batch.text())
        print(file)
    print(*alone, sep='\n')


main(*sys.argv[1:])

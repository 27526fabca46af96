#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Proves the layers of the sources.

The list "Who includes whom" of doc/tour.md names the folders of src/, and show/ next to the library, from the lowest
to the highest. This program checks that
  - the list says of every folder exactly which others its files include, all of which stand above it in the list;
  - no function calls upward: each symbol that an object file needs is defined in its own folder or in one above it
    in the list (with --build, which names a build folder);
  - show/ calls nothing of the library but its public interface, base/ and the folders that it lists;
  - within a folder no files include each other in a circle, where x.c and x.h count as one file;
  - no two source files have one name, whatever their folders;
  - poses of links in ground are read through the functions that know whether they are up to date.
Includes of the symbolic build alone are left out. --circles also shows files of one folder that call each other.
"""
import argparse
import collections
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Upward calls and circles that are still to be removed: function by calling folder, files in circles by folder.
# Neither list may grow.
KNOWN_CALLS = {}
KNOWN_CIRCLES = {}

complaints = 0


def complain(text):
    global complaints
    complaints += 1
    print(text, file=sys.stderr)


def listed_layers():
    """Folders in the order of doc/tour.md, each with the set of folders that it includes."""
    section = (ROOT / "doc/tour.md").read_text().split("\n## Who includes whom\n")[1].split("\n## ")[0]
    return {name: set(re.findall(r"[a-z]+", others))
            for name, others in re.findall(r"^    ([a-z]+) +(.*)$", section, re.M)}


def sources():
    return sorted(path.relative_to(ROOT) for top in ("src", "show") for path in (ROOT / top).rglob("*.[ch]"))


def included_paths(source):
    """Paths in quotes that a file includes, but for includes of the symbolic build alone; lowered text is the file itself."""
    symbolic = False
    for line in (ROOT / source).read_text().splitlines():
        if line.startswith("#ifdef ART_SYMBOLIC"):
            symbolic = True
        elif line.startswith(("#else", "#endif")):
            symbolic = False
        match = re.match(r'#include "(.*)"', line)
        if match and not symbolic:
            yield match[1].removeprefix("lowered/")


def folder_of(path):
    """Its name in the list: src/tree is "tree"; show, which is next to the library, is "show"."""
    return path.parts[1] if path.parts[0] == "src" else path.parts[0]


def path_of(folder):
    return folder if folder == "show" else f"src/{folder}"


def circles(edges):
    """Strongly connected components of more than one member, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in edges.get(v, ()):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            members = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(members) > 1:
                found.append(sorted(members))

    sys.setrecursionlimit(10000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def check_includes(layers):
    order = list(layers)
    included = collections.defaultdict(set)
    for source in sources():
        included[folder_of(source)].update(path.split("/")[0] for path in included_paths(source) if "/" in path)
    for name in sorted(set(order) | set(included)):
        found = included[name] - {name, "base", "articula"}
        if name not in layers:
            complain(f"doc/tour.md, 'Who includes whom', does not list {path_of(name)}, which includes "
                     f"{', '.join(sorted(found)) or 'no other folder'}")
        elif found != layers[name]:
            complain(f"doc/tour.md, 'Who includes whom', lists {', '.join(sorted(layers[name])) or '-'} for {path_of(name)}, "
                     f"but its files include {', '.join(sorted(found)) or '-'}")
        for other in sorted(found & set(order)):
            if name in layers and order.index(other) >= order.index(name):
                complain(f"{path_of(name)} includes {path_of(other)}, which does not stand above it in doc/tour.md")


def check_include_circles():
    edges = collections.defaultdict(set)
    for source in sources():
        for path in included_paths(source):
            target = Path(path) if path.startswith("show/") else Path("src") / path
            if (ROOT / target).exists() and target.with_suffix("") != source.with_suffix(""):
                edges[source.with_suffix("")].add(target.with_suffix(""))
    count = collections.Counter()
    for members in circles(edges):
        count[folder_of(members[0])] += len(members)
    for name, number in sorted(count.items()):
        if number > KNOWN_CIRCLES.get(name, 0):
            complain(f"{path_of(name)}: {number} files include each other in circles, more than the "
                     f"{KNOWN_CIRCLES.get(name, 0)} that are known:")
            for members in circles(edges):
                if folder_of(members[0]) == name:
                    complain("  " + " ".join(str(m) for m in members))
    for name, number in KNOWN_CIRCLES.items():
        if count[name] < number:
            print(f"{path_of(name)} has {count[name]} files in circles of includes now: lower KNOWN_CIRCLES in {sys.argv[0]}")


def object_files(build):
    """Object files with the source of each; the embedded texts are declared by emit/write/template.h."""
    for target in ("articula_objects", "articula_ranks", "articula_schedule", "articula_show"):
        folder = build / f"CMakeFiles/{target}.dir"
        for path in sorted(folder.rglob("*.o")):
            name = str(path.relative_to(folder))[:-2]
            source = Path("src/emit/write/template.c" if name == "embedded_text.c" else name)
            if (ROOT / source).exists():
                yield path, source


def symbols(build, nm):
    """Definitions (symbol to source) and needs (source to symbols) of all object files."""
    source_of = {str(path): source for path, source in object_files(build)}
    if not source_of:
        sys.exit(f"{sys.argv[0]}: {build} holds no object files of the library: build it first")
    defined, needed = {}, collections.defaultdict(set)
    text = subprocess.run([nm, "-A", "-P", *source_of], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        path, symbol, kind = line.split()[:3]
        source = source_of[path.rstrip(":")]
        if kind == "U":
            needed[source].add(symbol)
        elif kind.isupper():
            defined[symbol] = source
    return defined, needed


def check_calls(layers, build, nm, show_circles):
    order = list(layers)
    defined, needed = symbols(build, nm)
    calls = [(source, defined[symbol], symbol) for source in sorted(needed) for symbol in sorted(needed[source])
             if symbol in defined and defined[symbol] != source]
    used = collections.defaultdict(set)
    for caller, callee, symbol in calls:
        here, there = folder_of(caller), folder_of(callee)
        if here == "show" and there not in {"show", "base"} | layers["show"] and not symbol.startswith("art_"):
            complain(f"{caller} calls {symbol} of {callee}: show knows the public interface of the library alone")
        if here == there or not {here, there} <= set(order) or order.index(there) < order.index(here):
            continue
        used[here].add(symbol)
        if symbol not in KNOWN_CALLS.get(here, ()):
            complain(f"{caller} calls {symbol} of {callee}: {path_of(there)} does not stand above {path_of(here)} in doc/tour.md")
    for name, known in KNOWN_CALLS.items():
        for symbol in sorted(known - used[name]):
            print(f"{path_of(name)} no longer calls {symbol}: take it out of KNOWN_CALLS in {sys.argv[0]}")
    edges = collections.defaultdict(set)
    for caller, callee, symbol in calls:
        edges[caller].add(callee)
    for members in circles(edges):
        if len({folder_of(m) for m in members}) > 1 or show_circles:
            print(f"{len(members)} files call each other in circles: {' '.join(str(m) for m in members)}")
    print(f"{len(calls)} calls between {len(needed)} object files")


def check_poses():
    """Where links are, how they move and accelerate is read through tree_in_ground, tree_motion and tree_body, which
    know whether it is up to date; recursive_branch.c and branch_messages.c write it, branch by branch."""
    readers = [ROOT / name for name in ("src/natural", "src/method", "src/loop", "src/study", "src/force", "src/data", "show", "cli")]
    pattern = re.compile(r"(->|\.)(world|vel)\[|\b(tree|t)(->|\.)body\[")
    for path in sorted(p for folder in readers for p in folder.rglob("*.[ch]")):
        if path.name in ("recursive_branch.c", "branch_messages.c"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if pattern.search(line):
                complain(f"{path.relative_to(ROOT)}:{number}: reads poses, velocities or accelerations that may belong "
                         "to another state: use tree_in_ground, tree_motion or tree_body")


def check_names():
    first = {}
    for path in sorted(p for folder in ("src", "show", "cli") for p in (ROOT / folder).rglob("*.[ch]")):
        if first.setdefault(path.name, path) != path:
            complain(f"{path.relative_to(ROOT)} has the name of {first[path.name].relative_to(ROOT)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="build folder with the object files of the library")
    parser.add_argument("--nm", default="nm", help="program that lists the symbols of object files")
    parser.add_argument("--circles", action="store_true", help="show files of one folder that call each other")
    arguments = parser.parse_args()
    layers = listed_layers()
    check_includes(layers)
    check_include_circles()
    check_poses()
    check_names()
    if arguments.build:
        check_calls(layers, arguments.build, arguments.nm, arguments.circles)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

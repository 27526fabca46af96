#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The public interface as pages: C from the comments of include/articula, Python from the docstrings of python/articula.

  tools/site/api.py FOLDER     writes FOLDER/api/c/*.md and FOLDER/api/python/*.md, which tools/site/documents.mjs renders
  tools/site/api.py --check    exit status 1: a public function or type of C has no entry, a public name of Python no docstring

A block of a header is a comment and the declarations below it, up to an empty line; its page shows both. Names of the interface
are links to their blocks.
"""
import ast
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "include/articula"
PACKAGE = ROOT / "python/articula"
NAME = re.compile(r"\b(?:art_[a-z0-9_]+|art[A-Z]\w*|ART_[A-Z0-9_]+)\b")
PAGE = re.compile(r"\bdoc/[\w/.-]*\w")


# ---- headers ------------------------------------------------------------------------------------

def header_order():
    """Headers in reading order, as articula.h includes them, then those of libraries of their own."""
    listed = re.findall(r'#include "articula/(\w+)\.h"', (HEADERS / "articula.h").read_text(encoding="utf-8"))
    others = sorted(path.stem for path in HEADERS.glob("*.h") if path.stem not in (*listed, "articula"))
    return listed + others


def blocks_of(text):
    """Pairs of a comment and the code below it, and titles of sections as (title, None)."""
    body = text[text.index("#define ARTICULA"):]
    for part in re.split(r"\n\s*\n", body):
        lines = [line for line in part.split("\n") if line.strip() and not re.match(r"#(define ARTICULA_\w+$|include|if|endif|else)|extern \"C\"|}$|// clang-format", line)]
        while lines and (title := re.match(r"//---- (.*?) -+$", lines[0])):
            yield title.group(1), None
            lines = lines[1:]
        count = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
        if lines:
            yield "\n".join(line[2:].removeprefix(" ") for line in lines[:count]), "\n".join(lines[count:])


def names_of(code):
    """Functions and types that a block declares, enumerators and macros only where it has nothing else."""
    bare = re.sub(r"//.*", "", code)
    functions = re.findall(r"\b(art_[a-z0-9_]+) ?\(", bare)
    types = re.findall(r"\b(?:struct|enum) (art\w+) *\{", bare) + re.findall(r"^typedef\b[^{;(]*?\*?\b(art\w+)(?:\(|;)", bare, re.M)
    macros = re.findall(r"^#define (\w+)", bare, re.M)
    return list(dict.fromkeys(functions or types or macros)), list(dict.fromkeys([*functions, *types, *macros, *re.findall(r"\bART_[A-Z0-9_]+\b", bare)]))


def heading_of(names):
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def slug(text, used):
    """The anchor that the site gives a heading."""
    plain = re.sub(r"[^\w\s-]", "", text.lower()).strip().replace(" ", "-")
    used[plain] = used.get(plain, -1) + 1
    return f"{plain}-{used[plain]}" if used[plain] else plain


def read_headers():
    """For each header its introduction and a list of entries (kind, heading, comment, code); and the place of each name."""
    pages, places = {}, {}
    for header in header_order():
        text = (HEADERS / f"{header}.h").read_text(encoding="utf-8")
        intro = "\n".join(line[2:].removeprefix(" ") for line in text.split("\n#ifndef")[0].split("\n")[3:])
        entries, used = [], {}
        slug(f"articula/{header}.h", used)
        for comment, code in blocks_of(text):
            if code is None:
                entries.append(("section", comment, "", ""))
                slug(comment, used)
                continue
            shown, declared = names_of(code)
            heading = heading_of(shown)
            entries.append(("entry" if heading else "text", heading, comment, code))
            if heading:
                anchor = slug(heading, used)
                for name in declared:
                    places.setdefault(name, (header, anchor))
        pages[header] = (intro, entries)
    return pages, places


# ---- Markdown -----------------------------------------------------------------------------------

def link_names(text, page, places):
    """Names of the interface as code with links, pages of the documents as links; all else is plain."""
    def replace(match):
        word = match.group()
        if word.startswith("doc/"):
            path = ROOT / word
            return f"[{word}](../../{word}{'/README.md' if path.is_dir() else ''})" if path.exists() else word
        place = places.get(word)
        return f"[`{word}`]({place[0] + '.md' if place[0] != page else ''}#{place[1]})" if place else f"`{word}`"
    parts, end = [], 0
    for match in re.finditer(f"`[^`]*`|{PAGE.pattern}|{NAME.pattern}", text):
        parts += [re.sub(r"([*_\\<>\[\]|])", r"\\\1", text[end:match.start()]), match.group() if match.group().startswith("`") else replace(match)]
        end = match.end()
    return "".join(parts) + re.sub(r"([*_\\<>\[\]|])", r"\\\1", text[end:])


def prose(comment, page, places):
    """Paragraphs, lists and, where lines are indented, code."""
    out = []
    for line in comment.split("\n"):
        is_code = line.startswith("  ") and not (out and out[-1].startswith("- "))
        if is_code and out and not out[-1].startswith("    ") and out[-1]:
            out.append("")
        if not is_code and out and out[-1].startswith("    ") and line.strip():
            out.append("")
        out.append("    " + line if is_code else link_names(line, page, places))
    return "\n".join(out)


def write_c(folder):
    pages, places = read_headers()
    index = ["# C interface", "", "`#include \"articula/articula.h\"` includes all headers, which are listed in reading order. [Examples](../../examples) show them at work.", "", "| header | contents |", "|---|---|"]
    folder.mkdir(parents=True, exist_ok=True)
    for header, (intro, entries) in pages.items():
        out = [f"# articula/{header}.h", "", prose(intro, header, places), ""]
        for kind, heading, comment, code in entries:
            if kind == "section":
                out += [f"## {heading[0].upper() + heading[1:]}", ""]
                continue
            out += [f"### {heading}", ""] if kind == "entry" else []
            out += [prose(comment, header, places), ""] if comment else []
            out += ["```c", code.replace("ART_API ", ""), "```", ""] if code else []
        (folder / f"{header}.md").write_text("\n".join(out), encoding="utf-8")
        index.append(f"| [articula/{header}.h]({header}.md) | {link_names(summary(intro), '', {})} |")
    (folder / "README.md").write_text("\n".join(index) + "\n", encoding="utf-8")


# ---- Python -------------------------------------------------------------------------------------

def is_property(node):
    return any(isinstance(d, ast.Name) and d.id in ("property", "cached_property") for d in node.decorator_list)


def bare(annotation):
    """An annotation without the quotes that it may have in the source."""
    return ast.parse(annotation.value, mode="eval").body if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) else annotation


def signature(node, name):
    """A call, lines of at most 100 characters where it is longer; the value of a property."""
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
        if argument and argument.annotation:
            argument.annotation = bare(argument.annotation)
    arguments = re.sub(r"^(self|cls)(, /)?(, )?", "", ast.unparse(node.args))
    result = ast.unparse(bare(node.returns)) if node.returns else "None"
    call = f"{name}{'' if is_property(node) else f'({arguments})'}{f' -> {result}' if result != 'None' else ''}"
    whole = re.sub(r" (\||->) ", "\0\\1\0", call).replace(": ", ":\0")  # lines end between arguments
    return "\n".join(textwrap.wrap(whole, 100, subsequent_indent=" " * (len(name) + 1), break_long_words=False, break_on_hyphens=False)).replace("\0", " ")


def docstring(node):
    """A docstring as Markdown: paragraphs with columns are code, stars plain."""
    paragraphs = textwrap.dedent(ast.get_docstring(node) or "").split("\n\n")
    plain = [re.sub(r"(`[^`]*`)|\*", lambda m: m.group(1) or r"\*", text) for text in paragraphs]
    return "\n\n".join(textwrap.indent(text, "    ") if re.search(r"\S {2,}\S", text) else text if text.startswith("    ") else other
                       for text, other in zip(paragraphs, plain))


def summary(text):
    """The first sentence, without its end."""
    return re.split(r"(?<=[^.][.:])\s", " ".join(text.split("\n\n")[0].split()))[0].rstrip(".:")


# Classes that users meet without their names: what methods return, and all sections of a builder.
RETURNED = ("Certificate", "Comparison", "Energy", "Frame", "Report")
SECTIONS = ("Section", "Shapes")


def read_package():
    """The package, its modules with their public classes and functions, and public names that no module defines."""
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.glob("*.py"))}
    public = next(ast.literal_eval(node.value) for node in trees["__init__"].body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    modules = []
    for module, tree in trees.items():
        nodes = [node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
                 and (node.name in (*public, *RETURNED) or isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) and base.id in SECTIONS for base in node.bases))]
        if nodes and module != "__init__":
            modules.append((module, tree, nodes))
    classes = {node.name: node for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    missing = set(public) - {node.name for _, _, nodes in modules for node in nodes}
    return trees["__init__"], modules, classes, missing


def methods_of(node, classes):
    """Public methods, then those of bases in the package; the first of a name counts."""
    own = [m for m in node.body if isinstance(m, ast.FunctionDef) and (not m.name.startswith("_") or m.name in ("__getitem__", "__setitem__", "__call__", "__len__", "__init__"))]
    inherited = [m for base in node.bases if isinstance(base, ast.Name) and base.id in classes for m in methods_of(classes[base.id], classes)]
    names = {m.name for m in own}
    return own + [m for m in inherited if m.name not in names]


def write_python(folder):
    package, modules, classes, _ = read_package()
    folder.mkdir(parents=True, exist_ok=True)
    index = ["# Python interface", "", docstring(package), "", "[The guide](../../doc/guide/python.md) shows how it is used.", "", "| name | what |", "|---|---|"]
    for module, tree, nodes in modules:
        out = [f"# articula: {module}", "", docstring(tree), ""]
        for node in nodes:
            out += [f"## {node.name}", ""]
            if isinstance(node, ast.FunctionDef):
                out += ["```python", signature(node, node.name), "```", "", docstring(node), ""]
            else:
                out += [docstring(node), ""]
                for method in methods_of(node, classes):
                    shown = node.name if method.name == "__init__" else method.name
                    out += [f"### {node.name}.{method.name}" if method.name != "__init__" else f"### {node.name}()", "", "```python", signature(method, shown), "```", "", docstring(method), ""]
            index.append(f"| [`{node.name}`]({module}.md#{node.name.lower()}) | {summary(docstring(node))} |")
        (folder / f"{module}.md").write_text("\n".join(out), encoding="utf-8")
    (folder / "README.md").write_text("\n".join(index) + "\n", encoding="utf-8")


# ---- test ---------------------------------------------------------------------------------------

def problems():
    pages, places = read_headers()
    for path in HEADERS.glob("*.h"):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for name in {*re.findall(r"\b(art_[a-z0-9_]+) *\(", text), *re.findall(r"(?:struct|enum) (art\w+) *\{", text)}:
            if name not in places:
                yield f"{path.name}: {name} has no entry"
            elif not any(name in code for _, _, _, code in pages[places[name][0]][1]):
                yield f"{path.name}: {name} is not shown"
    _, modules, _, missing = read_package()
    for name in sorted(missing):
        yield f"articula.{name} is public and defined in no module"
    for module, _, nodes in modules:
        for node in nodes:
            if not ast.get_docstring(node):
                yield f"{module}.py: {node.name} has no docstring"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        found = list(problems())
        print("\n".join(found) or "every public name has an entry")
        return 1 if found else 0
    folder = Path(sys.argv[1]) / "api"
    write_c(folder / "c")
    write_python(folder / "python")
    return 0


if __name__ == "__main__":
    sys.exit(main())

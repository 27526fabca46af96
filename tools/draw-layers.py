#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Draws the layers of the sources: doc/images/layers.svg.

The includes are read from the sources, as tools/check-layers.py reads them; the words in the boxes come from the
section "Folders" of doc/tour.md. A folder stands one row above the highest folder that it includes. An arrow leads to
each included folder that no other included folder includes already; base, which serves all, has none.

  tools/draw-layers.py           write the picture
  tools/draw-layers.py --check   exit status 1: the picture is out of date (make test)
"""
import collections
import importlib.util
import re
import sys
import textwrap
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "doc/images/layers.svg"
WIDTH, BOX, TALL, ROW, TOP = 1060, 196, 58, 84, 56
LANES = {  # name: colours of box and frame, title, first and last x
    "tools": ("#eef1f4", "#8a94a0", "tools without mechanics", 20, 230),
    "machine": ("#e3eef9", "#3f7fbf", "the machine by numbers", 258, 682),
    "equations": ("#fbeee0", "#d1701f", "its equations as text and code", 710, 1040),
}


def load_check_layers():
    spec = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check-layers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- the graph ----------------------------------------------------------------------------------

def read_includes():
    """Folders with the set of folders that they include, the command among them."""
    check = load_check_layers()
    includes = {name: set() for name in check.listed_layers()}
    for source in check.sources():
        name = check.folder_of(source)
        found = {path.split("/")[0] for path in check.included_paths(source) if "/" in path}
        includes.setdefault(name, set()).update(found & set(check.listed_layers()))
    for name in includes:
        includes[name] -= {name, "base"}
    includes["cli"] = {name for name in includes if name != "base"}
    return includes


def closure(includes):
    """All folders below each folder."""
    below = {}

    def visit(name):
        if name not in below:
            below[name] = set()
            for other in includes[name]:
                below[name] |= {other} | visit(other)
        return below[name]

    for name in includes:
        visit(name)
    return below


def reduce_edges(includes, below):
    """Includes that do not follow from others."""
    return {name: sorted(o for o in others if not any(o in below[p] for p in others)) for name, others in includes.items()}


def rank_rows(includes, reduced):
    """Rows from the bottom: as low as possible, then tools as high as the folders that use them allow."""
    row = {}

    def visit(name):
        if name not in row:
            row[name] = 1 + max((visit(o) for o in includes[name]), default=0)
        return row[name]

    for name in includes:
        visit(name)
    row["base"] = 0
    users = collections.defaultdict(list)
    for name, others in reduced.items():
        for other in others:
            users[other].append(name)
    for name in includes:
        if not includes[name] and name not in ("base", "spatial") and users[name]:
            row[name] = min(row[u] for u in users[name]) - 1
    return row


def lane_of(name, includes, below):
    if name == "sym" or ("sym" in below[name] and "method" not in below[name] | {name}):
        return "equations"
    if name == "base" or (not includes[name] and name != "spatial"):
        return "tools"
    return "machine"


# ---- the picture --------------------------------------------------------------------------------

def describe():
    """The words for each folder, from doc/tour.md."""
    section = (ROOT / "doc/tour.md").read_text().split("\n## Folders\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^    (?:src/)?([a-z]+)/ +(.*)$", section, re.M))


def two_lines(text, width):
    """As many words as fit into two lines of a box, up to a comma where some are left over."""
    room = int((width - 8) / 6.1)
    lines = textwrap.wrap(text, room)
    if len(lines) > 2:
        whole = " ".join(lines[:2])
        lines = textwrap.wrap(re.sub(r"[,:;][^,:;]*$", "", whole) if re.search(r"[,:;]", whole) else whole, room)
    return lines[:2]


def place(includes, below, row):
    """Left edge, top and width of each box. A lane has its boxes of one row side by side, each near those that it includes."""
    groups = collections.defaultdict(list)
    for name in includes:
        groups[(row[name], lane_of(name, includes, below))].append(name)
    highest = max(row.values())
    spot = {}
    for (r, lane), names in sorted(groups.items()):
        left, right = LANES[lane][3:]
        names.sort(key=lambda n: sum(spot[o][0] for o in includes[n] if o in spot) / max(1, len(includes[n])))
        wide = min(BOX, (right - left) // len(names) - 8)
        for k, name in enumerate(names):
            middle = left + (right - left) * (2 * k + 1) / (2 * len(names))
            spot[name] = (round(middle - wide / 2), TOP + ROW * (highest - r), wide)
    bottom = TOP + ROW * highest
    spot["base"] = (LANES["tools"][3], bottom, WIDTH - 2 * LANES["tools"][3])
    return spot, bottom + TALL + 20


def draw_arrow(spot, name, other):
    x0, y0 = spot[name][0] + spot[name][2] / 2, spot[name][1] + TALL
    x1, y1 = spot[other][0] + spot[other][2] / 2, spot[other][1]
    bend = max(20, min(60, (y1 - y0) / 2))
    return f'<path d="M{x0:g} {y0:g}C{x0:g} {y0 + bend:g} {x1:g} {y1 - bend:g} {x1:g} {y1 - 3:g}"/>'


def draw_box(name, x, y, wide, colours, text):
    lines = [f'<text x="{x + wide / 2:g}" y="{y + 35 + 14 * k}">{escape(line)}</text>' for k, line in enumerate(two_lines(text, wide))]
    return "\n".join([f'<rect x="{x}" y="{y}" width="{wide}" height="{TALL}" rx="6" fill="{colours[0]}" stroke="{colours[1]}"/>',
                      f'<text x="{x + wide / 2:g}" y="{y + 18}" class="n">{name}</text>'] + lines)


def draw():
    includes = read_includes()
    below = closure(includes)
    reduced = reduce_edges(includes, below)
    row = rank_rows(includes, reduced)
    spot, height = place(includes, below, row)
    words = describe()
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
           "<style>text{font:10.5px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#4a5058;text-anchor:middle}"
           ".n{font-weight:bold;font-size:14px;fill:#1c2630}.t{font-size:13px;fill:#57606a}"
           "path{fill:none;stroke:#9aa5b1;stroke-width:1.4;marker-end:url(#a)}</style>",
           '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
           '<polygon points="0 0 8 4 0 8" fill="#9aa5b1"/></marker></defs>',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    for colour, frame, title, left, right in LANES.values():
        out.append(f'<rect x="{left - 10}" y="10" width="{right - left + 20}" height="{height - 20}" rx="10" fill="{colour}" fill-opacity="0.35"/>')
        out.append(f'<text x="{(left + right) / 2:g}" y="34" class="t">{title}</text>')
    out += [draw_arrow(spot, name, other) for name, others in reduced.items() for other in others]
    for name in includes:
        out.append(draw_box(name, *spot[name], LANES[lane_of(name, includes, below)], words.get(name, "")))
    return "\n".join(out + ["</svg>", ""])


def main():
    text = draw()
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text() != text:
            sys.exit("doc/images/layers.svg is out of date: run tools/draw-layers.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Write python/notebooks/NAME.ipynb from python/tutorials/NAME.py, for every tutorial.

A tutorial is a Python program whose cells begin with `# %%`, or with `# %% [markdown]` where its lines are comments.
Notebooks have no outputs, and the same cells have the same ids every time. With --check the notebooks are compared.
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES, NOTEBOOKS = ROOT / "python/tutorials", ROOT / "python/notebooks"


def lines_of(text: str) -> list[str]:
    """Lines as notebooks have them, each with its end but for the last."""
    return text.splitlines(keepends=True)


def cells(source: str) -> list[dict]:
    """Cells of a program; what stands before the first one is left out."""
    parts = re.split(r"^# %%(.*)\n", source, flags=re.M)
    found = []
    for number, (mark, text) in enumerate(zip(parts[1::2], parts[2::2]), 1):
        text = text.strip("\n")
        cell = {"cell_type": "code", "id": f"cell-{number}", "metadata": {}}
        if mark.strip() == "[markdown]":
            text = re.sub(r"^# ?", "", text, flags=re.M)
            cell["cell_type"] = "markdown"
        else:
            cell.update(execution_count=None, outputs=[])
        found.append({**cell, "source": lines_of(text)})
    return found


def notebook(source: str) -> str:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": cells(source), "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4,
               "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    made = {path.stem: notebook(path.read_text(encoding="utf-8")) for path in sorted(SOURCES.glob("*.py"))}
    there = {path.stem: path.read_text(encoding="utf-8") for path in NOTEBOOKS.glob("*.ipynb")}
    if "--check" in sys.argv[1:]:
        old = sorted(name for name in {*made, *there} if made.get(name) != there.get(name))
        sys.exit(f"out of date, run tools/write-notebooks.py: {', '.join(old)}" if old else 0)
    NOTEBOOKS.mkdir(exist_ok=True)
    for name in {*there} - {*made}:
        (NOTEBOOKS / f"{name}.ipynb").unlink()
    for name, text in made.items():
        (NOTEBOOKS / f"{name}.ipynb").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

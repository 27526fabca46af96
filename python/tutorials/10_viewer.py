# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The viewer: a run as one page. In a notebook run.show() is enough; here a file takes its place."""
import tempfile
from pathlib import Path

import articula as art

MODELS = Path(__file__).resolve().parents[2] / "models"

run = art.load(MODELS / "loops/four-bar.yaml").run(until=1, progress=False)
with tempfile.TemporaryDirectory() as folder:
    page = Path(folder) / "four-bar.html"
    try:
        run.page(page)
        print(f"a page of {page.stat().st_size / 1e6:.1f} MB: open it in any browser")
        assert "application/x-articula-scene" in page.read_text(encoding="utf-8")
    except art.FileError as error:
        print(error)  # make viewer builds the page

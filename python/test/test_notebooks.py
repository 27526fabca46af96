# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The notebooks are those of the tutorials, and files as Jupyter reads them. notebook.py runs them."""
import json
import re
import subprocess
import sys
import unittest

from support import ROOT, TestCase

NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))


class Files(TestCase):
    def test_they_are_written_from_the_tutorials(self):
        done = subprocess.run([sys.executable, ROOT / "tools/write-notebooks.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path.stem for path in NOTEBOOKS], [path.stem for path in sorted((ROOT / "python/tutorials").glob("*.py"))])
        self.assertEqual(len(NOTEBOOKS), 10)

    def test_form(self):
        for path in NOTEBOOKS:
            content = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((content["nbformat"], content["nbformat_minor"]), (4, 5))
            ids = [cell["id"] for cell in content["cells"]]
            self.assertEqual(len(set(ids)), len(ids))
            for cell in content["cells"]:
                self.assertRegex(cell["id"], "^[a-zA-Z0-9-_]{1,64}$")
                code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
                self.assertEqual(set(cell), {"cell_type", "id", "metadata", "source"} | code)
                self.assertTrue(all(line.endswith("\n") for line in cell["source"][:-1]) and not cell["source"][-1].endswith("\n"))
            self.assertTrue("".join(content["cells"][0]["source"]).startswith("# "), path)
            self.assertEqual(content["cells"][-1]["cell_type"], "markdown")

    def test_the_list_of_them(self):
        text = (ROOT / "python/notebooks/README.md").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.findall(r"\]\((\S+?\.ipynb)\)", text)), [path.name for path in NOTEBOOKS])


if __name__ == "__main__":
    unittest.main()

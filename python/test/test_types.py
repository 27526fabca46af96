# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Types and texts are complete: the stubs tell what the extension module has, functions say what they take and give, and all that
users see has a docstring."""
import ast
import importlib.util
import inspect
import os
import subprocess
import sys
import unittest
from pathlib import Path

import articula as art
from articula import _articula
from support import ROOT, TestCase

PACKAGE = ROOT / "python/articula"


def functions(tree):
    """All functions of a module with the class around them, or None; those within functions are left out."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            yield from ((node, part) for part in node.body if isinstance(part, ast.FunctionDef))


class Stubs(TestCase):
    def setUp(self):
        tree = ast.parse((PACKAGE / "_articula.pyi").read_text(encoding="utf-8"))
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}

    def test_functions_and_types(self):
        own = {name: value for name, value in vars(_articula).items() if not name.startswith("__")}
        self.assertEqual({name for name, value in own.items() if isinstance(value, type)}, set(self.classes))
        self.assertEqual({name for name, value in own.items() if not isinstance(value, type)}, set(self.functions))

    def test_members_of_types(self):
        for name, node in self.classes.items():
            told = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            told |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            has = {word for word in vars(getattr(_articula, name)) if not word.startswith("__")}
            self.assertEqual(has, {word for word in told if not word.startswith("__")}, name)

    def test_numbers_of_arguments(self):
        """A call with one argument more than the stub allows is refused as a wrong call."""
        for name, node in self.functions.items():
            arguments = node.args.posonlyargs + node.args.args
            with self.assertRaises(TypeError, msg=name):
                getattr(_articula, name)(*[None] * (len(arguments) + 1))


class Annotations(TestCase):
    def test_every_function_says_what_it_takes_and_gives(self):
        for path in PACKAGE.glob("*.py"):
            for owner, node in functions(ast.parse(path.read_text(encoding="utf-8"))):
                what = f"{path.name}:{node.lineno} {node.name}"
                self.assertIsNotNone(node.returns, what)
                arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs + [node.args.vararg, node.args.kwarg]
                is_static = any(getattr(mark, "id", "") == "staticmethod" for mark in node.decorator_list)
                for argument in [a for a in arguments if a][1 if owner and not is_static else 0:]:
                    self.assertIsNotNone(argument.annotation, f"{what}: {argument.arg}")

    def test_annotations_name_what_is_there(self):
        """Names within annotations are built in, or imported or defined by the module."""
        import builtins
        for path in PACKAGE.glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            known = set(dir(builtins))
            for node in ast.walk(tree):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    known |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
                elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    known.add(node.name)
                elif isinstance(node, ast.Assign):
                    known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            for node in ast.walk(tree):
                for text in [getattr(node, "annotation", None), getattr(node, "returns", None)]:
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        text = ast.parse(text.value, mode="eval")
                    used = {part.id for part in ast.walk(text) if isinstance(part, ast.Name)} if text else set()
                    self.assertLessEqual(used, known, f"{path.name}:{getattr(node, 'lineno', 0)}")

    def test_all_that_users_see_has_a_docstring(self):
        for path in PACKAGE.glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.assertTrue(ast.get_docstring(tree), path.name)
        for name in art.__all__:
            thing = getattr(art, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if not isinstance(thing, type):
                continue
            for word, part in vars(thing).items():
                if not word.startswith("_") and callable(part):
                    self.assertTrue(part.__doc__, f"{name}.{word}")

    def test_every_public_name_is_there(self):
        self.assertLessEqual(set(art.__all__), set(dir(art)))
        stub = ast.parse(Path(art.__file__).read_text(encoding="utf-8"))
        told = {alias.name for node in ast.walk(stub) if isinstance(node, ast.ImportFrom) and node.module for alias in node.names}
        self.assertEqual(told, set(art.__all__))
        with self.assertRaises(AttributeError):
            art.nothing


class Checkers(TestCase):
    """mypy, strictly: the package itself, the stubs against the extension module, and a program of a user."""

    def setUp(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        self.work = self.folder()
        (self.work / "mypy.ini").write_text(f"[mypy]\nstrict = True\nignore_missing_imports = True\ncache_dir = {self.work / 'cache'}\n")

    def check(self, *words):
        environment = {**os.environ, "MYPYPATH": str(Path(art.__file__).parents[1])}
        done = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=self.work, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_the_package_and_programs_of_users(self):
        program = ["import articula as art", "b = art.Builder('x')",
                   "b.body('rod', mass=2).joint.revolute('pin', from_='ground', to='rod')",
                   "run = b.compile().run(until=1)", "verdict: str = run.certificate['verdict']"]
        wrong = {"b.joint.revolute('p', from_='ground')": 'Missing named argument "to"', "b.body('r', mass=[2])": 'Argument "mass"',
                 "run.verdit": 'has no attribute "verdit"', "b.study.run('r', method='fast')": 'Argument "method"'}
        (self.work / "program.py").write_text("\n".join([*program, *wrong]) + "\n")
        text = self.check("mypy", "--config-file", "mypy.ini", "-p", "articula", "-m", "program")[1]
        errors = [line for line in text.splitlines() if ": error: " in line]
        self.assertEqual(len(errors), len(wrong), text)
        for error, (number, message) in zip(errors, enumerate(wrong.values(), len(program) + 1)):
            self.assertTrue(error.startswith(f"program.py:{number}: error: "), error)
            self.assertIn(message, error)

    def test_the_stubs(self):
        # the buffer protocol has no method before Python 3.12
        (self.work / "allowed").write_text("articula._articula.View.__buffer__\n")
        status, text = self.check("mypy.stubtest", "articula._articula", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed",
                                  "--ignore-unused-allowlist")
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()

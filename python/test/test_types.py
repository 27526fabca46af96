# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Types and texts are complete: the stubs tell what the extension module has, functions say what they take and give, and all that
users see has a docstring."""
import ast
import inspect
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


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The functions of JAX that generated texts call: a stand-in for tests. A while loop refuses numbers that carry a derivative,
# as JAX refuses to differentiate it backward, and a carry whose structure changes.
import types

import jax.numpy
import traced

_registered = {}


def _flatten(tree):
    if isinstance(tree, (list, tuple)):
        return list(tree), type(tree)
    if type(tree) in _registered:
        flatten, unflatten = _registered[type(tree)]
        children, auxiliary = flatten(tree)
        return list(children), lambda x: unflatten(auxiliary, x)
    traced.value(tree)
    return None, None


def _map(function, tree):
    children, build = _flatten(tree)
    return function(tree) if children is None else build([_map(function, x) for x in children])


def _leaves(tree):
    children, _ = _flatten(tree)
    return [tree] if children is None else [leaf for x in children for leaf in _leaves(x)]


def _structure(tree):
    children, build = _flatten(tree)
    return "x" if children is None else [str(build) if isinstance(build, type) else "class", *map(_structure, children)]


def _stop_gradient(tree):
    return _map(lambda x: traced.Traced(traced.value(x), is_bool=getattr(x, "is_bool", False)), tree)


def _while_loop(goes_on, go_on, state):
    def check(state):
        for leaf in _leaves(state):
            if not isinstance(leaf, traced.Traced):
                raise TypeError("a carry is an array")
            if leaf._slope != 0:
                raise TypeError("reverse-mode differentiation does not work through while_loop")
    check(state)
    while jax.numpy._truth(goes_on(state)):
        following = go_on(state)
        if _structure(following) != _structure(state):
            raise TypeError(f"the carry changes from {_structure(state)} to {_structure(following)}")
        state = following
        check(state)
    return state


def _update(name, value):
    if name != "jax_enable_x64" or value is not True:
        raise AttributeError(name)


def _register(kind, flatten, unflatten):
    _registered[kind] = (flatten, unflatten)


config = types.SimpleNamespace(update=_update)
lax = types.SimpleNamespace(stop_gradient=_stop_gradient, while_loop=_while_loop)
tree_util = types.SimpleNamespace(register_pytree_node=_register)

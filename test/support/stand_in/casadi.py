# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The functions of CasADi that generated texts call, on traced numbers: a stand-in for tests. Comparisons are numbers 1 and 0.
# Plain numbers give plain numbers.
import traced

_plain = lambda x: not isinstance(x, traced.Traced)


def _one(name):
    def function(x):
        result = traced.unary(name, x)
        return result._value if _plain(x) else result
    return function


def _two(name):
    def function(x, y):
        if isinstance(x, bool) or isinstance(y, bool):
            raise TypeError("a bool is not a number of CasADi")
        result = traced.binary(name, x, y)
        return result._value if _plain(x) and _plain(y) else result
    return function


for _name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10",
              "sign", "floor"):
    globals()[_name] = _one(_name)
fabs = _one("abs")
atan2, power, rdivide = _two("atan2"), _two("power"), _two("divide")
fmin, fmax = _two("min"), _two("max")


def _condition(x):
    if isinstance(x, bool):
        raise TypeError("a bool is not a number of CasADi")
    return traced.value(x) != 0


def if_else(condition, x, y):
    chosen = x if _condition(condition) else y
    return traced.Traced(traced.value(chosen), traced.slope(chosen))


def logic_and(x, y):
    return traced.Traced(_condition(x) and _condition(y))


def logic_or(x, y):
    return traced.Traced(_condition(x) or _condition(y))


def logic_not(x):
    return traced.Traced(not _condition(x))


def vertcat(*elements):
    return traced.Vector(elements)

# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Numbers as CasADi and JAX hand them to a function: nobody may ask for their value or take a branch by them. Each has a value
# and a derivative along one direction, so that what a text computes can be checked all the same (casadi.py, jax/).
import math


class Traced:
    def __init__(self, value, slope=0.0, is_bool=False):
        self._value, self._slope, self.is_bool = float(value), float(slope), is_bool

    def _refuse(self, *arguments):
        raise TypeError("a traced number has no value here")

    __bool__ = __float__ = __int__ = __index__ = __iter__ = __len__ = _refuse
    __getitem__ = __setitem__ = __round__ = __floor__ = __hash__ = _refuse

    def __neg__(self):
        return Traced(-self._value, -self._slope)

    def __add__(self, other):
        return binary("add", self, other)

    def __sub__(self, other):
        return binary("subtract", self, other)

    def __mul__(self, other):
        return binary("multiply", self, other)

    def __radd__(self, other):
        return binary("add", other, self)

    def __rsub__(self, other):
        return binary("subtract", other, self)

    def __rmul__(self, other):
        return binary("multiply", other, self)

    def __lt__(self, other):
        return compare(self, other, lambda a, b: a < b)

    def __gt__(self, other):
        return compare(self, other, lambda a, b: a > b)

    def __le__(self, other):
        return compare(self, other, lambda a, b: a <= b)

    def __ge__(self, other):
        return compare(self, other, lambda a, b: a >= b)

    def __eq__(self, other):
        return compare(self, other, lambda a, b: a == b)

    def __ne__(self, other):
        return compare(self, other, lambda a, b: a != b)


def value(x):
    if not isinstance(x, (Traced, float, int)):
        raise TypeError(f"{type(x).__name__} is not a number")
    return x._value if isinstance(x, Traced) else float(x)


def slope(x):
    return x._slope if isinstance(x, Traced) else 0.0


def compare(x, y, holds):
    return Traced(holds(value(x), value(y)), is_bool=True)


def divide(a, b):
    try:
        return a/b
    except ZeroDivisionError:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a)*math.copysign(1.0, b)


def checked(function):
    def result(*arguments):
        try:
            return function(*arguments)
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan
    return result


# value, and the derivative by the argument
UNARY = {
    "sqrt": (math.sqrt, lambda x: divide(0.5, math.sqrt(x))),
    "sin": (math.sin, math.cos),
    "cos": (math.cos, lambda x: -math.sin(x)),
    "tan": (math.tan, lambda x: 1 + math.tan(x)**2),
    "asin": (math.asin, lambda x: 1/math.sqrt(1 - x*x)),
    "acos": (math.acos, lambda x: -1/math.sqrt(1 - x*x)),
    "atan": (math.atan, lambda x: 1/(1 + x*x)),
    "sinh": (math.sinh, math.cosh),
    "cosh": (math.cosh, math.sinh),
    "tanh": (math.tanh, lambda x: 1 - math.tanh(x)**2),
    "exp": (math.exp, math.exp),
    "log": (math.log, lambda x: 1/x),
    "log10": (math.log10, lambda x: 1/(x*math.log(10))),
    "abs": (abs, lambda x: math.copysign(1.0, x)),
    "sign": (lambda x: float((x > 0) - (x < 0)), lambda x: 0.0),
    "floor": (lambda x: float(math.floor(x)), lambda x: 0.0),
}

# value, and the derivatives by both arguments
BINARY = {
    "add": (lambda x, y: x + y, lambda x, y: (1.0, 1.0)),
    "subtract": (lambda x, y: x - y, lambda x, y: (1.0, -1.0)),
    "multiply": (lambda x, y: x*y, lambda x, y: (y, x)),
    "divide": (divide, lambda x, y: (divide(1.0, y), -divide(x, y*y))),
    "power": (math.pow, lambda x, y: (y*math.pow(x, y - 1), math.pow(x, y)*math.log(x))),
    "atan2": (math.atan2, lambda y, x: (x/(x*x + y*y), -y/(x*x + y*y))),
    "hypot": (math.hypot, lambda x, y: (x/math.hypot(x, y), y/math.hypot(x, y))),
    "min": (lambda x, y: x if x <= y or y != y else y, lambda x, y: (float(x <= y), float(x > y))),
    "max": (lambda x, y: x if x >= y or y != y else y, lambda x, y: (float(x >= y), float(x < y))),
}


def along(derivative, x):
    """A product that is 0 where nothing moves, whatever the derivative is."""
    return derivative*slope(x) if slope(x) != 0 else 0.0


def unary(name, x):
    function, derivative = UNARY[name]
    a = value(x)
    return Traced(checked(function)(a), along(checked(derivative)(a), x) if slope(x) != 0 else 0.0)


def binary(name, x, y):
    function, derivative = BINARY[name]
    a, b = value(x), value(y)
    moves = slope(x) != 0 or slope(y) != 0
    try:
        d = derivative(a, b) if moves else (0.0, 0.0)
    except (ValueError, OverflowError, ZeroDivisionError):
        d = (math.nan, math.nan)
    return Traced(checked(function)(a, b), along(d[0], x) + along(d[1], y))


class Vector:
    """A column or an array of one axis: elements are read, and never assigned or run through."""

    def __init__(self, elements):
        for e in elements:
            value(e)
        self._elements = list(elements)

    def __getitem__(self, k):
        if type(k) is not int or not 0 <= k < len(self._elements):
            raise IndexError(f"no element {k}")
        return self._elements[k]

    def _refuse(self, *arguments):
        raise TypeError("elements of a traced vector cannot be assigned or run through")

    __setitem__ = __iter__ = __len__ = __bool__ = _refuse


def vector(values, slopes=None):
    return Vector([Traced(x, slopes[k] if slopes else 0.0) for k, x in enumerate(values)])


def values(x):
    return [value(e) for e in x._elements]


def slopes(x):
    return [slope(e) for e in x._elements]

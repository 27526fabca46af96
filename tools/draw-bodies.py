#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Writes the shapes of car bodies, models/vehicles/shapes/*.obj: what is painted and what is glass.

A body is a profile in the x-z plane with arches over the wheels, drawn out along y, and a cabin that narrows towards its
roof, with panes on its faces. x forward, z up, metres, in the frame of the chassis.
"""
import math
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "models/vehicles/shapes"
PANE = 0.012  # m that a pane stands out of its face


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Mesh:
    def __init__(self):
        self.points, self.triangles = [], []

    def add(self, points, triangles):
        first = len(self.points)
        self.points += points
        self.triangles += [[first + k for k in triangle] for triangle in triangles]

    def solid(self, bottom, top):
        """A convex solid between two quadrilaterals with corners in the same order; its faces look outward."""
        points = [list(p) for p in bottom + top]
        middle = [sum(p[k] for p in points) / 8 for k in range(3)]
        faces = [[0, 1, 2, 3], [4, 5, 6, 7]] + [[k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k] for k in range(4)]
        triangles = []
        for a, b, c, d in faces:
            normal = cross(minus(points[c], points[a]), minus(points[d], points[b]))
            is_out = dot(normal, minus(points[a], middle)) > 0
            triangles += [[a, b, c], [a, c, d]] if is_out else [[a, c, b], [a, d, c]]
        self.add(points, triangles)

    def prism(self, profile, half):
        """A profile, counterclockwise with x to the right and z up, drawn out to both sides."""
        n = len(profile)
        points = [[x, side * half, z] for side in (-1, 1) for x, z in profile]
        triangles = []
        for a, b, c in clip_ears(profile):
            triangles += [[a, b, c], [n + a, n + c, n + b]]
        for k in range(n):
            j = (k + 1) % n
            triangles += [[k, n + k, n + j], [k, n + j, j]]
        self.add(points, triangles)

    def write(self, name):
        lines = ["# written by tools/draw-bodies.py"]
        lines += ["v " + " ".join(f"{round(x, 4):g}" for x in point) for point in self.points]
        lines += ["f " + " ".join(str(k + 1) for k in triangle) for triangle in self.triangles]
        (FOLDER / f"{name}.obj").write_text("\n".join(lines) + "\n")


def clip_ears(profile):
    area = lambda a, b, c: (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    left, triangles = list(range(len(profile))), []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = (left[(k + j) % len(left)] for j in (-1, 0, 1))
            corners = [profile[i] for i in (a, b, c)]
            if area(*corners) <= 1e-12:
                continue
            within = lambda p: all(area(corners[j], corners[(j + 1) % 3], p) >= 0 for j in range(3))
            if any(within(profile[i]) for i in left if i not in (a, b, c)):
                continue
            triangles.append((a, b, c))
            del left[k]
            break
        else:
            raise ValueError("a profile crosses itself")
    return triangles + [tuple(left)]


def arch(x, z, radius, floor):
    """Over a wheel, from behind to the front, between the points where it meets the floor."""
    begin = math.pi - math.asin((floor - z) / radius)
    end = math.pi - begin
    return [(x + radius * math.cos(a), z + radius * math.sin(a)) for a in (begin + (end - begin) * k / 12 for k in range(13))]


def ring(x0, x1, half, z, half1=None):
    """Corners at one height: behind right, in front right, in front left, behind left."""
    front = half if half1 is None else half1
    return [(x0, -half, z), (x1, -front, z), (x1, front, z), (x0, half, z)]


def pane(mesh, bottom, top, face, across=(0.08, 0.92), up=(0.15, 0.9)):
    """On face 0 (right), 1 (front), 2 (left), 3 (behind) of a cabin between two rings."""
    a, b = bottom[face], bottom[(face + 1) % 4]
    d, c = top[face], top[(face + 1) % 4]
    place = lambda u, v: [(1 - v) * ((1 - u) * a[k] + u * b[k]) + v * ((1 - u) * d[k] + u * c[k]) for k in range(3)]
    normal = cross(minus(b, a), minus(d, a))
    length = math.sqrt(dot(normal, normal))
    corners = [place(u, v) for u, v in ((across[0], up[0]), (across[1], up[0]), (across[1], up[1]), (across[0], up[1]))]
    shift = lambda p, by: [p[k] + by * normal[k] / length for k in range(3)]
    mesh.solid([shift(p, -PANE) for p in corners], [shift(p, PANE) for p in corners])


def saloon():
    body, glass = Mesh(), Mesh()
    floor, axle = -0.36, -0.257
    body.prism([(-2.3, floor), *arch(-1.51, axle, 0.385, floor), *arch(1.25, axle, 0.385, floor), (2.1, floor), (2.2, -0.2),
                (2.18, 0.02), (2.02, 0.13), (0.95, 0.26), (-1.75, 0.3), (-2.34, 0.26), (-2.44, 0.1), (-2.42, -0.22)], 0.89)
    belt, roof, top = ring(-1.85, 1.0, 0.83, 0.26), ring(-1.2, 0.25, 0.62, 0.76), ring(-1.1, 0.12, 0.5, 0.82)
    body.solid(belt, roof)
    body.solid(roof, top)
    pane(glass, belt, roof, 1, (0.05, 0.95), (0.12, 0.94))
    pane(glass, belt, roof, 3, (0.06, 0.94), (0.2, 0.92))
    for face, halves in ((0, ((0.12, 0.5), (0.54, 0.92))), (2, ((0.08, 0.46), (0.5, 0.88)))):
        for across in halves:
            pane(glass, belt, roof, face, across, (0.16, 0.88))
    body.write("saloon-body")
    glass.write("saloon-glass")


def jeep():
    body, canvas, glass = Mesh(), Mesh(), Mesh()
    floor, axle = 0.02, -0.214
    body.prism([(-1.9, floor + 0.1), (-1.5, floor), *arch(-1.047, axle, 0.44, floor), *arch(0.97, axle, 0.44, floor), (1.6, floor),
                (1.7, 0.1), (1.7, 0.5), (1.62, 0.58), (0.5, 0.65), (-1.88, 0.65), (-1.93, 0.6)], 0.74)
    belt, roof = ring(-1.86, 0.46, 0.72, 0.65), ring(-1.72, 0.3, 0.62, 1.14)
    canvas.solid(belt, roof)
    pane(glass, belt, roof, 1, (0.04, 0.48), (0.06, 0.9))
    pane(glass, belt, roof, 1, (0.52, 0.96), (0.06, 0.9))
    pane(glass, belt, roof, 3, (0.2, 0.8), (0.3, 0.8))
    for face, pieces in ((0, ((0.08, 0.55), (0.62, 0.95))), (2, ((0.05, 0.38), (0.45, 0.92)))):
        for across in pieces:
            pane(glass, belt, roof, face, across, (0.3, 0.86))
    body.write("jeep-body")
    canvas.write("jeep-canvas")
    glass.write("jeep-glass")


def van():
    body, glass = Mesh(), Mesh()
    floor, axle = 0.42, 0.3266
    body.prism([(-1.02, floor), *arch(0, axle, 0.44, floor), (0.9, floor), (1.06, 0.5), (1.08, 0.8), (1.0, 0.98), (0.62, 1.22), (-1.02, 1.22)], 0.98)
    belt, roof, top = ring(-1.02, 0.66, 0.96, 1.22), ring(-1.02, -0.1, 0.86, 2.02), ring(-1.0, -0.3, 0.74, 2.12)
    body.solid(belt, roof)
    body.solid(roof, top)
    pane(glass, belt, roof, 1, (0.05, 0.95), (0.06, 0.92))
    pane(glass, belt, roof, 0, (0.3, 0.9), (0.08, 0.8))
    pane(glass, belt, roof, 2, (0.1, 0.7), (0.08, 0.8))
    body.write("van-cab")
    glass.write("van-glass")


FOLDER.mkdir(exist_ok=True)
saloon()
jeep()
van()

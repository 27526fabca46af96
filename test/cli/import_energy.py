#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Energies of URDF machines at random states, from the file itself: another reader, other formulas.

    import_energy.py ARTICULA FILE ...

Every link is placed by products of 4 x 4 matrices, its velocity by complex-step derivatives of the matrices, and T = m |v|^2 / 2 + tr(dR S dR^T) / 2 with the
second moments S of its mass: no Jacobian, no angular velocity and no spatial algebra. Compared with energy.kinetic and energy.potential of `articula run --until 0`, and these
with the energies of the machine that `articula export --urdf` has written, to 1e-12.
"""
import cmath
import csv
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

G = 9.81


def numbers(text, n):
    return [float(x) for x in text.split()] if text else [0.0] * n


def product(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def origin(node):
    o = node.find("origin") if node is not None else None
    x = numbers(o.get("xyz"), 3) if o is not None else [0, 0, 0]
    r, p, y = numbers(o.get("rpy"), 3) if o is not None else [0, 0, 0]
    c, s = cmath.cos, cmath.sin
    turn = lambda i, j, a: [[c(a) if k == m and k in (i, j) else -s(a) if (k, m) == (i, j) else s(a) if (k, m) == (j, i)
                             else float(k == m) for m in range(4)] for k in range(4)]
    place = [[float(i == j) for j in range(4)] for i in range(4)]
    for i in range(3):
        place[i][3] = x[i]
    return product(place, product(turn(0, 1, y), product(turn(2, 0, p), turn(1, 2, r))))


def about(axis, a):
    n = sum(x * x for x in axis) ** 0.5
    x, y, z = (u / n for u in axis)
    c, s = cmath.cos(a), cmath.sin(a)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s, 0],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s, 0],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c), 0], [0, 0, 0, 1]]


def along(axis, a):
    n = sum(x * x for x in axis) ** 0.5
    return [[1, 0, 0, axis[0] / n * a], [0, 1, 0, axis[1] / n * a], [0, 0, 1, axis[2] / n * a], [0, 0, 0, 1]]


class Robot:
    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.links = {l.get("name"): l for l in root.findall("link")}
        self.joints = [j for j in root.findall("joint")]
        self.parent = {j.find("child").get("link"): j for j in self.joints}
        self.moving = [j for j in self.joints if j.get("type") in ("revolute", "continuous", "prismatic") and j.find("mimic") is None]
        kinds = {j.get("type") for j in self.joints}
        self.is_plain = kinds <= {"revolute", "continuous", "prismatic", "fixed"}

    def value(self, joint, q):
        mimic = joint.find("mimic")
        if mimic is None:
            return q[joint.get("name")]
        other = next(j for j in self.joints if j.get("name") == mimic.get("joint"))
        return float(mimic.get("multiplier", 1)) * self.value(other, q) + float(mimic.get("offset", 0))

    def pose(self, link, q, known):
        if link not in known:
            joint = self.parent.get(link)
            if joint is None:
                known[link] = [[float(i == j) for j in range(4)] for i in range(4)]
                return known[link]
            pose = product(self.pose(joint.find("parent").get("link"), q, known), origin(joint))
            if joint.get("type") != "fixed":
                node = joint.find("axis")
                axis = numbers(node.get("xyz"), 3) if node is not None else [1, 0, 0]
                step = along if joint.get("type") == "prismatic" else about
                pose = product(pose, step(axis, self.value(joint, q)))
            known[link] = pose
        return known[link]

    def energies(self, q, v):
        h = 1e-30
        moved = {name: complex(q[name], h * v[name]) for name in q}
        known, kinetic, potential = {}, 0.0, 0.0
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None:
                continue
            frame = product(self.pose(name, moved, known), origin(inertial))
            m = float(inertial.find("mass").get("value"))
            node = inertial.find("inertia")
            I = {k: float(node.get(k, 0)) for k in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
            centre = [frame[i][3].imag / h if isinstance(frame[i][3], complex) else 0.0 for i in range(3)]
            # columns of dR/dt; T of rotation is tr(dR S dR^T)/2 with the second moments S of the mass
            D = [[frame[i][j].imag / h for j in range(3)] for i in range(3)]
            half = (I["ixx"] + I["iyy"] + I["izz"]) / 2
            S = [[half - I["ixx"], -I["ixy"], -I["ixz"]], [-I["ixy"], half - I["iyy"], -I["iyz"]], [-I["ixz"], -I["iyz"], half - I["izz"]]]
            kinetic += m * sum(c * c for c in centre) / 2
            kinetic += sum(D[i][j] * S[j][k] * D[i][k] for i in range(3) for j in range(3) for k in range(3)) / 2
            potential += m * G * frame[2][3].real
        return kinetic, potential


def ask(articula, path, robot, q, v, folder):
    settings = []
    for joint in robot.joints:
        if joint.get("type") == "fixed":
            continue
        name, x = joint.get("name"), robot.value(joint, q)
        rate = robot.value(joint, v) - robot.value(joint, {k: 0.0 for k in v})
        coordinate = "slide" if joint.get("type") == "prismatic" else "angle"
        settings += ["--set", f"{name}.{coordinate}={x!r}", "--set", f"{name}.rate={rate!r}"]
    subprocess.run([articula, "run", path, "--until", "0", "-q", "-o", folder, *settings], check=True)
    row = list(csv.DictReader(open(os.path.join(folder, "results.csv"))))[0]
    find = lambda word: float(next(x for key, x in row.items() if key.startswith(word)))
    return find("energy.kinetic"), find("energy.potential")


def main():
    articula, files, worst, count = sys.argv[1], sys.argv[2:], 0.0, 0
    random.seed(1)
    for path in files:
        robot = Robot(path)
        held = subprocess.run([articula, "import", path], capture_output=True, text=True).stdout
        if not held or not robot.is_plain or "\ndrives:" in held:
            continue  # joints that are held start where they are held
        if len([j for j in robot.joints if j.get("type") != "fixed"]) > 30:  # the command takes 64 settings
            continue
        for _ in range(3):
            q = {j.get("name"): random.uniform(-1, 1) for j in robot.moving}
            v = {j.get("name"): random.uniform(-1, 1) for j in robot.moving}
            # stops store energy outside of their range
            for j in robot.moving:
                limit = j.find("limit")
                if limit is not None and limit.get("lower") and limit.get("upper") and j.get("type") != "continuous":
                    low, high = float(limit.get("lower")), float(limit.get("upper"))
                    if low < high:
                        q[j.get("name")] = random.uniform(low, high)
            want = robot.energies(q, v)
            with tempfile.TemporaryDirectory() as folder:
                found = ask(articula, path, robot, q, v, folder)
                # there and back
                again = os.path.join(folder, "again.urdf")
                subprocess.run([articula, "export", path, "--urdf", again, "-q"], check=True)
                second = ask(articula, again, robot, q, v, folder)
            scale = 1 + abs(want[0]) + abs(want[1])
            if not max(abs(found[0] - second[0]), abs(found[1] - second[1])) < 1e-12 * scale:
                print(f"{path}: energies {found}, exported and read again {second}")
                return 1
            error = max(abs(found[0] - want[0]), abs(found[1] - want[1])) / scale
            worst = max(worst, error)
            count += 1
            if not error < 1e-10:
                print(f"{path}: energies {found}, want {want}")
                return 1
    print(f"{len(files)} files, {count} states, energies to {worst:.1e}")
    return 0


sys.exit(main())

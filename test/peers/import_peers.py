#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Files of other programs by our import and by those programs: import_peers.py PROGRAM FILE ...

PROGRAM is import_mujoco, import_dart or import_sdf (test/CMakeLists.txt). What it reads is the file without pictures and contact, so that no mesh has to be there; for
MuJoCo, settings keep links that are fixed to others and let tensors stand as they are. Prints a line for each file, and how many agreed.
"""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy as np

SIGHT = {"visual", "collision", "transmission", "gazebo", "plugin", "sensor", "light", "material", "texture", "camera"}
# of MJCF what the tree does not depend on, and attributes that are younger than the MuJoCo of Debian
SECTIONS = {"actuator", "sensor", "tendon", "equality", "visual", "statistic", "contact", "keyframe", "size", "custom", "option", "deformable"}
COMPILER = {"angle", "eulerseq", "meshdir", "inertiafromgeom", "inertiagrouprange", "settotalmass", "balanceinertia", "boundmass", "boundinertia", "coordinate"}
YOUNGER = {"align", "actuatorfrcrange", "actuatorgravcomp", "actuatorfrclimited", "range", "limited"}
ACTUATORS = {"motor", "position", "velocity", "general", "intvelocity", "damper", "cylinder", "muscle", "adhesion"}


def strip(node, names):
    for child in list(node):
        if child.tag in names:
            node.remove(child)
        else:
            strip(child, names)


def principal(root):
    """Tensors of URDF in their principal axes, which MuJoCo finds to eight digits only."""
    for inertial in root.iter("inertial"):
        inertia, origin = inertial.find("inertia"), inertial.find("origin")
        if inertia is None:
            continue
        if origin is None:
            origin = ET.SubElement(inertial, "origin")
        r, p, y = (float(x) for x in origin.get("rpy", "0 0 0").split())
        turn = lambda i, j, a: np.array([[math.cos(a) if k == m and k in (i, j) else -math.sin(a) if (k, m) == (i, j)
                                          else math.sin(a) if (k, m) == (j, i) else float(k == m) for m in range(3)] for k in range(3)])
        R = turn(0, 1, y) @ turn(2, 0, p) @ turn(1, 2, r)
        get = lambda name: float(inertia.get(name, 0))
        I = np.array([[get("ixx"), get("ixy"), get("ixz")], [get("ixy"), get("iyy"), get("iyz")], [get("ixz"), get("iyz"), get("izz")]])
        values, axes = np.linalg.eigh(I)
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        # the order of the axes that is farthest from the place where roll and yaw are one
        orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
        best = min(orders, key=lambda order: abs((R @ axes[:, order])[2, 0]))
        R, values = R @ axes[:, best], values[best]
        origin.set("rpy", f"{math.atan2(R[2, 1], R[2, 2])!r} {math.atan2(-R[2, 0], math.hypot(R[2, 1], R[2, 2]))!r} {math.atan2(R[1, 0], R[0, 0])!r}")
        for name in ("ixy", "ixz", "iyz"):
            inertia.set(name, "0")
        for name, value in zip(("ixx", "iyy", "izz"), values):
            inertia.set(name, repr(float(value)))


def state_limits(root):
    """Limits that readers ask for, of which nothing depends."""
    for joint in root.findall("joint"):
        limit = joint.find("limit")
        if limit is None:
            limit = ET.SubElement(joint, "limit")
        for name in ("effort", "velocity", "lower", "upper"):
            limit.set(name, limit.get(name, "0"))


def state_masses(root):
    """Links without mass, of which programs think differently, get some."""
    for link in root.findall("link"):
        inertial = link.find("inertial")
        if inertial is not None and float(inertial.find("mass").get("value")) > 0:
            continue
        if inertial is not None:
            link.remove(inertial)
        inertial = ET.SubElement(link, "inertial")
        ET.SubElement(inertial, "mass", value="1.5")
        ET.SubElement(inertial, "inertia", ixx="1", iyy="1.5", izz="2", ixy="0", ixz="0", iyz="0")


def state_auto(root):
    """Inertia from shapes is younger than 1.9, the last version that libsdformat 12 reads: the peer is told by a name of its own."""
    root.set("xmlns:peer", "peer")
    root.set("version", min(root.get("version"), "1.9", key=lambda text: int(text.split(".")[1])))
    for inertial in root.iter("inertial"):
        if inertial.attrib.pop("auto", None) == "true":
            inertial.set("peer:auto", "true")


def inline(node, folder):
    """Included files in the place of <include>."""
    for child in list(node):
        if child.tag != "include":
            inline(child, folder)
            continue
        other = ET.parse(os.path.join(folder, child.get("file"))).getroot()
        inline(other, folder)
        place = list(node).index(child)
        node.remove(child)
        for k, n in enumerate(other):
            node.insert(place + k, n)


def tree_of_mjcf(root):
    """Bodies alone, each with a name, as its joints; meshes only where bodies have their mass from them."""
    strip(root, SECTIONS | ACTUATORS | {"camera", "light", "hfield"})
    for body in [root.find("worldbody"), *root.iter("body")]:
        for geom in body.findall("geom") if body is not None else []:
            if geom.get("hfield"):
                body.remove(geom)
    for node in root.iter():
        for name in YOUNGER & set(node.attrib):
            del node.attrib[name]
    for compiler in root.findall("compiler"):
        for name in set(compiler.attrib) - COMPILER:
            del compiler.attrib[name]
    for k, body in enumerate(root.iter("body")):
        body.set("name", body.get("name", f"nameless{k}"))
        for child in list(body):
            if child.get("type") in ("ball", "free"):
                child.set("armature", "0")  # of joints with several coordinates it is left out, and told
            if child.tag in ("joint", "freejoint"):
                child.set("name", child.get("name", f"nameless{k}_{list(body).index(child)}"))
            if child.tag == "geom" and body.find("inertial") is not None:
                body.remove(child)
            elif child.get("mesh"):
                child.set("mass", "0.5")  # MuJoCo 2.2 takes the volume of another box for that of a mesh
    if not any(geom.get("mesh") for geom in root.iter("geom")):
        strip(root, {"asset"})
        for node in root.iter():
            if node.tag in ("geom", "site"):
                node.attrib.pop("material", None)


def prepare(path, folder, for_mujoco):
    """The file as both read it, and as the other program does."""
    name = "-".join(path.split("/")[-2:]) if os.path.basename(path) == "robot.urdf" else os.path.basename(path)
    target = os.path.join(folder, name)
    tree = ET.parse(path)
    root = tree.getroot()
    if root.tag == "mujoco":
        inline(root, os.path.dirname(path))
        tree_of_mjcf(root)
        tree.write(target)
        return target, target
    ours = os.path.join(folder, "ours", name)  # without what stands beside it
    if root.tag == "sdf":
        strip(root, SIGHT - {"collision"})
        tree.write(ours)
        state_auto(root)
        tree.write(target)
        return ours, target
    strip(root, SIGHT)
    state_masses(root)
    tree.write(ours)
    if for_mujoco:
        principal(root)
        own = ET.SubElement(root, "mujoco")
        ET.SubElement(own, "compiler", fusestatic="false", balanceinertia="false", discardvisual="true", strippath="false")
    state_limits(root)
    tree.write(target)
    return ours, target


def main():
    program, files = os.path.abspath(sys.argv[1]), sys.argv[2:]
    folder = tempfile.mkdtemp()
    os.mkdir(os.path.join(folder, "ours"))
    good = read = 0
    try:
        for path in files:
            ours, theirs = prepare(path, folder, "mujoco" in program)
            # MuJoCo keeps points of meshes in single precision
            has_points = any(mesh.get("vertex") for mesh in ET.parse(theirs).getroot().iter("mesh"))
            own = dict(os.environ, PEER_TOLERANCE="1e-6" if has_points else "1e-10")
            done = subprocess.run([program, ours, theirs], env=own, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True)
            line = done.stdout.strip()
            reason = "" if "does not read" not in line else ": " + (done.stderr.strip().splitlines() or [""])[0][:120]
            print(line + reason)
            read += "velocities" in line or done.returncode != 0
            good += "velocities" in line and done.returncode == 0
    finally:
        shutil.rmtree(folder)
    print(f"{good} of {read} files that both read agree, {len(files)} files in all")
    return good != read


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Files of other programs by our import and by those programs: import_peers.py PROGRAM FILE ...

PROGRAM is import_mujoco, import_dart or import_sdf (test/CMakeLists.txt). It reads the file without pictures and contact, so that no mesh has to be there; for
MuJoCo, settings keep links that are fixed to others and let tensors stand as they are, and trees of Robotran are read here and written as MJCF. Prints a line for each file, and how many agreed.
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


def quaternion(R):
    """Of a turn, with its largest component found first."""
    w = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2], 1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]])
    k = int(np.argmax(w))
    columns = [[w[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]], [R[2, 1] - R[1, 2], w[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
               [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], w[2], R[1, 2] + R[2, 1]], [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], w[3]]]
    q = np.array(columns[k])
    return q / np.linalg.norm(q)


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def place_of(node):
    """The coordinates of a point or a centre of mass of Robotran."""
    own = node.find("coordinates") if node is not None else None
    return [float(own.findtext(axis, "0")) if own is not None else 0.0 for axis in "xyz"]


def state_tensor(inertia):
    """A tensor that a solid can have, where that of the file is none: MuJoCo takes no other."""
    get = lambda i, j: float(inertia.findtext("I" + "xyz"[min(i, j)] + "xyz"[max(i, j)], "0"))
    I = np.array([[get(i, j) for j in range(3)] for i in range(3)])
    values, axes = np.linalg.eigh(I)
    if values[0] <= 0 or values[2] >= values[0] + values[1]:
        I, values, axes = np.diag([1.0, 1.5, 2.0]), np.array([1.0, 1.5, 2.0]), np.eye(3)
        for child in list(inertia):
            inertia.remove(child)
        for axis, value in zip("xyz", values):
            ET.SubElement(inertia, f"I{axis}{axis}").text = repr(float(value))
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    return values, axes


def tree_of_mbs(root):
    """The tree of a file of Robotran in the words of MJCF, read here anew: a body stands in a point of its parent and turns and slides by its joints, one
    after the other; its tensor is that about the centre of mass. The file is left with this tree alone."""
    strip(root, {"graphics", "sensor", "extforce", "x3D", "loops", "links", "user_models", "user_variables", "actuated"})
    other = ET.Element("mujoco")
    ET.SubElement(other, "compiler", angle="radian", inertiafromgeom="false", balanceinertia="false")
    ET.SubElement(other, "option", gravity=words(place_of(root.find("base/gravity"))))
    node, points = {"base": ET.SubElement(other, "worldbody")}, {}
    for owner, name in [(root.find("base"), "base"), *((body, body.findtext("bodyname")) for body in root.iter("body"))]:
        points.update({(name, point.findtext("pointname")): place_of(point) for point in owner.findall("point")})
    for body in root.iter("body"):
        name, parent = body.findtext("bodyname"), body.find("parent")
        at = parent.findtext("bodyname"), parent.findtext("pointname")
        own = node[name] = ET.SubElement(node[at[0]], "body", name=name, pos=words(points.get(at, [0, 0, 0])))
        for joint in body.findall("joint"):
            kind = joint.findtext("type")
            axis = words(float(k == int(kind[1])) for k in (1, 2, 3))
            ET.SubElement(own, "joint", name=joint.findtext("jointname"), type="hinge" if kind[0] == "R" else "slide", axis=axis)
            joint.find("nature").text = "independent"
        if float(body.findtext("mass")) == 0:
            body.find("mass").text = "1.5"
        values, axes = state_tensor(body.find("inertia"))
        ET.SubElement(own, "inertial", pos=words(place_of(body.find("com"))), quat=words(quaternion(axes)), mass=body.findtext("mass"), diaginertia=words(values))
    return other


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
    if root.tag == "mbsDescR7":
        target = target.replace(".mbs", ".xml")
        ET.ElementTree(tree_of_mbs(root)).write(target)
        tree.write(ours)
        return ours, target
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

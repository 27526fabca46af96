#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws a run as a moving picture: an SVG file that browsers animate by themselves, without any script in it.
#   tools/draw-motion.py RESULT FILE.svg [--from S] [--until S] [--slow FACTOR] [--rate FRAMES/S] [--follow BODY]
#                        [--glass BODY] [--azimuth DEG] [--elevation DEG] [--span METRES] [--height PIXELS] [--raise METRES]
#                        [--caption TEXT]
# Shapes, springs and road come from the scene of the run (doc/theory/scene-format.md), seen from far away: the projection is
# parallel, and shapes are painted from the farthest to the nearest.
import argparse
import json
import math
import os
import struct

WIDTH = 1600  # units of the picture, two to a pixel
CAP_SIDES = 14


# ---- the scene ----------------------------------------------------------------------------------

def padded(size):
    return (size + 7) // 8 * 8


def read_scene(folder):
    """The header, times and poses of all frames: pose[frame][body] = x y z, quaternion w x y z."""
    with open(os.path.join(folder, 'scene.arts'), 'rb') as file:
        data = file.read()
    length = struct.unpack_from('<I', data, 12)[0]
    header = json.loads(data[16:16 + length])
    n, bodies = header['chunk'], len(header['bodies'])
    sizes = [8, 8 * n, 28 * n * bodies, 24 * n * bodies if header['velocities'] else 0, 24 * n * len(header['vectors']),
             8 * n * len(header['channels'])]
    place, times, poses = 16 + length, [], []
    while place + sum(padded(s) for s in sizes) <= len(data):
        used = struct.unpack_from('<I', data, place)[0]
        times += struct.unpack_from(f'<{used}d', data, place + 8)
        numbers = struct.unpack_from(f'<{7 * bodies * used}f', data, place + 8 + padded(sizes[1]))
        poses += [[numbers[7 * k:7 * k + 7] for k in range(f * bodies, (f + 1) * bodies)] for f in range(used)]
        place += sum(padded(s) for s in sizes)
    return header, times, poses


# ---- geometry -----------------------------------------------------------------------------------

def rotate(q, v):
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def place_point(pose, v):
    r = rotate(pose[3:], v)
    return (pose[0] + r[0], pose[1] + r[1], pose[2] + r[2])


class Camera:
    """Parallel projection to the units of the picture; depth grows away from the eye."""

    def __init__(self, azimuth, elevation, span, height):
        a, e = math.radians(azimuth), math.radians(elevation)
        self.right = (-math.sin(a), math.cos(a), 0)
        self.up = (-math.cos(a) * math.sin(e), -math.sin(a) * math.sin(e), math.cos(e))
        self.eye = (math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e))
        self.scale, self.height, self.middle = WIDTH / span, height, (0, 0, 0)

    def project(self, p):
        d = [p[k] - self.middle[k] for k in range(3)]
        return (WIDTH / 2 + self.scale * dot(d, self.right), self.height / 2 - self.scale * dot(d, self.up))

    def depth(self, p):
        return -dot([p[k] - self.middle[k] for k in range(3)], self.eye)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def hull(points):
    """The convex hull of points in the plane (Andrew's monotone chain)."""
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def half(chain):
        out = []
        for p in chain:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (p[1] - out[-2][1])
                                    <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])):
                out.pop()
            out.append(p)
        return out[:-1]
    return half(points) + half(points[::-1])


# ---- drawing ------------------------------------------------------------------------------------

def shade(colour, factor):
    parts = [int(colour[k:k + 2], 16) for k in (1, 3, 5)]
    return '#' + ''.join(f'{max(0, min(255, round(p * factor))):02x}' for p in parts)


def path(points, closed=True):
    """Whole numbers, each point relative to the one before it."""
    points = [(round(x), round(y)) for x, y in points]
    text = f'M{points[0][0]} {points[0][1]}l'
    steps = [f'{b[0] - a[0]} {b[1] - a[1]}' for a, b in zip(points, points[1:]) if a != b]
    return (text + ' '.join(steps)).replace(' -', '-') + ('z' if closed else '')


def circle(radius, height, sides=CAP_SIDES):
    return [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides), height) for k in range(sides)]


def mesh_faces(shape):
    """Flat parts of a mesh: their normals and the loops around them, of triangles in one plane."""
    v, planes = shape['vertices'], {}
    for k in range(0, len(shape['triangles']), 3):
        corners = [tuple(v[3 * i:3 * i + 3]) for i in shape['triangles'][k:k + 3]]
        a, b = ([corners[i][m] - corners[0][m] for m in range(3)] for i in (1, 2))
        normal = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
        size = math.sqrt(dot(normal, normal))
        if size == 0:
            continue
        normal = tuple(x / size for x in normal)
        edges = planes.setdefault(tuple(round(20 * x) for x in normal) + (round(50 * dot(normal, corners[0])),), (normal, {}))[1]
        for edge in zip(corners, corners[1:] + corners[:1]):
            if edges.pop(edge[::-1], None) is None:  # both ways: inside
                edges[edge] = True
    return [(normal, edge_loops(edges)) for normal, edges in planes.values()]


def edge_loops(edges):
    """Closed ways through directed edges."""
    following, loops = {}, []
    for start, end in edges:
        following.setdefault(start, []).append(end)
    while following:
        loop = [next(iter(following))]
        while loop[-1] in following:
            ends = following[loop[-1]]
            loop.append(ends.pop())
            if not ends:
                del following[loop[-2]]
        loops.append(loop[:-1])
    return loops


class Picture:
    """Painted pieces of a frame, by their depth: (depth, style, path)."""

    def __init__(self, camera):
        self.camera, self.pieces, self.opacity = camera, [], 1

    def fill(self, points, colour, depth):
        """The silhouette of points in ground."""
        flat = hull([tuple(round(c) for c in self.camera.project(p)) for p in points])
        if len(flat) > 2:
            self.pieces.append((depth, ('fill', colour, self.opacity), path(flat)))

    def line(self, points, colour, width, depth):
        flat = [self.camera.project(p) for p in points]
        if len({(round(x), round(y)) for x, y in flat}) > 1:
            self.pieces.append((depth, ('line', colour, max(2, round(width))), path(flat, False)))

    def box(self, pose, shape):
        a, b, c = (s / 2 for s in shape['size'])
        centre = self.camera.depth(pose[:3])
        for axis, half in enumerate((a, b, c)):
            normal = rotate(pose[3:], [1 if k == axis else 0 for k in range(3)])
            side = 1 if dot(normal, self.camera.eye) > 0 else -1
            corners = [[side * half if k == axis else s * (a, b, c)[k] for k, s in zip(range(3), signs)]
                       for signs in ((-1, -1, -1), (-1, -1, 1), (-1, 1, -1), (-1, 1, 1), (1, -1, -1), (1, -1, 1), (1, 1, -1), (1, 1, 1))]
            light = 0.72 + 0.24 * side * normal[2] + 0.12 * side * normal[1]
            self.fill([place_point(pose, p) for p in corners], shade(shape['colour'], 0.35 + light), centre)

    def cylinder(self, pose, shape):
        r, half = shape['radius'], shape['length'] / 2
        ends = [[place_point(pose, p) for p in circle(r, h)] for h in (-half, half)]
        depth = self.camera.depth(pose[:3])
        self.fill(ends[0] + ends[1], shade(shape['colour'], 0.9), depth)
        near = 1 if dot(rotate(pose[3:], (0, 0, 1)), self.camera.eye) > 0 else 0
        if shape['type'] == 'tyre':
            h = half if near else -half
            self.fill([place_point(pose, p) for p in circle(0.93 * r, h)], shade(shape['colour'], 1.35), depth)
            self.fill([place_point(pose, p) for p in circle(0.6 * r, h)], '#b9bec6', depth)
            for k in range(5):  # spokes show that the wheel rolls
                angle = 2 * math.pi * k / 5
                tip = (0.56 * r * math.cos(angle), 0.56 * r * math.sin(angle), h)
                self.line([place_point(pose, (0, 0, h)), place_point(pose, tip)], '#5b616b', 0.12 * r * self.camera.scale, depth)
        elif r * self.camera.scale > 8:
            self.fill(ends[near], shade(shape['colour'], 1.2), depth)

    def capsule(self, pose, shape):
        ends = [place_point(pose, (0, 0, s * shape['length'] / 2)) for s in (-1, 1)]
        self.line(ends, shape['colour'], 2 * shape['radius'] * self.camera.scale, self.camera.depth(pose[:3]))

    def sphere(self, pose, shape):
        x, y = self.camera.project(pose[:3])
        r = max(3, shape['radius'] * self.camera.scale)
        self.pieces.append((self.camera.depth(pose[:3]) - shape['radius'], ('line', shape['colour'], round(2 * r)),
                            f'M{round(x)} {round(y)}h0'))

    def mesh(self, pose, shape):
        """The faces towards the eye; of a guessed plate or bar the silhouette."""
        v = shape['vertices']
        points = [place_point(pose, v[3 * k:3 * k + 3]) for k in range(len(v) // 3)]
        depth = self.camera.depth([sum(p[k] for p in points) / len(points) for k in range(3)])
        if shape.get('default'):
            return self.fill(points, shape['colour'], depth)
        if 'faces' not in shape:
            shape['faces'] = mesh_faces(shape)
        for normal, loops in shape['faces']:
            normal = rotate(pose[3:], normal)
            if dot(normal, self.camera.eye) <= 0.02:
                continue
            light = 1.02 + 0.24 * normal[2] + 0.12 * normal[1]
            outline = ''.join(path([self.camera.project(place_point(pose, p)) for p in loop]) for loop in loops)
            self.pieces.append((depth, ('fill', shade(shape['colour'], round(10 * light) / 10), self.opacity), outline))

    def shape(self, body, shape):
        local = shape['pose']
        pose = place_point(body, local[:3]) + multiply(body[3:], local[3:])
        kind = {'tyre': 'cylinder'}.get(shape['type'], shape['type'])
        getattr(self, kind)(pose, shape)

    def link(self, force, poses):
        """A straight line between the ends."""
        ends = find_ends(force, poses)
        middle = [(ends[0][k] + ends[1][k]) / 2 for k in range(3)]
        self.line(ends, '#7d8791', 4, self.camera.depth(middle))

    def spring(self, force, poses):
        """A coil as a line to and fro between the ends."""
        ends = find_ends(force, poses)
        radius, turns = force.get('radius', 0.03), 9
        along = [ends[1][k] - ends[0][k] for k in range(3)]
        across = [along[1] * self.camera.eye[2] - along[2] * self.camera.eye[1],
                  along[2] * self.camera.eye[0] - along[0] * self.camera.eye[2],
                  along[0] * self.camera.eye[1] - along[1] * self.camera.eye[0]]
        size = math.sqrt(dot(across, across)) or 1
        points = [ends[0]]
        for k in range(1, 2 * turns):
            s, part = (1 if k % 2 else -1) * 1.2 * radius / size, 0.12 + 0.76 * k / (2 * turns)
            points.append(tuple(ends[0][i] + part * along[i] + s * across[i] for i in range(3)))
        middle = [(ends[0][k] + ends[1][k]) / 2 for k in range(3)]
        self.line(points + [ends[1]], '#c8452d', 5, self.camera.depth(middle))

    def road(self, road, span):
        """Stripes across the road, bent as it is, wherever they are in the picture."""
        if not road:
            return
        half = 0.62 * span
        edge = (-1.25, 1.25)
        first = math.floor((self.camera.middle[0] - half) / 0.5)
        for k in range(first, math.ceil((self.camera.middle[0] + half) / 0.5)):
            xs = [0.5 * k + 0.125 * i for i in range(5)]
            rows = [[(x, y, road_height(road, x, y)) for x in xs] for y in edge]
            flat = [self.camera.project(p) for p in rows[0] + rows[1][::-1]]
            self.pieces.append((1e9, ('fill', '#dfe3e0' if k % 2 else '#cfd6d1', 1), path(flat)))


def find_ends(force, poses):
    return [place_point(poses[e['body']], e['point']) if e['body'] >= 0 else tuple(e['point']) for e in force['ends']]


def road_height(road, x, y):
    if road['type'] == 'flat':
        return road['z']
    i = min(max((x - road['x0']) / road['dx'], 0), road['nx'] - 1.001)
    j = min(max(round((y - road['y0']) / road['dy']), 0), road['ny'] - 1)
    k, part = int(i), i - int(i)
    row = road['z'][j * road['nx']:(j + 1) * road['nx']]
    return (1 - part) * row[k] + part * row[k + 1]


def multiply(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def draw_frame(header, poses, camera, span, glass):
    picture = Picture(camera)
    for body, pose in zip(header['bodies'], poses):
        picture.opacity = 0.3 if body['name'] == glass else 1
        for shape in body['shapes']:
            picture.shape(pose, shape)
    picture.opacity = 1
    for shape in header['ground']['shapes']:
        picture.shape((0, 0, 0, 1, 0, 0, 0), shape)
    for force in header['forces']:
        if len(force['ends']) == 2 and 'rest' in force:
            picture.spring(force, poses)
        elif force.get('glyph') == 'link':
            picture.link(force, poses)
    picture.road(header['road'], span)
    return sorted(picture.pieces, key=lambda piece: -piece[0])


# ---- the file -----------------------------------------------------------------------------------

def style_rule(style, name):
    if style[0] == 'fill':
        clear = '' if style[2] == 1 else f';fill-opacity:{style[2]}'
        return f'.{name}{{fill:{style[1]};stroke:{shade(style[1], 0.6)}{clear}}}'
    return f'.{name}{{fill:none;stroke:{style[1]};stroke-width:{style[2]}}}'


def frame_text(pieces, names):
    """One path for neighbours of the same style."""
    text, last = [], None
    for _, style, line in pieces:
        if style == last:
            text[-1][1] += line
        else:
            text.append([names.setdefault(style, f'a{len(names)}'), line])
        last = style
    return ''.join(f'<path class="{name}" d="{line}"/>' for name, line in text)


def write(path_out, frames, seconds, height, caption):
    names = {}
    texts = [frame_text(pieces, names) for pieces in frames]
    part = 100 / len(frames)
    with open(path_out, 'w', encoding='utf-8') as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH // 2}" height="{height // 2}">\n<style>\n'
                   'path{stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\n'
                   'text{font:24px "DejaVu Sans",Helvetica,Arial,sans-serif;fill:#57606a}\n'
                   f'.f{{visibility:hidden;animation:k {seconds:.3g}s step-end infinite}}\n#f0{{visibility:visible}}\n'
                   f'@keyframes k{{0%{{visibility:visible}}{part:.4f}%{{visibility:hidden}}}}\n')
        file.write(''.join(style_rule(style, name) + '\n' for style, name in names.items()))
        file.write(f'</style>\n<rect width="{WIDTH}" height="{height}" rx="16" fill="#f7f8f7"/>\n')
        for k, text in enumerate(texts):
            delay = k * seconds / len(frames) - (seconds if k else 0)
            file.write(f'<g id="f{k}" class="f" style="animation-delay:{delay:.3f}s">{text}</g>\n')
        file.write(f'<text x="28" y="{height - 24}">{caption}</text>\n</svg>\n')


def arguments():
    p = argparse.ArgumentParser(description='Draws a run as a moving picture.')
    p.add_argument('result')
    p.add_argument('file')
    p.add_argument('--from', dest='begin', type=float, default=0)
    p.add_argument('--until', type=float, default=math.inf)
    p.add_argument('--slow', type=float, default=1, help='times slower than the motion')
    p.add_argument('--rate', type=float, default=25)
    p.add_argument('--follow', help='the body in the middle of the picture')
    p.add_argument('--glass', help='a body through which others are seen')
    p.add_argument('--azimuth', type=float, default=-60)
    p.add_argument('--elevation', type=float, default=18)
    p.add_argument('--span', type=float, help='metres from the left to the right edge')
    p.add_argument('--height', type=int, default=350)
    p.add_argument('--raise', dest='lift', type=float, default=0, help='metres by which the picture shows more of what is above')
    p.add_argument('--caption', default='')
    return p.parse_args()


def main():
    a = arguments()
    header, times, poses = read_scene(a.result)
    span = a.span or 2 * header['size']
    camera = Camera(a.azimuth, a.elevation, span, 2 * a.height)
    follow = [b['name'] for b in header['bodies']].index(a.follow) if a.follow else None
    end = min(a.until, times[-1])
    count = max(1, round((end - a.begin) * a.slow * a.rate))
    frames = []
    for k in range(count):
        t = a.begin + (end - a.begin) * k / count
        near = min(range(len(times)), key=lambda i: abs(times[i] - t))
        x, y = (poses[near][follow][0], poses[near][follow][1]) if follow is not None else header['centre'][:2]
        camera.middle = (x, y, header['centre'][2] + a.lift)
        frames.append(draw_frame(header, poses[near], camera, span, a.glass))
    write(a.file, frames, count / a.rate, 2 * a.height, a.caption)


if __name__ == '__main__':
    main()

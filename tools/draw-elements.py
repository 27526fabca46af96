#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Draws the pictures of the elements, one for each page of doc/reference/elements: doc/images/elements/*.svg.

Bodies are blue, the element orange, ground grey. Blocks show their answer to the dashed input.

  tools/draw-elements.py           write the pictures
  tools/draw-elements.py --check   exit status 1: a picture is out of date, or a page has none
"""
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
PAGES, PICTURES = ROOT / "doc/reference/elements", ROOT / "doc/images/elements"
WIDTH, HEIGHT = 280, 140
BODY, FILL, ELEMENT, GREY, INK = "#1864ab", "#dbe7f3", "#d9480f", "#868e96", "#343a40"


# ---- strokes: each returns SVG ------------------------------------------------------------------

def path(points, colour=ELEMENT, width=2.0, dash="", close=False, fill="none"):
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    shape = "polygon" if close else "polyline"
    return f'<{shape} points="{places}" fill="{fill}" stroke="{colour}" stroke-width="{width}"{dashes} stroke-linejoin="round" stroke-linecap="round"/>'


def line(x1, y1, x2, y2, colour=ELEMENT, width=2.0, dash=""):
    return path([(x1, y1), (x2, y2)], colour, width, dash)


def text(x, y, words, colour=INK, size=13, anchor="middle"):
    return f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" font-family="sans-serif" font-style="italic">{escape(words)}</text>'


def box(x, y, w, h, words=""):
    """A body."""
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="4" fill="{FILL}" stroke="{BODY}" stroke-width="2"/>' + (text(x + w / 2, y + h / 2 + 5, words) if words else "")


def circle(x, y, r, colour=BODY, fill=FILL, width=2):
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{colour}" stroke-width="{width}"/>'


def pin(x, y):
    return circle(x, y, 4, ELEMENT, "#fff")


def ground(x, y, w=60, wall=False):
    """Hatched; a wall stands to the left of x."""
    marks = [line(x, y, x, y + w, GREY)] if wall else [line(x, y, x + w, y, GREY)]
    for k in range(4, int(w), 9):
        marks.append(line(x, y + k, x - 7, y + k + 7, GREY, 1.2) if wall else line(x + k, y, x + k - 7, y + 7, GREY, 1.2))
    return "".join(marks)


def arrow(x1, y1, x2, y2, words="", colour=INK, above=-7, both=False):
    a = math.atan2(y2 - y1, x2 - x1)

    def tip(x, y, angle):
        return path([(x - 8 * math.cos(angle - 0.4), y - 8 * math.sin(angle - 0.4)), (x, y), (x - 8 * math.cos(angle + 0.4), y - 8 * math.sin(angle + 0.4))], colour, 1.6)
    return line(x1, y1, x2, y2, colour, 1.6) + tip(x2, y2, a) + (tip(x1, y1, a + math.pi) if both else "") + (text((x1 + x2) / 2, (y1 + y2) / 2 + above, words, colour) if words else "")


def turn(x, y, r, begin, end, words="", colour=INK):
    """An arrow on an arc; degrees, counter-clockwise."""
    points = [(x + r * math.cos(math.radians(begin + (end - begin) * k / 20)), y - r * math.sin(math.radians(begin + (end - begin) * k / 20))) for k in range(21)]
    (xa, ya), (xb, yb) = points[-2:]
    middle = math.radians((begin + end) / 2)
    return path(points[:-1], colour, 1.6) + arrow(xa, ya, xb, yb, colour=colour) + (text(x + (r + 12) * math.cos(middle), y - (r + 12) * math.sin(middle) + 4, words, colour) if words else "")


def along(x1, y1, x2, y2, local):
    """Points given along and across a line, as parts of its length and in pixels."""
    length = math.hypot(x2 - x1, y2 - y1)
    c, s = (x2 - x1) / length, (y2 - y1) / length
    return [(x1 + c * length * u - s * v, y1 + s * length * u + c * v) for u, v in local]


def coil(x1, y1, x2, y2, size=8, turns=6):
    zigzag = [(0.2 + 0.6 * (k + 0.5) / (2 * turns), size * (-1) ** k) for k in range(2 * turns)]
    return path(along(x1, y1, x2, y2, [(0, 0), (0.2, 0), *zigzag, (0.8, 0), (1, 0)]))


def damper(x1, y1, x2, y2, size=8):
    pot = along(x1, y1, x2, y2, [(0.72, -size), (0.35, -size), (0.35, size), (0.72, size)])
    rod = along(x1, y1, x2, y2, [(1, 0), (0.55, 0)])
    piston = along(x1, y1, x2, y2, [(0.55, -size + 2), (0.55, size - 2)])
    return path(along(x1, y1, x2, y2, [(0, 0), (0.35, 0)])) + path(pot) + path(rod) + path(piston)


def curve(f, x0=0.0, x1=1.0, colour=ELEMENT, dash="", n=80):
    """A function from 0..1 to 0..1 in the frame of a block."""
    return path([(96 + 88 * (x0 + (x1 - x0) * k / n), 104 - 68 * f(x0 + (x1 - x0) * k / n)) for k in range(n + 1)], colour, 2.0 if not dash else 1.3, dash)


def block(*curves, two=False):
    """A block with the answer that it gives; `two`: a second input."""
    frame = f'<rect x="88" y="26" width="104" height="88" rx="4" fill="#fff4e6" stroke="{ELEMENT}" stroke-width="1.5"/>'
    inputs = arrow(30, 70, 86, 70, "u") if not two else arrow(30, 52, 86, 52, "u") + arrow(30, 92, 86, 92)
    return frame + inputs + arrow(194, 70, 250, 70, "y") + "".join(curves)


def steps(f, every):
    """Sample and hold of f."""
    return lambda x: f(math.floor(x / every + 1e-9) * every)


def response(rate, begin=0.0, n=2000):
    """y(x) of dy/dx = rate(x, y, dy) in small steps; rate gives the second derivative where it has three arguments."""
    values, y = [], begin
    for k in range(n + 1):
        values.append(y)
        y += rate(k / n, y) / n
    return lambda x: values[min(n, int(x * n))]


def jump(x):
    return 0.8 if x > 0.15 else 0.1


def wave(x):
    return 0.5 + 0.45 * math.sin(9 * x)


def servo(x):
    s = max(0, x - 0.15) * 22
    return 0.1 + 0.55 * (1 - math.exp(-0.25 * s) * (math.cos(s) + 0.25 * math.sin(s)))


def relay(values):
    side = 0
    out = []
    for u in values:
        side = 1 if u > 0.75 else 0 if u < 0.25 else side
        out.append(0.15 + 0.7 * side)
    return out


RELAY = relay([wave(k / 400) for k in range(401)])
RAMP = response(lambda x, y: max(-2.2, min(1.6, (jump(x) - y) * 60)), 0.1)
LAG = response(lambda x, y: (jump(x) - y) / 0.15, 0.1)
LEVEL = response(lambda x, y: 0 if (y >= 0.75 and x < 0.5) or (y <= 0.1 and x > 0.5) else 3.2 * math.cos(6 * x), 0.3)
STEP, WAVE = curve(jump, colour=GREY, dash="4 3"), curve(wave, colour=GREY, dash="4 3")

# ---- the pictures -------------------------------------------------------------------------------

LINK = path([(40, 104), (150, 60)], BODY, 9) + path([(40, 104), (150, 60)], FILL, 5)
CART = ground(30, 104, 220) + box(130, 60, 70, 38) + circle(146, 99, 5) + circle(184, 99, 5) + arrow(165, 40, 225, 40, "x")
LOAD = ground(30, 40, 60, wall=True) + box(190, 46, 56, 48)
DISC = circle(140, 70, 44) + turn(140, 70, 54, -20, 60, "x") + circle(140, 70, 4, GREY, "#fff")
SHAFTS = circle(95, 70, 26) + circle(175, 70, 50) + circle(95, 70, 3, GREY) + circle(175, 70, 3, GREY)
TYRE = circle(140, 62, 42, BODY, "#fff") + circle(140, 62, 26) + circle(140, 62, 3, BODY)

DRAWINGS = {
    "fixed-joint": [box(50, 50, 90, 40, "from"), box(140, 50, 90, 40, "to"), line(140, 44, 140, 96, width=5)],
    "revolute-joint": [ground(15, 112, 50), LINK, pin(40, 104), line(40, 104, 150, 104, GREY, 1.2, "4 3"), turn(40, 104, 80, 0, 21, "φ")],
    "prismatic-joint": [ground(30, 104, 220), box(80, 62, 80, 34, "to"), line(60, 99, 230, 99, width=3), arrow(160, 46, 230, 46, "s")],
    "screw-joint": [path([(66 + 8 * k, 62 if k % 2 else 78) for k in range(22)]), box(110, 48, 56, 44, "to"), arrow(180, 38, 240, 38, "p φ"), turn(36, 70, 20, 60, -60), text(34, 44, "φ")],
    "cylindrical-joint": [line(30, 70, 250, 70, width=7), box(100, 48, 70, 44, "to"), arrow(180, 38, 240, 38, "s"), turn(54, 70, 24, 60, -60), text(60, 44, "φ")],
    "universal-joint": [line(30, 70, 110, 70, BODY, 7), line(170, 70, 245, 40, BODY, 7), path([(110, 44), (110, 96)], BODY, 5), line(112, 46, 138, 70), line(112, 94, 138, 70), line(138, 70, 168, 56), line(138, 70, 174, 86), path([(166, 50), (176, 92)], BODY, 5), pin(138, 70), text(70, 60, "φ₁"), text(215, 36, "φ₂")],
    "planar-joint": [path([(40, 110), (190, 110), (245, 60), (95, 60)], GREY, 1.5, close=True, fill="#f1f3f5"), box(110, 66, 62, 28, "to"), arrow(172, 80, 222, 80, "x"), arrow(141, 66, 160, 40), text(170, 40, "y"), turn(104, 62, 22, 60, 160, "φ")],
    "spherical-joint": [ground(110, 122, 60), line(140, 122, 140, 96, GREY, 5), circle(140, 84, 14, ELEMENT, "#fff4e6"), path([(140, 84), (215, 34)], BODY, 9), path([(150, 77), (215, 34)], FILL, 5), circle(140, 84, 7, ELEMENT, "#fff"), turn(140, 84, 44, 50, 130)],
    "free-joint": [ground(20, 118, 70), box(140, 40, 70, 40, "to"), path([(55, 118), (90, 80), (140, 60)], ELEMENT, 1.6, "5 4"), arrow(214, 60, 250, 60, "x"), arrow(175, 38, 175, 12), text(186, 22, "z"), turn(175, 60, 48, -50, 0)],
    "rolling-disc-joint": [ground(20, 118, 240), circle(140, 74, 42, BODY, "#fff"), pin(140, 74), arrow(140, 74, 205, 74), turn(140, 74, 54, 130, 50), text(160, 100, "radius")],
    "rolling-ball-joint": [ground(20, 118, 240), circle(140, 74, 42, BODY, "#e9ecef"), arrow(140, 74, 205, 74), turn(140, 74, 54, 130, 50), text(160, 100, "radius")],
    "knife-edge-joint": [ground(20, 118, 240), path([(70, 70), (210, 70), (190, 116), (90, 116)], BODY, 3, close=True, fill="#fff"), arrow(210, 92, 250, 92), text(140, 98, "to")],
    "rod-joint": [box(24, 76, 40, 36), box(216, 24, 40, 36), line(50, 84, 228, 50, width=4), pin(50, 84), pin(228, 50), text(140, 55, "length")],
    "linear-coupling": [circle(60, 70, 26), circle(220, 70, 26), circle(140, 70, 26), line(86, 70, 114, 70, dash="4 4"), line(166, 70, 194, 70, dash="4 4"), text(60, 75, "a"), text(140, 75, "b"), text(220, 75, "c"), text(140, 125, "Σ factor · coordinate = value", ELEMENT)],
    "gear-coupling": [SHAFTS, path([(121, 60), (125, 80)], width=3), turn(95, 70, 36, 120, 200, "a"), turn(175, 70, 58, 60, 10, "b")],
    "rack-coupling": [circle(130, 58, 34), circle(130, 58, 3, GREY), box(50, 96, 180, 18), path([(50 + 6 * k, 96 if k % 2 else 91) for k in range(31)]), turn(130, 58, 42, 110, 180, "φ"), arrow(190, 82, 240, 82, "s")],
    "screw-coupling": [circle(48, 70, 24), text(48, 75, "φ"), path([(72 + 8 * k, 62 if k % 2 else 78) for k in range(22)]), box(160, 42, 50, 52), turn(48, 70, 34, 60, 130), arrow(214, 50, 254, 50, "s")],
    "polynomial-coupling": [line(60, 116, 240, 116, GREY), line(60, 116, 60, 20, GREY), path([(60 + 170 * k / 40, 112 - 86 * (0.2 * k / 40 + 0.8 * (k / 40) ** 3)) for k in range(41)]), text(244, 132, "a"), text(46, 26, "b")],
    "function-coupling": [path([(95 + (34 + 12 * math.cos(t / 10)) * math.cos(t / 10), 76 + (34 + 12 * math.cos(t / 10)) * math.sin(t / 10)) for t in range(63)], BODY, 2, close=True, fill=FILL), circle(95, 76, 3, GREY), circle(151, 76, 10, ELEMENT, "#fff4e6"), line(161, 76, 240, 76, BODY, 7), turn(95, 76, 54, 100, 160, "φ"), arrow(190, 58, 240, 58, "s"), text(200, 118, "h(q) = 0", ELEMENT)],
    "lock-latch": [DISC, path([(118, 18), (118, 30), (162, 30), (162, 18)], width=4), path([(128, 18), (128, 8), (152, 8), (152, 18)], width=3)],
    "latch-latch": [ground(20, 112, 240), box(30, 68, 80, 40), box(170, 68, 80, 40), path([(110, 88), (136, 88), (136, 78)], width=4), path([(170, 80), (144, 80), (144, 92)], width=4), text(140, 56, "distance")],
    "rope-latch": [ground(110, 22, 60), line(140, 22, 140, 22), path([(140, 22), (205, 92)], width=2.5), circle(210, 98, 14), pin(140, 22), path([(140 + 95 * math.cos(math.radians(a)), 22 + 95 * math.sin(math.radians(a))) for a in range(20, 161, 4)], GREY, 1.2, "4 4")],
    "spring-damper": [LOAD, line(30, 70, 60, 70), line(60, 52, 60, 88), coil(60, 52, 160, 52), damper(60, 88, 160, 88), line(160, 52, 160, 88), line(160, 70, 190, 70), arrow(32, 122, 188, 122, "ℓ", both=True)],
    "joint-spring": [ground(15, 112, 50), LINK, line(40, 104, 150, 104, GREY, 1.2, "4 3"), path([(40 + (6 + 0.4 * k) * math.cos(math.radians(14 * k)), 104 - (6 + 0.4 * k) * math.sin(math.radians(14 * k))) for k in range(54)]), pin(40, 104), turn(40, 104, 96, 0, 20, "x")],
    "joint-stop": [ground(30, 104, 220), box(105, 60, 70, 38), circle(121, 99, 5), circle(159, 99, 5), arrow(140, 40, 190, 40, "x"), line(236, 60, 236, 104, GREY, 5), path([(236, 70), (218, 70)], width=6), line(36, 60, 36, 104, GREY, 5), path([(36, 70), (54, 70)], width=6), text(228, 52, "upper"), text(50, 52, "lower")],
    "joint-friction": [line(40, 76, 240, 76, GREY), line(140, 16, 140, 132, GREY), path([(40 + 2 * k, 76 - 40 * ((1 + 0.35 * math.exp(-((k - 50) / 8) ** 2)) * math.tanh((k - 50) / 2.5) + 0.006 * (k - 50))) for k in range(101)]), text(246, 90, "v"), text(156, 26, "-Q")],
    "joint-force": [CART, arrow(60, 78, 126, 78, "Q", ELEMENT)],
    "brake": [circle(140, 70, 44), turn(140, 70, 54, 110, 190, "x"), circle(140, 70, 4, GREY, "#fff"), box(182, 50, 14, 40), path([(176, 48), (176, 92)], width=6), arrow(260, 70, 198, 70, "demand", ELEMENT)],
    "cruise": [ground(20, 110, 240), path([(70, 90), (70, 66), (100, 66), (116, 44), (160, 44), (180, 66), (210, 68), (210, 90)], BODY, 2, close=True, fill=FILL), circle(100, 94, 14), circle(180, 94, 14), arrow(214, 56, 256, 56, "u"), arrow(180, 94, 246, 94, "", ELEMENT), text(236, 86, "Q", ELEMENT)],
    "motor": [f'<rect x="30" y="46" width="70" height="48" rx="8" fill="#fff4e6" stroke="{ELEMENT}" stroke-width="2"/>', text(65, 76, "M", ELEMENT, 20), line(100, 70, 140, 70, BODY, 5), box(140, 48, 24, 44, "G"), line(164, 70, 206, 70, BODY, 5), circle(226, 70, 24), turn(226, 70, 32, 30, 130, "x"), line(44, 46, 44, 22), line(86, 46, 86, 22), text(65, 26, "u")],
    "hydraulic-cylinder": [path([(70, 52), (170, 52), (170, 88), (70, 88)], close=True, fill="#fff4e6"), line(112, 53, 112, 87, width=6), line(112, 70, 230, 70, BODY, 5), line(30, 70, 70, 70, BODY, 5), pin(30, 70), pin(232, 70), text(90, 76, "a"), text(146, 64, "b"), line(80, 88, 80, 112), line(160, 88, 160, 112), path([(72, 112), (168, 112), (168, 130), (72, 130)], close=True), line(104, 112, 104, 130), line(136, 112, 136, 130), arrow(80, 128, 96, 114), arrow(112, 14 + 107, 130, 121), text(200, 126, "o")],
    "pneumatic-cylinder": [path([(70, 46), (170, 46), (170, 94), (70, 94)], close=True, fill="#fff4e6"), line(130, 47, 130, 93, width=6), line(130, 70, 230, 70, BODY, 5), line(30, 70, 70, 70, BODY, 5), pin(30, 70), pin(232, 70), *[circle(x, y, 2, ELEMENT, ELEMENT, 1) for x, y in ((82, 58), (95, 80), (104, 56), (86, 72), (114, 74), (118, 60), (100, 68))], line(84, 94, 84, 116), path([(76, 116), (92, 128), (92, 116), (76, 128)], close=True), text(150, 62, "pₐ", size=12)],
    "driver": [path([(20 + 2 * k, 84 - 34 / (1 + math.exp(-(k - 60) / 9))) for k in range(121)], GREY, 2), path([(40, 92), (40, 116), (92, 116), (92, 92)], BODY, 2, close=True, fill=FILL), line(92, 104, 190, 104, INK, 1.2, "4 3"), circle(190, 104, 4, ELEMENT, "#fff"), arrow(190, 100, 190, 56, "", ELEMENT), text(200, 84, "e", ELEMENT), text(190, 124, "P"), text(140, 120, "L")],
    "force": [path([(80, 100), (70, 60), (130, 40), (180, 70), (160, 110)], BODY, 2, close=True, fill=FILL), arrow(160, 62, 240, 30, "F", ELEMENT), circle(160, 62, 3, ELEMENT, ELEMENT)],
    "torque": [path([(90, 104), (80, 60), (140, 40), (190, 70), (170, 110)], BODY, 2, close=True, fill=FILL), turn(138, 76, 44, -30, 230, "", ELEMENT), text(138, 82, "T", ELEMENT, 16)],
    "bushing": [circle(140, 70, 46, BODY, FILL), circle(140, 70, 36, ELEMENT, "#fff4e6"), *[path(along(140, 70, 140 + 36 * math.cos(a), 70 + 36 * math.sin(a), [(0.45, 0), (0.55, 4), (0.65, -4), (0.75, 4), (0.85, -4), (1, 0)]), width=1.6) for a in (0.4, 1.45, 2.5, 3.54, 4.6, 5.65)], circle(140, 70, 15), arrow(196, 70, 240, 70, "x"), arrow(140, 18, 140, 4), turn(140, 70, 58, 130, 170, "r")],
    "contact": [ground(40, 104, 200), circle(140, 74, 34), arrow(140, 108, 140, 48, "", ELEMENT), text(154, 62, "N", ELEMENT), arrow(140, 106, 92, 106, "", ELEMENT), text(86, 96, "F", ELEMENT), arrow(184, 74, 226, 74, "v")],
    "rigid-contact": [ground(40, 104, 200), path([(96, 104), (112, 52), (188, 74), (172, 126)][:2] + [(182, 40), (198, 92)], BODY, 2, close=True, fill=FILL), circle(96, 104, 3, ELEMENT, ELEMENT), arrow(96, 104, 96, 50, "", ELEMENT), text(84, 62, "N", ELEMENT), arrow(96, 102, 50, 102, "", ELEMENT), text(46, 94, "F", ELEMENT), turn(147, 72, 62, 20, 60, "")],
    "rigid-pile": [ground(40, 114, 200), *[circle(x, y, 22) for x, y in ((96, 91), (141, 91), (186, 91), (118, 52), (164, 52))], *[circle(x, y, 3, ELEMENT, ELEMENT) for x, y in ((96, 114), (141, 114), (186, 114), (107, 72), (130, 71), (152, 72), (175, 71), (141, 52))]],
    "drag": [path([(80, 96), (80, 70), (108, 70), (124, 48), (166, 48), (186, 70), (214, 72), (214, 96)], BODY, 2, close=True, fill=FILL), circle(110, 98, 13), circle(182, 98, 13), *[path([(262, y), (236, y + 2), (212, y - 8), (150, y - 16), (90, y - 8), (30, y - 6)], GREY, 1.2) for y in (58, 46)], arrow(214, 80, 140, 86, "", ELEMENT), text(128, 90, "F", ELEMENT)],
    "callback": [box(170, 46, 70, 48), f'<rect x="30" y="36" width="84" height="68" rx="4" fill="#fff4e6" stroke="{ELEMENT}" stroke-width="2"/>', text(72, 62, "program", ELEMENT), text(72, 82, "F(t, q, v)", ELEMENT), arrow(114, 70, 168, 70, "", ELEMENT)],
    "link-force": [LOAD, pin(30, 70), line(34, 70, 190, 70, dash="6 4"), arrow(100, 70, 52, 70, "F", ELEMENT), arrow(120, 70, 172, 70, "F", ELEMENT), arrow(32, 122, 188, 122, "ℓ", both=True)],
    "rope": [ground(40, 18, 200), line(81, 18, 81, 84), circle(95, 84, 14), path([(109, 84), (168, 30)]), circle(180, 34, 13, GREY, "#f1f3f5"), line(193, 36, 193, 92), box(176, 92, 34, 30), box(80, 98, 30, 28)],
    "tyre": [path([(20, 106), (110, 106), (150, 106), (190, 98), (260, 98)], GREY, 2.5), TYRE, arrow(146, 104, 146, 60, "", ELEMENT), arrow(146, 104, 206, 104, "", ELEMENT), text(160, 80, "Fz", ELEMENT), text(196, 122, "Fx", ELEMENT), turn(140, 62, 52, 140, 60, "")],
    "formula-block": [block(text(140, 76, "f(…)", ELEMENT, 18))],
    "sample-block": [block(WAVE, curve(steps(wave, 0.125), n=800))],
    "pid-block": [block(text(140, 60, "P + I + D", ELEMENT, 15), curve(lambda x: 0.08 + 0.35 * max(0.0, min(1.0, 3 * (x - 0.3)))), two=False)],
    "lag-block": [block(STEP, curve(LAG))],
    "second-order-block": [block(STEP, curve(servo))],
    "transfer-function-block": [block(text(140, 64, "b₀s + b₁", ELEMENT, 14), line(104, 71, 176, 71, width=1.5), text(140, 90, "s² + a₁s + a₂", ELEMENT, 14))],
    "integrator-block": [block(curve(lambda x: 0.1, colour=GREY, dash="4 3"), curve(lambda x: 0.76, colour=GREY, dash="4 3"), curve(LEVEL))],
    "derivative-block": [block(text(140, 78, "du/dt", ELEMENT, 18))],
    "delay-block": [block(WAVE, curve(lambda x: wave(x - 0.2) if x > 0.2 else 0.5))],
    "rate-limiter-block": [block(STEP, curve(RAMP))],
    "saturation-block": [block(line(96, 70, 184, 70, GREY, 1), line(140, 34, 140, 106, GREY, 1), path([(98, 96), (116, 96), (164, 44), (182, 44)]))],
    "dead-band-block": [block(line(96, 70, 184, 70, GREY, 1), line(140, 34, 140, 106, GREY, 1), path([(98, 104), (122, 70), (158, 70), (182, 36)]))],
    "relay-block": [block(WAVE, path([(96 + 88 * k / 400, 104 - 68 * v) for k, v in enumerate(RELAY)]))],
    "table-block": [block(path([(98, 100), (116, 66), (140, 58), (160, 44), (182, 40)]), *[circle(x, y, 2.5, ELEMENT, "#fff", 1.5) for x, y in ((98, 100), (116, 66), (140, 58), (160, 44), (182, 40))])],
}


def picture(strokes):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff"/>\n' + "\n".join(strokes) + "\n</svg>\n")


def main():
    pages = {page.stem for page in PAGES.glob("*.md")} - {"README"}
    wrong = sorted(pages ^ set(DRAWINGS))
    for name, strokes in DRAWINGS.items():
        file = PICTURES / f"{name}.svg"
        if sys.argv[1:] != ["--check"]:
            PICTURES.mkdir(parents=True, exist_ok=True)
            file.write_text(picture(strokes), encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != picture(strokes):
            wrong.append(name)
    if wrong:
        sys.exit(f"pages and pictures of elements differ: {', '.join(wrong)}; run tools/draw-elements.py")


if __name__ == "__main__":
    main()

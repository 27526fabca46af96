# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Written by tools/write-builder.py from doc/reference/articula-model.schema.json; do not edit.
"""The sections of a model file as methods of a builder, one for each type of item, with all keys.

Numbers are in SI units; texts may have units or be formulas: 0.5, "25 N/mm", "= m*L^2/12". A key that is a keyword of Python has a `_` after it: `from_`, `while_`, `class_`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from .parts import Items, Section, Shapes

if TYPE_CHECKING:
    from numpy import ndarray

    from .builder import Builder

Number = Union[float, str]
Numbers = Union[Sequence[Number], "ndarray[Any, Any]"]
Rows = Union[Sequence[Sequence[Number]], "ndarray[Any, Any]"]
Axis = Union[str, Numbers]
Orientation = Union[Numbers, Mapping[str, Any]]
Part = Mapping[str, Any]


class Joints(Section):
    """Joints between bodies: b.joint.TYPE(name, ...)."""

    _section, _word = "joints", "joint"

    def fixed(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
              loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """No motion.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("fixed", name, locals())

    def revolute(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
                 axis: Axis | None = None, rotor: Number | None = None,
                 closing: Literal["angles", "vectors"] | None = None,
                 loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Turns about an axis.

        from_    the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to       the body it leads to, in the same ways
        at       [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
                 coincide at zero
        axis     its axis: in ground with `at`, else in the frames (default z)
        rotor    [kg m^2] inertia of a rotor geared to the joint, seen at the joint (Jm G^2) (default 0)
        closing  where it closes a loop: `angles` five rows, `vectors` six, of which one is redundant (default angles)
        loop     where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("revolute", name, locals())

    def prismatic(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
                  axis: Axis | None = None, rotor: Number | None = None,
                  loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Slides along an axis.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        axis   its axis: in ground with `at`, else in the frames (default z)
        rotor  [kg] inertia of a rotor geared to the joint, seen at the joint (Jm G^2) (default 0)
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("prismatic", name, locals())

    def screw(self, name: str, /, *, from_: str | Part, to: str | Part, pitch: Number, at: Numbers | None = None,
              axis: Axis | None = None, rotor: Number | None = None,
              loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Turns about an axis and slides along it by `pitch` times the angle.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        axis   its axis: in ground with `at`, else in the frames (default z)
        pitch  [m] slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn
        rotor  [kg m^2] inertia of a rotor geared to the joint, seen at the joint (Jm G^2) (default 0)
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("screw", name, locals())

    def cylindrical(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
                    axis: Axis | None = None, loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Slides along an axis and turns about it.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        axis   its axis: in ground with `at`, else in the frames (default z)
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("cylindrical", name, locals())

    def universal(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
                  axes: Sequence[Axis] | None = None, loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Turns about two axes that cross at right angles.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        axes   first axis, fixed in `from`, and second, fixed in `to`, square to each other (default [x, y])
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("universal", name, locals())

    def planar(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
               axis: Axis | None = None, x: Axis | None = None,
               loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Slides in a plane and turns about its normal.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        axis   normal of the plane (default z)
        x      direction of the coordinate x in the plane (default chosen)
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("planar", name, locals())

    def spherical(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
                  loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Turns about a point, without singular attitudes.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("spherical", name, locals())

    def free(self, name: str, /, *, from_: str | Part, to: str | Part, at: Numbers | None = None,
             loop: Literal["auto", "keep", "cut"] | None = None) -> Builder:
        """Leaves all six motions free.

        from_  the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to     the body it leads to, in the same ways
        at     [m] where it sits in ground, at the reference configuration; without it the frames of `from` and `to`
               coincide at zero
        loop   where loops are cut: `keep` never here, `cut` here (default auto)
        """
        return self._add("free", name, locals())

    def rod(self, name: str, /, *, from_: str | Part, to: str | Part, length: Number | None = None,
            mass: Number | None = None) -> Builder:
        """Keeps two points at a distance: a bar with a ball joint at each end.

        from_   the point it starts from: `ground.p`, `crank.tip`, `crank` (its origin) or {frame, position}
        to      the point it leads to, in the same ways
        length  [m] distance of the points (default the distance of the points at the reference configuration)
        mass    [kg] mass of the bar, which is uniform and thin (default 0)
        """
        return self._add("rod", name, locals())

    def rolling_disc(self, name: str, /, *, from_: str | Part, to: str | Part, radius: Number, axis: Axis | None = None,
                     surface: Literal["plane", "sphere", "cylinder", "cone"] | None = None,
                     side: Literal["outside", "inside"] | None = None, surface_radius: Number | None = None,
                     half_angle: Number | None = None, road: str | None = None) -> Builder:
        """The rim of a thin disc rolls without slip on a plane, road or round surface.

        from_           the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to              the body it leads to, in the same ways
        axis            axis of the disc, in `to` (default y)
        radius          [m] its radius
        surface         what it is on, in `from`: the x-y plane, a sphere about the origin, a cylinder about z, a cone
                        that opens from the origin along z (default plane)
        side            of a sphere, cylinder or cone (default outside)
        surface_radius  [m] of a sphere or cylinder (default none)
        half_angle      [rad] of a cone, between its axis and its side (default none)
        road            one of `roads` instead: heights along z over the x-y plane of `from` (default none)
        """
        return self._add("rolling-disc", name, locals())

    def rolling_ball(self, name: str, /, *, from_: str | Part, to: str | Part, radius: Number,
                     surface: Literal["plane", "sphere", "cylinder", "cone"] | None = None,
                     side: Literal["outside", "inside"] | None = None, surface_radius: Number | None = None,
                     half_angle: Number | None = None, road: str | None = None) -> Builder:
        """A ball rolls without slip on a plane, road or round surface.

        from_           the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to              the body it leads to, in the same ways
        radius          [m] its radius
        surface         what it is on, in `from`: the x-y plane, a sphere about the origin, a cylinder about z, a cone
                        that opens from the origin along z (default plane)
        side            of a sphere, cylinder or cone (default outside)
        surface_radius  [m] of a sphere or cylinder (default none)
        half_angle      [rad] of a cone, between its axis and its side (default none)
        road            one of `roads` instead: heights along z over the x-y plane of `from` (default none)
        """
        return self._add("rolling-ball", name, locals())

    def knife_edge(self, name: str, /, *, from_: str | Part, to: str | Part, axis: Axis | None = None,
                   surface: Literal["plane", "sphere", "cylinder", "cone"] | None = None,
                   side: Literal["outside", "inside"] | None = None, surface_radius: Number | None = None,
                   half_angle: Number | None = None, road: str | None = None) -> Builder:
        """A blade glides on a plane, road or round surface, forward only.

        from_           the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}
        to              the body it leads to, in the same ways
        axis            across the blade, in `to` (default y)
        surface         what it is on, in `from`: the x-y plane, a sphere about the origin, a cylinder about z, a cone
                        that opens from the origin along z (default plane)
        side            of a sphere, cylinder or cone (default outside)
        surface_radius  [m] of a sphere or cylinder (default none)
        half_angle      [rad] of a cone, between its axis and its side (default none)
        road            one of `roads` instead: heights along z over the x-y plane of `from` (default none)
        """
        return self._add("knife-edge", name, locals())


class Couplings(Section):
    """Gears, racks, screws: relations between coordinates: b.coupling.TYPE(name, ...)."""

    _section, _word = "couplings", "coupling"

    def linear(self, name: str, /, *, terms: Mapping[str, Number], value: Number | None = None) -> Builder:
        """The sum of factors times coordinates keeps its value.

        terms  coordinates and their factors, in SI units
        value  [m or rad] what the terms add up to (default 0)
        """
        return self._add("linear", name, locals())

    def gear(self, name: str, /, *, joints: Sequence[str], ratio: Number, offset: Number | None = None) -> Builder:
        """B = ratio a + offset.

        joints  two joints or coordinates, [a, b]
        ratio   turns of b in a turn of a; negative where they turn against each other
        offset  [rad] b where a is zero (default 0)
        """
        return self._add("gear", name, locals())

    def rack(self, name: str, /, *, pinion: str, rack: str, radius: Number, offset: Number | None = None) -> Builder:
        """Slide = radius angle + offset.

        pinion  the joint or coordinate that turns
        rack    the joint or coordinate that slides
        radius  [m] slide per radian; negative where the slide goes the other way
        offset  [m] slide where the angle is zero (default 0)
        """
        return self._add("rack", name, locals())

    def screw(self, name: str, /, *, turn: str, slide: str, pitch: Number, offset: Number | None = None) -> Builder:
        """Slide = pitch angle + offset.

        turn    the joint or coordinate that turns
        slide   the joint or coordinate that slides
        pitch   [m] slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn
        offset  [m] slide where the angle is zero (default 0)
        """
        return self._add("screw", name, locals())

    def polynomial(self, name: str, /, *, coordinates: Sequence[str], coefficients: Numbers) -> Builder:
        """B = c0 + c1 a + c2 a^2 + .

        coordinates   two joints or coordinates, [b, a]
        coefficients  c0, c1, c2 and so on, in SI units, at most 32
        """
        return self._add("polynomial", name, locals())

    def function(self, name: str, /, *, coordinates: Sequence[str], function: str,
                 parameters: Numbers | None = None) -> Builder:
        """A function of the user stays zero, h(q) = 0.

        coordinates  the coordinates that it ties, in the order of the function's inputs
        function     the name of a user function, h(q); its bias has the same name with `_bias` appended
        parameters   numbers that follow the inputs of the function, of any unit, at most 32
        """
        return self._add("function", name, locals())


class Latches(Section):
    """Locks, latches and ropes: constraints that come and go: b.latch.TYPE(name, ...)."""

    _section, _word = "latches", "latch"

    def lock(self, name: str, /, *, coordinate: str | None = None, coordinates: Mapping[str, Number] | None = None,
             while_: Number | None = None, engage: Number | None = None, release: Number | None = None,
             engaged: bool | None = None) -> Builder:
        """A coordinate stays, while the lock is engaged, where it was at that instant. Give `coordinate` or
        `coordinates`. Not both `engage` and `while_`. Not both `release` and `while_`.

        coordinate   the joint coordinate that it holds, `pin.angle` or `pin`
        coordinates  or several of them with factors, of which it holds the sum
        while_       it is engaged while this formula is positive
        engage       it engages when this formula becomes positive
        release      and releases when this one does
        engaged      at the start (default false)
        """
        return self._add("lock", name, locals())

    def latch(self, name: str, /, *, between: Sequence[str],
              joint: Literal["fixed", "revolute", "prismatic", "cylindrical", "planar", "spherical"] | None = None,
              axis: Axis | None = None, distance: Number | None = None, while_: Number | None = None,
              engage: Number | None = None, release: Number | None = None, engaged: bool | None = None) -> Builder:
        """Two frames stay to each other as they were when the latch engaged. Not both `engage` and `while_`. Not both
        `release` and `while_`.

        between   the two frames, as `body.frame`, `body` or `ground`
        joint     what joins them (default fixed)
        axis      of the joint, in the second frame (default z)
        distance  [m] it engages when the origins of the frames come nearer than this
        while_    it is engaged while this formula is positive
        engage    it engages when this formula becomes positive
        release   and releases when this one does
        engaged   at the start (default false)
        """
        return self._add("latch", name, locals())

    def rope(self, name: str, /, *, between: Sequence[str], length: Number, engaged: bool | None = None) -> Builder:
        """Two points are never farther apart than the length; the rope pulls and does not push.

        between  the two points, as `body.point`, `body` (its origin) or `ground`
        length   [m] their largest distance
        engaged  taut at the start (default false)
        """
        return self._add("rope", name, locals())


class Surfaces(Section):
    """Surfaces of bodies that touch others: b.surface.TYPE(name, ...)."""

    _section, _word = "surfaces", "surface"

    def plane(self, name: str, /, *, body: str, group: str | None = None, position: Numbers | None = None) -> Builder:
        """The half-space below the xy-plane of its frame.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        """
        return self._add("plane", name, locals())

    def box(self, name: str, /, *, body: str, size: Numbers, group: str | None = None,
            position: Numbers | None = None) -> Builder:
        """A box.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        size      [m] along x, y and z
        """
        return self._add("box", name, locals())

    def capsule(self, name: str, /, *, body: str, radius: Number, length: Number, group: str | None = None,
                position: Numbers | None = None) -> Builder:
        """A cylinder along z with half spheres at its ends.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        radius    [m] its radius
        length    [m] between the centres of its caps
        """
        return self._add("capsule", name, locals())

    def cylinder(self, name: str, /, *, body: str, radius: Number, length: Number, group: str | None = None,
                 position: Numbers | None = None) -> Builder:
        """A cylinder along z; planes touch its two rims.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        radius    [m] its radius
        length    [m] along its axis
        """
        return self._add("cylinder", name, locals())

    def sphere(self, name: str, /, *, body: str, radius: Number, group: str | None = None,
               position: Numbers | None = None) -> Builder:
        """A sphere.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        radius    [m] its radius
        """
        return self._add("sphere", name, locals())

    def point(self, name: str, /, *, body: str, group: str | None = None, position: Numbers | None = None) -> Builder:
        """A point.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        """
        return self._add("point", name, locals())

    def ellipsoid(self, name: str, /, *, body: str, size: Numbers, group: str | None = None,
                  position: Numbers | None = None) -> Builder:
        """An ellipsoid.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        size      [m] along x, y and z
        """
        return self._add("ellipsoid", name, locals())

    def cone(self, name: str, /, *, body: str, radius: Number, length: Number, group: str | None = None,
             position: Numbers | None = None, top: Number | None = None) -> Builder:
        """A cone or frustum along z.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        radius    [m] at its lower end
        top       [m] radius at its upper end: of a frustum (default 0)
        length    [m] along its axis
        """
        return self._add("cone", name, locals())

    def torus(self, name: str, /, *, body: str, radius: Number, group: str | None = None,
              position: Numbers | None = None, tube: Number | None = None) -> Builder:
        """A circle about z with a tube: a wheel.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        radius    [m] of the middle of its tube, from the axis
        tube      [m] radius of its tube; 0: a thin disc (default 0)
        """
        return self._add("torus", name, locals())

    def profile(self, name: str, /, *, body: str, points: Rows, group: str | None = None,
                position: Numbers | None = None, smooth: bool | None = None, copies: Number | None = None) -> Builder:
        """A closed profile of lines and arcs, extruded along z: a cam, a gear, a Geneva wheel.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        points    [m] in order; the last one leads to the first; with `radius` by an arc, outward if positive
        smooth    arcs through the points, without corners (default false)
        copies    times that the points are repeated, turned on about z (default 1)
        """
        return self._add("profile", name, locals())

    def hull(self, name: str, /, *, body: str, points: Rows, group: str | None = None,
             position: Numbers | None = None) -> Builder:
        """The convex hull of points: a polyhedron.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        points    [m] its corners, in any order
        """
        return self._add("hull", name, locals())

    def road(self, name: str, /, *, body: str, road: str, group: str | None = None,
             position: Numbers | None = None) -> Builder:
        """The ground below the height of a road, over the xy-plane of its frame.

        body      `body.frame`, `body` or `ground`, with whose axes it is aligned
        group     a name that contacts may give instead of surfaces (default none)
        position  [m] of its centre, in the frame (default [0, 0, 0])
        road      one of `roads`
        """
        return self._add("road", name, locals())

    def solid(self, name: str, /, *, body: str, number: Number | None = None, group: str | None = None) -> Builder:
        """Shape, place and orientation of a solid of the body.

        body    `body.frame`, `body` or `ground`, with whose axes it is aligned
        number  which one, from 1 on (default the only one)
        group   a name that contacts may give instead of surfaces (default none)
        """
        return self._add("solid", name, locals())

    def visual(self, name: str, /, *, body: str, number: Number | None = None, group: str | None = None) -> Builder:
        """Shape, place and orientation of a visual of the body.

        body    `body.frame`, `body` or `ground`, with whose axes it is aligned
        number  which one, from 1 on (default the only one)
        group   a name that contacts may give instead of surfaces (default none)
        """
        return self._add("visual", name, locals())


class Forces(Section):
    """Forces and torques: b.force.TYPE(name, ...)."""

    _section, _word = "forces", "force"

    def spring_damper(self, name: str, /, *, between: Sequence[str], free_length: Number | None = None,
                      stiffness: Number | None = None, spring: Part | None = None, damping: Number | None = None,
                      damper: Part | None = None, stops: Part | None = None) -> Builder:
        """A spring and a damper between two points. Not both `spring` and `stiffness`. Not both `damper` and `damping`.

        between      the two points, as `body.point`, `body` (its origin) or `ground`
        free_length  [m] length at which the spring is slack (default 0)
        stiffness    [N/m] of a linear spring (default 0)
        spring       [m] law of the spring, over `length - free_length`
        damping      [N s/m] of a linear damper (default 0)
        damper       [m/s] law of the damper, over the rate of the length
        stops        limits of the length, and what pushes back beyond them
        """
        return self._add("spring-damper", name, locals())

    def joint_spring(self, name: str, /, *, coordinate: str | None = None,
                     coordinates: Mapping[str, Number] | None = None, rest: Number | None = None,
                     stiffness: Number | None = None, spring: Part | None = None, damping: Number | None = None,
                     damper: Part | None = None) -> Builder:
        """A spring and a damper in a joint. Give `coordinate` or `coordinates`. Not both `spring` and `stiffness`. Not
        both `damper` and `damping`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        rest         [m or rad] value of the coordinate at which the spring is slack (default 0)
        stiffness    [N/m or N m/rad] of a linear spring (default 0)
        spring       [m or rad] law of the spring, over `x - rest`
        damping      [N s/m or N m s/rad] of a linear damper (default 0)
        damper       [m/s or rad/s] law of the damper, over the rate of the coordinate
        """
        return self._add("joint-spring", name, locals())

    def joint_stop(self, name: str, /, *, stiffness: Number, coordinate: str | None = None,
                   coordinates: Mapping[str, Number] | None = None, lower: Number | None = None,
                   upper: Number | None = None, damping: Number | None = None) -> Builder:
        """Stops at the ends of a joint's travel. Give `coordinate` or `coordinates`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        lower        [m or rad] limit from below (default no lower stop)
        upper        [m or rad] limit from above (default no upper stop)
        stiffness    [N/m or N m/rad] k, of the stop
        damping      [s/m or s/rad] c, the dissipation of the stop (default 0)
        """
        return self._add("joint-stop", name, locals())

    def joint_friction(self, name: str, /, *, coulomb: Number, transition: Number, coordinate: str | None = None,
                       coordinates: Mapping[str, Number] | None = None, breakaway: Number | None = None,
                       stribeck: Number | None = None, viscous: Number | None = None) -> Builder:
        """Dry and viscous friction in a joint. Give `coordinate` or `coordinates`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        coulomb      [N or N m] sliding friction
        breakaway    [N or N m] static friction, at least `coulomb` (default coulomb)
        stribeck     [m/s or rad/s] speed over which static friction falls to sliding friction (default 10 times
                     `transition`)
        transition   [m/s or rad/s] speed over which friction changes its sign: small against working speeds
        viscous      [N s/m or N m s/rad] friction in proportion to speed (default 0)
        """
        return self._add("joint-friction", name, locals())

    def joint_force(self, name: str, /, *, coordinate: str | None = None,
                    coordinates: Mapping[str, Number] | None = None, value: Number | None = None,
                    function: str | None = None, parameters: Numbers | None = None,
                    arguments: Number | Sequence[Number] | None = None) -> Builder:
        """A force or torque on a joint coordinate. Give `coordinate` or `coordinates`. Give `function` or `value`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        value        [N or N m] force or torque, positive along the coordinate
        function     or the name of a user function that makes it
        parameters   numbers that follow the inputs of the function, of any unit, at most 32
        arguments    formulas, at most 3, whose values follow the parameters: states, commands, readings
        """
        return self._add("joint-force", name, locals())

    def force(self, name: str, /, *, point: str, value: Sequence[Number] | None = None,
              axes: Literal["ground", "body"] | None = None, function: str | None = None,
              parameters: Numbers | None = None, arguments: Number | Sequence[Number] | None = None) -> Builder:
        """A force on a point of a body. Give `function` or `value`.

        point       where it acts: `body.point`, or `body` for its origin
        value       [N] components along the axes
        axes        whose axes the components refer to (default ground)
        function    or the name of a user function that makes it
        parameters  numbers that follow the inputs of the function, of any unit, at most 32
        arguments   formulas, at most 3, whose values follow the parameters: states, commands, readings
        """
        return self._add("force", name, locals())

    def torque(self, name: str, /, *, body: str, value: Sequence[Number],
               axes: Literal["ground", "body"] | None = None) -> Builder:
        """A torque on a body.

        body   the body it acts on
        value  [N m] components along the axes
        axes   whose axes the components refer to (default ground)
        """
        return self._add("torque", name, locals())

    def tyre(self, name: str, /, *, wheel: str, tyre: str, road: str | None = None, relaxation: bool | None = None,
             road_height: Number | None = None, road_rate: Number | None = None, function: str | None = None,
             parameters: Numbers | None = None) -> Builder:
        """A tyre between a wheel and the road.

        wheel        a frame of the wheel: its origin is the centre, its y axis the axle, to the left
        tyre         one of `tyres`
        road         one of `roads` (default flat, z = 0)
        relaxation   slips that follow the motion over relaxation lengths, as states of their own (default false)
        road_height  [m] added to the height of the road under this wheel: an input, say (default 0)
        road_rate    [m/s] the rate of `road_height`, which the damping of the tyre feels; both or neither (default 0)
        function     the name of a user function that makes the forces of the slips (default the forces of the tyre)
        parameters   numbers that follow the inputs of the function, of any unit, at most 32
        """
        return self._add("tyre", name, locals())

    def bushing(self, name: str, /, *, from_: str, to: str, stiffness: Numbers | Rows | None = None,
                damping: Numbers | Rows | None = None, springs: Mapping[str, Part] | None = None,
                dampers: Mapping[str, Part] | None = None, preload: Numbers | None = None) -> Builder:
        """A bushing between two frames.

        from_      frame along whose axes it is measured: `body.frame`, `body` or `ground`
        to         the other frame
        stiffness  [N/m] K: its diagonal, or all of it by rows, symmetric (default 0)
        damping    [N s/m] D: its diagonal, or all of it by rows, symmetric (default 0)
        springs    [m or rad] laws k of single directions x, y, z, rx, ry, rz, added to K
        dampers    [m/s or rad/s] laws c of single directions, over the rates, added to D
        preload    [N] s0: what acts on `to` where x = 0, three forces and three torques (default 0)
        """
        return self._add("bushing", name, locals())

    def contact(self, name: str, /, *, between: Sequence[str],
                law: Literal["linear", "hertz", "hunt-crossley"] | None = None, stiffness: Number | None = None,
                young: Number | None = None, poisson: Number | None = None, exponent: Number | None = None,
                damping: Number | None = None, restitution: Number | None = None, speed: Number | None = None,
                friction: Number | None = None, static_friction: Number | None = None,
                transition_speed: Number | None = None, tangential_stiffness: Number | None = None,
                retardation: Number | None = None, rolling: Number | None = None,
                spinning: Number | None = None) -> Builder:
        """Contact of two surfaces, with friction. Give `stiffness` or `young`. Not both `damping` and `restitution`.

        between               two surfaces or groups; `all` is the group of all
        law                   of the normal force (default linear)
        stiffness             k: N/m (linear), N/m^1.5 (hertz) or N/m^p (hunt-crossley)
        young                 [Pa] hertz: Young's modulus of both bodies, which with the radii gives k
        poisson               hertz: Poisson's ratio, with `young` (default 0.3)
        exponent              p of hunt-crossley, at least 1 (default 1.5)
        damping               c: N s/m (linear), otherwise s/m (default 0)
        restitution           hertz, hunt-crossley: ratio of the speeds after and before an impact at `speed`, which
                              gives c (default none)
        speed                 [m/s] of the impact that has this `restitution` (default none)
        friction              mu, of sliding (default 0)
        static_friction       mu at rest (default `friction`)
        transition_speed      [m/s] slip velocity of this transition (default 0.01)
        tangential_stiffness  [N/m] k_t, of the bristle; required by friction of the other laws (default `stiffness` if
                              linear)
        retardation           [s] tau, of the bristle: its damping is k_t tau (default 1e-3)
        rolling               [m] b: the torque b N resists rolling (default 0)
        spinning              [m] e: friction also resists spinning, by mu e N alone (default 0)
        """
        return self._add("contact", name, locals())

    def rigid_contact(self, name: str, /, *, between: Sequence[str], restitution: Number | None = None,
                      friction: Number | None = None, rolling: Number | None = None,
                      spinning: Number | None = None) -> Builder:
        """Contact of two surfaces that never overlap, with impacts and friction.

        between      two surfaces or groups; `all` is the group of all
        restitution  ratio of the normal speeds after and before an impact, at most 1 (default 0)
        friction     mu (default 0)
        rolling      [m] b: a torque up to b N resists rolling (default 0)
        spinning     [m] e: friction resists spinning, too, by up to mu e N (default 0)
        """
        return self._add("rigid-contact", name, locals())

    def rigid_pile(self, name: str, /, *, between: Sequence[str], restitution: Number | None = None,
                   friction: Number | None = None, rolling: Number | None = None,
                   spinning: Number | None = None) -> Builder:
        """Rigid contacts of all pairs of two groups of surfaces.

        between      two surfaces or groups; `all` is the group of all
        restitution  ratio of the normal speeds after and before an impact, at most 1 (default 0)
        friction     mu (default 0)
        rolling      [m] b: a torque up to b N resists rolling (default 0)
        spinning     [m] e: friction resists spinning, too, by up to mu e N (default 0)
        """
        return self._add("rigid-pile", name, locals())

    def drag(self, name: str, /, *, point: str, area: Number, drag: Number, side: Number | None = None,
             vertical: Number | None = None, lift: Number | None = None, density: Number | None = None,
             wind: Numbers | None = None) -> Builder:
        """Aerodynamic drag on a point of a body.

        point     where it acts: `body.frame`, whose axes count, `body.point` or `body`
        area      [m^2] A, frontal
        drag      cx, along x
        side      cy, along y (default 0)
        vertical  cz, along z (default 0)
        lift      cl, along z for any direction of the air (default 0)
        density   [kg/m^3] rho, of the air (default 1.225)
        wind      [m/s] velocity of the air, in ground (default [0, 0, 0])
        """
        return self._add("drag", name, locals())

    def link_force(self, name: str, /, *, between: Sequence[str], value: Number | None = None,
                   function: str | None = None, parameters: Numbers | None = None,
                   arguments: Number | Sequence[Number] | None = None) -> Builder:
        """A force along the line between two points, by a formula or a function. Give `function` or `value`.

        between     the two points, as `body.point`, `body` (its origin) or `ground`
        value       [N] the tension; it may name the `length` and `rate` of the element itself
        function    or the name of a user function that makes it
        parameters  numbers that follow the inputs of the function, of any unit, at most 32
        arguments   formulas, at most 3, whose values follow the parameters: states, commands, readings
        """
        return self._add("link-force", name, locals())

    def rope(self, name: str, /, *, through: Sequence[str], free_length: Number, stiffness: Number,
             damping: Number | None = None) -> Builder:
        """An elastic rope through points, slack or taut.

        through      its points in order, as `body.point`, `body` (its origin) or `ground`: both ends, and pulleys
                     between them
        free_length  [m] length at which it becomes taut
        stiffness    [N/m] k, of the taut rope
        damping      [s/m] c, the dissipation of the taut rope (default 0)
        """
        return self._add("rope", name, locals())

    def brake(self, name: str, /, *, demand: Number, transition: Number, coordinate: str | None = None,
              coordinates: Mapping[str, Number] | None = None) -> Builder:
        """A brake on a joint coordinate. Give `coordinate` or `coordinates`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        demand       [N or N m] the force or torque of a full slide
        transition   [m/s or rad/s] rate over which the brake changes its sign: small against working rates
        """
        return self._add("brake", name, locals())

    def driver(self, name: str, /, *, frame: str, path: str | Part, distance: Number, gain: Number, limit: Number,
               stiffness: Number, coordinate: str | None = None, coordinates: Mapping[str, Number] | None = None,
               time: Number | None = None, damping: Number | None = None) -> Builder:
        """A driver who steers along a path. Give `coordinate` or `coordinates`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        frame        of the vehicle, x forward: where the driver sits
        path         what to follow: the name of a curve y(x), or a path by type
        distance     [m] to the point that the driver looks at, at standstill
        time         [s] the point lies that long ahead where that is farther (default 0)
        gain         steering angle per angle between the point and the path
        limit        [m or rad] largest wanted angle, approached smoothly
        stiffness    [N/m or N m/rad] of the arms: torque per angle that is missing
        damping      [N s/m or N m s/rad] of the arms (default 0)
        """
        return self._add("driver", name, locals())

    def cruise(self, name: str, /, *, frame: str, speed: Number, gain: Number, drive: Number, brake: Number,
               coordinate: str | None = None, coordinates: Mapping[str, Number] | None = None) -> Builder:
        """A control that keeps a speed. Give `coordinate` or `coordinates`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        frame        whose speed along its x axis counts
        speed        [m/s] wanted
        gain         force or torque per speed that is missing, in SI
        drive        [N or N m] largest force or torque forwards, approached smoothly
        brake        [N or N m] the same backwards
        """
        return self._add("cruise", name, locals())

    def motor(self, name: str, /, *, coordinate: str | None = None, coordinates: Mapping[str, Number] | None = None,
              voltage: Number | None = None, torque: Number | None = None, constant: Number | None = None,
              resistance: Number | None = None, inductance: Number | None = None, gear: Number | None = None,
              friction: Number | None = None, limit: Number | None = None, most: Number | None = None,
              current: Number | None = None) -> Builder:
        """A motor behind a gear, with circuit or torque-speed curve. Give `coordinate` or `coordinates`. Give `torque`
        or `voltage`.

        coordinate   the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one
        coordinates  or several of them with factors, of which it acts on the sum
        voltage      [V] u, at the terminals
        torque       [N m] or the torque of the rotor itself, instead of its circuit, as of an engine
        constant     [N m/A] k: torque per current, which is voltage per speed as well; needed with `voltage` (default
                     0)
        resistance   [Ohm] R, of the circuit; needed with `voltage` (default 0)
        inductance   [H] L, of the circuit; 0: the current follows at once (default 0)
        gear         G: angle of the rotor per coordinate, in rad/rad or rad/m (default 1)
        friction     [N m s/rad] b, of the rotor (default 0)
        limit        [N m] largest torque of the rotor, of either sign: a torque-speed curve is a formula of
                     `NAME.speed`; below 0 it counts as 0 (default none)
        most         [A] largest current, of either sign (default no limit)
        current      [A] at the start, where there is an inductance (default 0)
        """
        return self._add("motor", name, locals())

    def hydraulic_cylinder(self, name: str, /, *, between: Sequence[str], shortest: Number, stroke: Number,
                           area_a: Number, area_b: Number, dead_a: Number, dead_b: Number, flow: Number, drop: Number,
                           opening: Number, supply: Number, bulk: Number | None = None, tank: Number | None = None,
                           leakage: Number | None = None, transition: Number | None = None,
                           pressure_a: Number | None = None, pressure_b: Number | None = None) -> Builder:
        """A hydraulic cylinder with its valve, between two points.

        between     the two points, as `body.point`, `body` (its origin) or `ground`
        shortest    [m] length between the points with the piston at its inner end
        stroke      [m] S, of the piston
        area_a      [m^2] A_a, of the piston
        area_b      [m^2] A_b, of the ring on the side of the rod
        dead_a      [m^3] D_a: volume of side a, lines included, with the piston at its inner end
        dead_b      [m^3] D_b: of side b, with the piston at its outer end
        bulk        [Pa] B, of the oil (default 1.4e9)
        flow        [m^3/s] Q: rated flow of the open valve
        drop        [Pa] P: pressure drop over one edge at that flow
        opening     o, of the valve, limited to -1 to 1: positive extends
        supply      [Pa] p_s
        tank        [Pa] p_t (default 0)
        leakage     [m^3/s/Pa] l: flow past the piston per pressure difference (default 0)
        transition  [Pa] e: pressure drop below which the flow of the valve is proportional to it (default 1e4)
        pressure_a  [Pa] at the start, side a (default `tank`)
        pressure_b  [Pa] at the start, side b (default `tank`)
        """
        return self._add("hydraulic-cylinder", name, locals())

    def pneumatic_cylinder(self, name: str, /, *, between: Sequence[str], free_length: Number, pressure: Number,
                           area: Number, volume: Number, exponent: Number | None = None, gas: Number | None = None,
                           ambient: Number | None = None, temperature: Number | None = None, heat: Number | None = None,
                           supply: Number | None = None, valve: Number | None = None,
                           opening: Number | None = None) -> Builder:
        """Gas behind a piston between two points, with a valve.

        between      the two points, as `body.point`, `body` (its origin) or `ground`
        free_length  [m] length at which `pressure` and `volume` are given
        pressure     [Pa] p_0, absolute, of the gas at that length, with as much gas and heat as at the start
        area         [m^2] A, of the piston
        volume       [m^3] V_0, at that length
        exponent     k: ratio of the heat capacities of the gas, more than 1 (default 1.4)
        gas          [J/kg/K] R, of the gas (default 287.05)
        ambient      [Pa] p_a, absolute, on the other side of the piston and where the valve lets out (default 101325)
        temperature  [K] T_0, of the ambience, the supply, and the gas at `free_length` (default 293.15)
        heat         [W/K] h: heat that passes the wall, per temperature difference (default 0)
        supply       [Pa] pressure before the valve, absolute (default 101325)
        valve        [m^2] effective area of the open valve (default 0)
        opening      share of that area, limited to -1 to 1: positive from the supply, negative to the ambience (default
                     0)
        """
        return self._add("pneumatic-cylinder", name, locals())

    def callback(self, name: str, /) -> Builder:
        """A force law of the host program."""
        return self._add("callback", name, locals())


class Blocks(Section):
    """Blocks of control loops: b.block.TYPE(name, ...)."""

    _section, _word = "blocks", "block"

    def formula(self, name: str, /, *, value: Number, unit: str | None = None, every: Number | None = None,
                offset: Number | None = None, initial: Number | None = None) -> Builder:
        """A formula with a name.

        unit     of its value
        value    [its unit] its value, of anything that formulas may name
        every    [s] period of its instants; without one it follows at all times
        offset   [s] the first instant (default 0)
        initial  [its unit] value before the first instant (default 0)
        """
        return self._add("formula", name, locals())

    def sample(self, name: str, /, *, input: Number, every: Number, unit: str | None = None,
               offset: Number | None = None, initial: Number | None = None, delay: Number | None = None) -> Builder:
        """The value of a formula at its instants, held between them.

        unit     of its value
        input    [its unit] what it takes
        every    [s] period of its instants; without one it follows at all times
        offset   [s] the first instant (default 0)
        initial  [its unit] value before the first instant (default 0)
        delay    whole samples (default 0)
        """
        return self._add("sample", name, locals())

    def pid(self, name: str, /, *, input: Number, unit: str | None = None, measured: Number | None = None,
            kp: Number | None = None, ki: Number | None = None, kd: Number | None = None, filter: Number | None = None,
            limits: Numbers | None = None, tracking: Number | None = None, initial: Number | None = None,
            before: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """A controller with proportional, integral and derivative part, limited, without windup.

        unit      of its value, in SI
        input     the error, which the controller brings to zero
        measured  the derivative is that of this value with the opposite sign, so that a jump of the target does not
                  kick (default the derivative is that of `input`)
        kp        proportional gain (default 0)
        ki        integral gain, per second (default 0)
        kd        derivative gain, times seconds (default 0)
        filter    [s] time constant of the derivative; a continuous one needs it (default none, where sampled)
        limits    [its unit] least and largest value; `inf`, `-inf`: none (default none)
        tracking  [s] time constant by which the integral follows a value that is limited (default the integral stays
                  between the limits)
        initial   [its unit] integral at the start (default 0)
        before    value before the start, for the derivative (default 0)
        every     [s] time between two instants at which it computes (default continuous)
        offset    [s] time of the first instant (default 0)
        """
        return self._add("pid", name, locals())

    def lag(self, name: str, /, *, input: Number, time: Number, unit: str | None = None, gain: Number | None = None,
            initial: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """A lag of first order.

        unit     of its value, in SI
        input    the value that it follows
        time     [s] time constant
        gain     value per input, at rest (default 1)
        initial  [its unit] value at the start (default 0)
        every    [s] time between two instants at which it computes (default continuous)
        offset   [s] time of the first instant (default 0)
        """
        return self._add("lag", name, locals())

    def second_order(self, name: str, /, *, input: Number, frequency: Number, damping: Number, unit: str | None = None,
                     gain: Number | None = None, initial: Number | None = None, every: Number | None = None,
                     offset: Number | None = None) -> Builder:
        """A lag of second order.

        unit       of its value, in SI
        input      the value that it follows
        frequency  [Hz] natural frequency w/2π
        damping    damping ratio d
        gain       value per input, at rest (default 1)
        initial    [its unit] value at the start, at rest (default 0)
        every      [s] time between two instants at which it computes (default continuous)
        offset     [s] time of the first instant (default 0)
        """
        return self._add("second-order", name, locals())

    def transfer_function(self, name: str, /, *, input: Number, numerator: Number | Numbers,
                          denominator: Number | Numbers, unit: str | None = None, before: Number | None = None,
                          every: Number | None = None, offset: Number | None = None) -> Builder:
        """A ratio of polynomials in s.

        unit         of its value, in SI
        input        the value that goes in
        numerator    coefficients, that of the highest power of s first
        denominator  coefficients, that of the highest power of s first
        before       input before the start, with which it is at rest (default 0)
        every        [s] time between two instants at which it computes (default continuous)
        offset       [s] time of the first instant (default 0)
        """
        return self._add("transfer-function", name, locals())

    def integrator(self, name: str, /, *, input: Number, unit: str | None = None, gain: Number | None = None,
                   limits: Numbers | None = None, initial: Number | None = None, every: Number | None = None,
                   offset: Number | None = None) -> Builder:
        """The integral of a value by time.

        unit     of its value, in SI
        input    the value that is integrated by time
        gain     rate per input (default 1)
        limits   [its unit] least and largest value, at which it stops; `inf`, `-inf`: none (default none)
        initial  [its unit] value at the start (default 0)
        every    [s] time between two instants at which it computes (default continuous)
        offset   [s] time of the first instant (default 0)
        """
        return self._add("integrator", name, locals())

    def derivative(self, name: str, /, *, input: Number, unit: str | None = None, gain: Number | None = None,
                   filter: Number | None = None, before: Number | None = None, every: Number | None = None,
                   offset: Number | None = None) -> Builder:
        """The rate of a value, filtered.

        unit    of its value, in SI
        input   the value whose rate is wanted
        gain    value per rate of the input (default 1)
        filter  [s] time constant; a continuous one needs it (default none, where sampled)
        before  input before the start (default 0)
        every   [s] time between two instants at which it computes (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("derivative", name, locals())

    def delay(self, name: str, /, *, input: Number, delay: Number, unit: str | None = None, order: Number | None = None,
              before: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """The value of a time before.

        unit    of its value, in SI
        input   the value that comes later
        delay   [s] how much later; sampled, a multiple of `every`
        order   of the approximation by Padé that a continuous delay is, 1 to 10 (default none: give `every`)
        before  value before the first one arrives (default 0)
        every   [s] time between two instants at which it takes a sample (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("delay", name, locals())

    def rate_limiter(self, name: str, /, *, input: Number, rising: Number, unit: str | None = None,
                     falling: Number | None = None, time: Number | None = None, initial: Number | None = None,
                     every: Number | None = None, offset: Number | None = None) -> Builder:
        """A value that follows no faster than it may.

        unit     of its value, in SI
        input    the value that it follows
        rising   [its unit per s] largest rate upwards, positive
        falling  [its unit per s] largest rate downwards, positive (default that of `rising`)
        time     [s] time constant by which a continuous one comes to rest at its input (default none: give `every`)
        initial  [its unit] value at the start (default 0)
        every    [s] time between two instants at which it computes (default continuous)
        offset   [s] time of the first instant (default 0)
        """
        return self._add("rate-limiter", name, locals())

    def saturation(self, name: str, /, *, input: Number, limits: Numbers, unit: str | None = None,
                   every: Number | None = None, offset: Number | None = None) -> Builder:
        """A value between limits.

        unit    of its value, in SI
        input   the value that is limited
        limits  [its unit] least and largest value; `inf`, `-inf`: none
        every   [s] time between two instants at which it computes (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("saturation", name, locals())

    def dead_band(self, name: str, /, *, input: Number, band: Numbers, unit: str | None = None,
                  every: Number | None = None, offset: Number | None = None) -> Builder:
        """Nothing between two borders, beyond them the distance.

        unit    of its value, in SI
        input   the value that has no effect between the borders
        band    [its unit] lower and upper border; `inf`, `-inf`: none
        every   [s] time between two instants at which it computes (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("dead-band", name, locals())

    def relay(self, name: str, /, *, input: Number, band: Number | Sequence[Number], unit: str | None = None,
              values: Number | Sequence[Number] | None = None, on: bool | None = None, every: Number | None = None,
              offset: Number | None = None) -> Builder:
        """A switch with hysteresis.

        unit    of its value, in SI
        input   the value that switches
        band    border where it goes off, and where it goes on
        values  [its unit] its value off and on (default [0, 1])
        on      sampled: whether it is on before the first instant (default false)
        every   [s] time between two instants at which it computes (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("relay", name, locals())

    def table(self, name: str, /, *, input: Number, curve: str, unit: str | None = None, second: Number | None = None,
              every: Number | None = None, offset: Number | None = None) -> Builder:
        """A curve of a value, or of two.

        unit    of its value, in SI
        input   its argument
        second  its second argument, of a table of two dimensions (default none)
        curve   a curve of the section `curves`
        every   [s] time between two instants at which it computes (default continuous)
        offset  [s] time of the first instant (default 0)
        """
        return self._add("table", name, locals())


class Sensors(Section):
    """Readings of the machine, at once or sampled and late: b.sensor.TYPE(name, ...)."""

    _section, _word = "sensors", "sensor"

    def position(self, name: str, /, *, frame: str, relative: str | None = None, axes: str | None = None,
                 unit: str | None = None, gain: Number | None = None, bias: Number | Sequence[Number] | None = None,
                 limits: Numbers | None = None, resolution: Number | None = None, delay: Number | None = None,
                 initial: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """Place of a frame.

        frame       the body or frame where it is
        relative    body or frame that it is seen from, moving and turning with it (default ground)
        axes        body or frame along whose axes its components are (default axes of `relative`)
        unit        [m] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("position", name, locals())

    def velocity(self, name: str, /, *, frame: str, relative: str | None = None, axes: str | None = None,
                 unit: str | None = None, gain: Number | None = None, bias: Number | Sequence[Number] | None = None,
                 limits: Numbers | None = None, resolution: Number | None = None, delay: Number | None = None,
                 initial: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """Velocity of the origin of a frame.

        frame       the body or frame where it is
        relative    body or frame that it is seen from, moving and turning with it (default ground)
        axes        body or frame along whose axes its components are (default axes of `relative`)
        unit        [m/s] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("velocity", name, locals())

    def acceleration(self, name: str, /, *, frame: str, axes: str | None = None, gravity: bool | None = None,
                     unit: str | None = None, gain: Number | None = None, bias: Number | Sequence[Number] | None = None,
                     limits: Numbers | None = None, resolution: Number | None = None, delay: Number | None = None,
                     initial: Number | None = None, every: Number | None = None,
                     offset: Number | None = None) -> Builder:
        """An accelerometer.

        frame       the body or frame where it is
        axes        body or frame along whose axes its components are (default axes of `frame`)
        gravity     whether it feels gravity, as accelerometers do (default true)
        unit        [m/s^2] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("acceleration", name, locals())

    def gyro(self, name: str, /, *, frame: str, relative: str | None = None, axes: str | None = None,
             unit: str | None = None, gain: Number | None = None, bias: Number | Sequence[Number] | None = None,
             limits: Numbers | None = None, resolution: Number | None = None, delay: Number | None = None,
             initial: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """Angular velocity of a frame.

        frame       the body or frame where it is
        relative    body or frame that it is seen from, moving and turning with it (default ground)
        axes        body or frame along whose axes its components are (default axes of `frame`)
        unit        [rad/s] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("gyro", name, locals())

    def speed(self, name: str, /, *, frame: str, relative: str | None = None, unit: str | None = None,
              gain: Number | None = None, bias: Number | Sequence[Number] | None = None, limits: Numbers | None = None,
              resolution: Number | None = None, delay: Number | None = None, initial: Number | None = None,
              every: Number | None = None, offset: Number | None = None) -> Builder:
        """Magnitude of the velocity of the origin of a frame.

        frame       the body or frame where it is
        relative    body or frame that it is seen from, moving and turning with it (default ground)
        unit        [m/s] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("speed", name, locals())

    def force(self, name: str, /, *, joint: str, axes: str | None = None, unit: str | None = None,
              gain: Number | None = None, bias: Number | Sequence[Number] | None = None, limits: Numbers | None = None,
              resolution: Number | None = None, delay: Number | None = None, initial: Number | None = None,
              every: Number | None = None, offset: Number | None = None) -> Builder:
        """The force in a joint.

        joint       the joint that it is in; what it carries over to `to`
        axes        body or frame along whose axes its components are (default axes of ground)
        unit        [N] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("force", name, locals())

    def torque(self, name: str, /, *, joint: str, axes: str | None = None, unit: str | None = None,
               gain: Number | None = None, bias: Number | Sequence[Number] | None = None, limits: Numbers | None = None,
               resolution: Number | None = None, delay: Number | None = None, initial: Number | None = None,
               every: Number | None = None, offset: Number | None = None) -> Builder:
        """The torque in a joint.

        joint       the joint that it is in; what it carries over to `to`
        axes        body or frame along whose axes its components are (default axes of ground)
        unit        [N m] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("torque", name, locals())

    def distance(self, name: str, /, *, between: Sequence[str], unit: str | None = None, gain: Number | None = None,
                 bias: Number | Sequence[Number] | None = None, limits: Numbers | None = None,
                 resolution: Number | None = None, delay: Number | None = None, initial: Number | None = None,
                 every: Number | None = None, offset: Number | None = None) -> Builder:
        """The distance between two frames.

        between     two bodies or frames
        unit        [m] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("distance", name, locals())

    def angle(self, name: str, /, *, between: Sequence[str], axis: Literal["x", "y", "z"] | None = None,
              unit: str | None = None, gain: Number | None = None, bias: Number | Sequence[Number] | None = None,
              limits: Numbers | None = None, resolution: Number | None = None, delay: Number | None = None,
              initial: Number | None = None, every: Number | None = None, offset: Number | None = None) -> Builder:
        """The angle between axes of two frames.

        between     two bodies or frames
        axis        of both (default x)
        unit        [rad] of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("angle", name, locals())

    def quantity(self, name: str, /, *, value: Number, unit: str | None = None, gain: Number | None = None,
                 bias: Number | Sequence[Number] | None = None, limits: Numbers | None = None,
                 resolution: Number | None = None, delay: Number | None = None, initial: Number | None = None,
                 every: Number | None = None, offset: Number | None = None) -> Builder:
        """Any quantity, as a joint coordinate.

        value       anything that formulas may name, as pin.angle
        unit        of the reading, where `gain` changes it (default that of the quantity)
        gain        reading per value (default 1)
        bias        reading at the value 0; of a vector one, or one for each component (default 0)
        limits      least and largest reading; `inf`, `-inf`: none (default none)
        resolution  sampled: readings are multiples of it (default none)
        delay       [s] sampled: how much later it shows; a multiple of `every` (default 0)
        initial     [its unit] sampled: reading until the first sample arrives (default 0)
        every       [s] time between two samples (default continuous)
        offset      [s] time of the first instant (default 0)
        """
        return self._add("quantity", name, locals())


class Roads(Section):
    """The ground under wheels and surfaces: b.road.TYPE(name, ...)."""

    _section, _word = "roads", "road"

    def plane(self, name: str, /, *, height: Number | None = None, grade: Number | None = None,
              bank: Number | None = None) -> Builder:
        """A plane, level or inclined.

        height  [m] at x = y = 0 (default 0)
        grade   slope along x: 0.1 climbs 10 % (default 0)
        bank    slope along y: positive where the left side is higher (default 0)
        """
        return self._add("plane", name, locals())

    def bump(self, name: str, /, *, start: Number, length: Number, height: Number, count: Number | None = None,
             spacing: Number | None = None) -> Builder:
        """Cosine bumps in a row.

        start    [m] where the first bump begins
        length   [m] of a bump
        height   [m] of a bump; negative: a hole
        count    number of bumps (default 1)
        spacing  [m] from start to start (default the length)
        """
        return self._add("bump", name, locals())

    def ramp(self, name: str, /, *, start: Number, up: Number, height: Number, radius: Number,
             plateau: Number | None = None, down: Number | None = None) -> Builder:
        """Up, level, down, with rounded corners.

        start    [m] where it begins
        up       [m] length of the way up
        plateau  [m] length of the level part (default 0)
        down     [m] length of the way down (default stays up)
        height   [m] negative: a trough
        radius   [m] of the rounded corners
        """
        return self._add("ramp", name, locals())

    def stairs(self, name: str, /, *, start: Number, count: Number, rise: Number, tread: Number, riser: Number,
               radius: Number) -> Builder:
        """Steps with rounded edges.

        start   [m] foot of the first riser
        count   number of steps
        rise    [m] height of a step; negative: downwards
        tread   [m] from riser to riser
        riser   [m] length of a riser along x
        radius  [m] of the rounded edges
        """
        return self._add("stairs", name, locals())

    def sine(self, name: str, /, *, amplitude: Number, wavelength: Number, last_wavelength: Number | None = None,
             phase: Number | None = None, start: Number | None = None, length: Number | None = None,
             blend: Number | None = None) -> Builder:
        """Waves, or a sweep.

        amplitude        [m] of the waves
        wavelength       [m] of the first wave
        last_wavelength  [m] of the last wave: a sweep (default the same)
        phase            [rad] at the start (default 0)
        start            [m] where the waves begin (default 0)
        length           [m] of the waves; a sweep needs it (default without end)
        blend            [m] over which they swell and fade; needed with a length (default 0)
        """
        return self._add("sine", name, locals())

    def random(self, name: str, /, *, class_: str | None = None, roughness: Number | None = None,
               seed: Number | None = None, track: Number | None = None, coherence: Number | None = None,
               period: Number | None = None, lowest: Number | None = None, highest: Number | None = None,
               start: Number | None = None, blend: Number | None = None) -> Builder:
        """A random profile of ISO 8608. Give `class_` or `roughness`.

        class_     of ISO 8608, A (very good) to H
        roughness  Gd(n0) in m^3 at 0.1 cycles/m
        seed       a whole number; the same seed gives the same road (default 0)
        track      [m] distance of left and right profile (default one profile)
        coherence  of the two profiles, 0 to 1 (default 0)
        period     [m] after which the road repeats (default 1024 m)
        lowest     wave number, cycles/m (default 0.011)
        highest    wave number, cycles/m (default 2.83)
        start      [m] flat up to here, when there is a blend (default 0)
        blend      [m] over which the profile grows to its height (default no beginning)
        """
        return self._add("random", name, locals())

    def table(self, name: str, /, *, profile: Rows, curve: Literal["cubic", "linear"] | None = None,
              radius: Number | None = None) -> Builder:
        """Heights over distances.

        profile  [m] rows [distance, height]; level before and after
        curve    through the points: a spline, or lines with rounded corners (default cubic)
        radius   [m] of the corners of lines (default as the lines allow)
        """
        return self._add("table", name, locals())

    def tracks(self, name: str, /, *, tracks: Sequence[Part], blend: Number, ground: str | None = None) -> Builder:
        """Roads side by side.

        tracks  a list of {from, to, road}, from right to left
        blend   [m] width over which one passes into the other
        ground  the road outside of all tracks (default flat)
        """
        return self._add("tracks", name, locals())

    def sum(self, name: str, /, *, parts: Sequence[str]) -> Builder:
        """Roads on top of each other.

        parts  roads whose heights add up
        """
        return self._add("sum", name, locals())

    def placed(self, name: str, /, *, road: str, position: Numbers | None = None,
               heading: Number | None = None) -> Builder:
        """A road moved and turned.

        road      the road that is moved
        position  [m] of its origin (default [0, 0, 0])
        heading   [rad] of its x axis, positive to the left (default 0)
        """
        return self._add("placed", name, locals())

    def function(self, name: str, /, *, function: str, parameters: Numbers | None = None,
                 resolution: Number | None = None) -> Builder:
        """Heights by a function of the user.

        function    the name of a user function: x, y to z, dz/dx, dz/dy
        parameters  numbers that follow x and y, of any unit, at most 32
        resolution  [m] steps look at points this far apart; what is shorter may be missed (default 0.01)
        """
        return self._add("function", name, locals())


class Tyres(Section):
    """Laws of tyres: b.tyre.TYPE(name, ...)."""

    _section, _word = "tyres", "tyre"

    def magic(self, name: str, /, *, file: str, mirrored: bool | None = None,
              scale: Mapping[str, Number] | None = None) -> Builder:
        """Magic Formula from a .tir file.

        file      path of a `.tir` file of version 5.2, 6.1 or 6.2, relative to this file
        mirrored  mounted on the other side of the vehicle than where it was measured (default false)
        scale     numbers that replace the ones in the file, in SI units: `{LMUY: 0.8}`
        """
        return self._add("magic", name, locals())

    def bakker(self, name: str, /, *, radius: Number, stiffness: Number, load: Number, damping: Number | None = None,
               side: Numbers | None = None, brake: Numbers | None = None, align: Numbers | None = None,
               relaxation_x: Number | None = None, relaxation_y: Number | None = None) -> Builder:
        """Bakker, Nyborg and Pacejka, 1987.

        radius        [m] without load
        stiffness     [N/m] load per deflection along the road's normal
        damping       [N s/m] load per rate of the deflection (default 0)
        load          [N] the nominal load
        side          a1 to a13 of the side force, as in the paper (default the paper's)
        brake         a1 to a8 of the brake force (default the paper's)
        align         a1 to a13 of the self-aligning moment (default the paper's)
        relaxation_x  [m] relaxation length of the longitudinal slip (default a tenth of the radius)
        relaxation_y  [m] relaxation length of the slip angle (default a tenth of the radius)
        """
        return self._add("bakker", name, locals())

    def calspan(self, name: str, /, *, radius: Number, stiffness: Number, load: Number, A0: Number, A1: Number,
                A2: Number, A3: Number, A4: Number, Aomega: Number, B3: Number, damping: Number | None = None,
                B1: Number | None = None, B4: Number | None = None, SN: Number | None = None, AF1: Number | None = None,
                AF2: Number | None = None, relaxation_x: Number | None = None,
                relaxation_y: Number | None = None) -> Builder:
        """Calspan, side force alone.

        radius        [m] without load
        stiffness     [N/m] load per deflection along the road's normal
        damping       [N s/m] load per rate of the deflection (default 0)
        load          [N] the nominal load
        A0            cornering stiffness at no load
        A1            its growth with the load
        A2            the load at which it stops growing
        A3            camber stiffness
        A4            its load
        Aomega        load limit in units of A2
        B1            friction: linear in the load (default 0)
        B3            friction at no load
        B4            friction: quadratic in the load (default 0)
        SN            skid number of the road over that of the test (default 1)
        AF1           aligning moment: first coefficient (default 0)
        AF2           aligning moment: second coefficient (default 0)
        relaxation_x  [m] relaxation length of the longitudinal slip (default a tenth of the radius)
        relaxation_y  [m] relaxation length of the slip angle (default a tenth of the radius)
        """
        return self._add("calspan", name, locals())

    def linear(self, name: str, /, *, radius: Number, stiffness: Number, load: Number, damping: Number | None = None,
               slip: Number | None = None, cornering: Number | None = None, camber: Number | None = None,
               trail: Number | None = None, friction: Number | None = None, relaxation_x: Number | None = None,
               relaxation_y: Number | None = None) -> Builder:
        """Stiffnesses in proportion to the load.

        radius        [m] without load
        stiffness     [N/m] load per deflection along the road's normal
        damping       [N s/m] load per rate of the deflection (default 0)
        load          [N] the nominal load
        slip          [N] longitudinal force per slip at the nominal load (default 0)
        cornering     [N] lateral force per radian of slip angle (default 0)
        camber        [N] lateral force per radian of camber (default 0)
        trail         [m] arm of the self-aligning moment (default 0)
        friction      largest horizontal force per load (default no limit)
        relaxation_x  [m] relaxation length of the longitudinal slip (default a tenth of the radius)
        relaxation_y  [m] relaxation length of the slip angle (default a tenth of the radius)
        """
        return self._add("linear", name, locals())

    def radial(self, name: str, /, *, radius: Number, stiffness: Number, load: Number,
               damping: Number | None = None) -> Builder:
        """Spring and damper along the road's normal alone.

        radius     [m] without load
        stiffness  [N/m] load per deflection along the road's normal
        damping    [N s/m] load per rate of the deflection (default 0)
        load       [N] the nominal load
        """
        return self._add("radial", name, locals())


class StudiesOfModel(Section):
    """Several of them, by name: b.study.TYPE(name, ...)."""

    _section, _word = "studies", "study"

    def run(self, name: str, /, *, from_: Number | None = None, until: Number | None = None,
            interval: Number | None = None,
            method: Literal["automatic", "order-n", "mass-matrix", "semirecursive", "recursive", "augmented", "index1", "index3", "multi-index", "conserving", "generated"] | None = None,
            backend: Literal["numeric", "generated"] | None = None,
            integrator: Literal["rk4", "dopri5", "bdf", "adams", "automatic", "moreau"] | None = None,
            algebra: Literal["automatic", "plain", "dense", "sparse"] | None = None,
            redundant: Literal["drop", "lu", "umfpack", "spqr"] | None = None,
            partition: Literal["symbolic", "pivoting"] | None = None, independent: Sequence[str] | None = None,
            newton: Literal["automatic", "dense", "krylov"] | None = None, step: Number | None = None,
            at_equilibrium: bool | None = None, nearest: bool | None = None, speed: Number | None = None,
            tolerance: Number | None = None, alpha: Number | None = None, beta: Number | None = None,
            penalty: Number | None = None,
            projections: Literal["automatic", "no", "yes", "tangent", "baumgarte"] | bool | None = None,
            spectral_radius: Number | None = None, hht: Number | None = None, whole_steps: bool | None = None,
            iterations: Number | None = None, forces_at_ends: bool | None = None, energy_upper: Number | None = None,
            energy_lower: Number | None = None, local_error: Number | None = None, energy_scale: Number | None = None,
            safety: Number | None = None, growth: Number | None = None, shrink: Number | None = None,
            longest_step: Number | None = None, shortest_step: Number | None = None, leave_index3: Number | None = None,
            leave_index1: Number | None = None, reductions: Number | None = None,
            design: Sequence[str] | None = None) -> Builder:
        """Motion in time.

        from_            [s] start time (default 0)
        until            [s] end time (default 10)
        interval         [s] between outputs (default follows the motion)
        method           `automatic`: `order-n` for trees, `semirecursive` with loops; `index1`, `index3`,
                         `multi-index`, `conserving`: natural coordinates; `generated`: equations compiled for the
                         machine (default automatic)
        backend          of `automatic`: `numeric`, by the library; `generated`, as `method: generated` (default
                         numeric)
        integrator       `automatic`: `dopri5`, and `bdf` from where the motion proves stiff; `index1`, `index3`,
                         `multi-index`, `conserving` have their own rule (default automatic)
        algebra          `semirecursive`: the reduced mass matrix in `plain` C (`automatic`), `dense` by BLAS and
                         LAPACK, or `sparse`; natural coordinates: `dense`, `sparse`, `automatic` by their number
                         (default automatic)
        redundant        `semirecursive`: `drop` constraints that follow from others, or solve with all by `lu` with
                         full pivoting, by sparse LU (`umfpack`) or QR (`spqr`) (default drop)
        partition        closed loops: choice of independent coordinates, `symbolic`: for small blocks, `pivoting`: by
                         full pivoting (default symbolic)
        independent      closed loops: independent coordinates by hand; a joint means all its own (default chosen)
        newton           `bdf`: Newton's equations with a `dense` matrix, an evaluation for each unknown, or by `krylov`
                         (GMRES), one for each of a few iterations; `automatic`: `krylov` from 129 unknowns on (default
                         automatic)
        step             [s] step of `rk4`, which needs one; first step of the others. Natural coordinates: the step
                         (`multi-index`: the first), automatic is 1 ms or a thousandth of the duration, whichever is
                         shorter (default automatic)
        at_equilibrium   begin at the equilibrium of `equil` (default false)
        nearest          with `at_equilibrium`, the nearest equilibrium, stable or not, instead of the stable one below
                         (default false)
        speed            [m/s] with `at_equilibrium`, steady motion of a vehicle at this speed along its heading
                         (default 0)
        tolerance        relative error of a step; the absolute one is a thousandth, in units of the machine. Natural
                         coordinates: a tenth, times the machine's size, ends the iterations (default 1e-8)
        alpha            [1/s] `recursive`, `augmented`: Baumgarte's damping of open loops, phi'' + 2 alpha phi' +
                         beta^2 phi = 0; usual are 1 to 20 1/s. `index1` with `projections: baumgarte`: of all
                         constraints (default 10)
        beta             [1/s] `recursive`, `augmented`: his stiffness; beta = alpha damps critically (default 10)
        penalty          [kg] natural coordinates: of the augmented Lagrangian (default automatic)
        projections      natural coordinates, `recursive`, `augmented`: return to the constraints after a step; natural
                         coordinates also with the matrix of the last iteration (`tangent`), `index1` by `alpha` and
                         `beta` alone (`baumgarte`) (default yes; `conserving`: no)
        spectral_radius  `index3`: generalised-alpha family, 0 (damps high frequencies at once) to 1 (trapezoidal rule)
                         (default 1)
        hht              `index3`: alpha of Hilber, Hughes and Taylor instead, -1/3 to 0 (default 0)
        whole_steps      `index1`, `index3`, `conserving`: step as published rules do: locate no event, divide and
                         repeat no step; one that does not converge ends the run (default false)
        iterations       natural coordinates: most iterations in a step; 0 is automatic (default automatic)
        forces_at_ends   `conserving`: forces without a potential as the mean of both ends of a step, as published,
                         instead of those at its middle (default false)
        energy_upper     `multi-index`: relative error of the energy above which a step is repeated (default automatic)
        energy_lower     `multi-index`: the one below which the next step is longer (default automatic)
        local_error      `multi-index`: error of the trapezoidal rule per second above which a step is repeated, in
                         units of the coordinates; automatic: 5e-5 over the duration, or none with `energy_upper`
                         (default automatic)
        energy_scale     [N m] `multi-index`: J, to which errors of the energy relate; automatic: the largest kinetic
                         energy, or weight times size, so far (default automatic)
        safety           `multi-index`: the next step is (safety · allowed / found error)^(1/2) times as long (default
                         0.8)
        growth           `multi-index`: largest factor from one step to the next (default 2)
        shrink           `multi-index`: least factor of a repeated step, at most 0.5 (default 0.1)
        longest_step     [s] `multi-index`: automatic is 10 ms (default automatic)
        shortest_step    [s] `multi-index`: taken whatever its error; automatic: 1e-4 of the longest, or 1e-6 of the
                         duration if shorter (default automatic)
        leave_index3     [s] `multi-index`: steps below are taken by index 1 (default 0.1 ms)
        leave_index1     [s] `multi-index`: steps above are taken by index 3 again (default twice `leave_index3`)
        reductions       `multi-index`: of one step in a row, after which index 3 gives way to index 1 (default 5)
        design           parameters that programs vary and improve (default none)
        """
        return self._add("run", name, locals())

    def equil(self, name: str, /, *,
              method: Literal["automatic", "order-n", "mass-matrix", "semirecursive", "recursive", "augmented", "index1", "index3", "multi-index", "conserving", "generated"] | None = None,
              backend: Literal["numeric", "generated"] | None = None, nearest: bool | None = None,
              speed: Number | None = None, design: Sequence[str] | None = None) -> Builder:
        """Static equilibrium.

        method   `automatic`: `order-n` for trees, `semirecursive` with loops; `index1`, `index3`, `multi-index`,
                 `conserving`: natural coordinates; `generated`: equations compiled for the machine (default automatic)
        backend  of `automatic`: `numeric`, by the library; `generated`, as `method: generated` (default numeric)
        nearest  the nearest equilibrium, stable or not, instead of the stable one below (default false)
        speed    [m/s] steady motion of a vehicle at this speed along its heading (default 0)
        design   parameters that programs vary and improve (default none)
        """
        return self._add("equil", name, locals())

    def linear(self, name: str, /, *,
               method: Literal["automatic", "order-n", "mass-matrix", "semirecursive", "recursive", "augmented", "index1", "index3", "multi-index", "conserving", "generated"] | None = None,
               backend: Literal["numeric", "generated"] | None = None, at_equilibrium: bool | None = None,
               nearest: bool | None = None, speed: Number | None = None,
               design: Sequence[str] | None = None) -> Builder:
        """Linearised matrices, eigenvalues, modes.

        method          `automatic`: `order-n` for trees, `semirecursive` with loops; `index1`, `index3`, `multi-index`,
                        `conserving`: natural coordinates; `generated`: equations compiled for the machine (default
                        automatic)
        backend         of `automatic`: `numeric`, by the library; `generated`, as `method: generated` (default numeric)
        at_equilibrium  linearise at the equilibrium of `equil`, else at the initial state (default false)
        nearest         with `at_equilibrium`, the nearest equilibrium, stable or not, instead of the stable one below
                        (default false)
        speed           [m/s] with `at_equilibrium`, steady motion of a vehicle at this speed along its heading (default
                        0)
        design          parameters that programs vary and improve (default none)
        """
        return self._add("linear", name, locals())

    def inverse(self, name: str, /, *, from_: Number | None = None, until: Number | None = None,
                interval: Number | None = None, motion: Mapping[str, Number] | None = None,
                actuators: Sequence[str] | None = None, design: Sequence[str] | None = None) -> Builder:
        """Forces along a given motion.

        from_      [s] start time (default 0)
        until      [s] end time (default 10)
        interval   [s] between outputs (default follows the motion)
        motion     formulas of time for coordinates; the others keep their initial values
        actuators  with closed loops: the coordinates whose forces make the motion (default the independent coordinates)
        design     parameters that programs vary and improve (default none)
        """
        return self._add("inverse", name, locals())

    def kinematics(self, name: str, /, *, wheels: Sequence[str], hold: Sequence[str] | None = None,
                   bump: Number | None = None, rebound: Number | None = None, steps: Number | None = None,
                   travel: Literal["parallel", "opposite"] | None = None, radius: Number | None = None,
                   longitudinal: Number | None = None, lateral: Number | None = None, aligning: Number | None = None,
                   design: Sequence[str] | None = None) -> Builder:
        """Wheels of an axle through their travel, at rest: camber, toe, path, loads, and what loads on the wheels
        change.

        wheels        frames of the wheels that are moved: origin the wheel centre, y the spin axis, pointing left
        hold          joints that keep their positions: of the body, of the steering, of locked brakes (default none)
        bump          [m] how far wheel centres go up (default 80 mm)
        rebound       [m] how far they go down (default 80 mm)
        steps         each way (default 8)
        travel        `opposite`: wheels of the other side go the other way (default parallel)
        radius        [m] depth below the wheel centre, in the wheel's plane, of the point of loads and track (default
                      0)
        longitudinal  [N] load on every wheel along x (default 0)
        lateral       [N] the same along y (default 0)
        aligning      [N m] the same about z (default 0)
        design        parameters that programs vary and improve (default none)
        """
        return self._add("kinematics", name, locals())

    def response(self, name: str, /, *,
                 method: Literal["automatic", "order-n", "mass-matrix", "semirecursive", "recursive", "augmented", "index1", "index3", "multi-index", "conserving", "generated"] | None = None,
                 backend: Literal["numeric", "generated"] | None = None, tyres: Sequence[str] | None = None,
                 factors: Numbers | None = None, delays: Numbers | None = None, from_: Number | None = None,
                 to: Number | None = None, count: Number | None = None, at_equilibrium: bool | None = None,
                 nearest: bool | None = None, speed: Number | None = None,
                 design: Sequence[str] | None = None) -> Builder:
        """Frequency response from the height of the road under the tyres to all outputs.

        method          `automatic`: `order-n` for trees, `semirecursive` with loops; `index1`, `index3`, `multi-index`,
                        `conserving`: natural coordinates; `generated`: equations compiled for the machine (default
                        automatic)
        backend         of `automatic`: `numeric`, by the library; `generated`, as `method: generated` (default numeric)
        tyres           tyres under which the road goes up and down (default all)
        factors         share of the motion of each of these tyres, or of all in the order of the file (default 1 for
                        each)
        delays          [s] how much later each gets it, as rear wheels do (default 0 for each)
        from_           [Hz] lowest frequency (default 0.1 Hz)
        to              [Hz] highest frequency (default 50 Hz)
        count           of frequencies, in equal ratios (default 200)
        at_equilibrium  linearise at the equilibrium of `equil`, else at the initial state (default false)
        nearest         with `at_equilibrium`, the nearest equilibrium, stable or not, instead of the stable one below
                        (default false)
        speed           [m/s] with `at_equilibrium`, steady motion of a vehicle at this speed along its heading (default
                        0)
        design          parameters that programs vary and improve (default none)
        """
        return self._add("response", name, locals())


class Solids(Shapes):
    """Values of the key `solid`: b.solid.TYPE(...) is a dict of its keys."""

    def box(self, /, *, size: Numbers, density: Number | None = None, mass: Number | None = None,
            hole: bool | None = None, colour: str | None = None, position: Numbers | None = None,
            orientation: Orientation | None = None) -> dict[str, Any]:
        """A box. Not both `density` and `mass`.

        size         [m] its edges
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        """
        return self._make("box", locals())

    def cylinder(self, /, *, radius: Number, length: Number, density: Number | None = None, mass: Number | None = None,
                 hole: bool | None = None, colour: str | None = None, position: Numbers | None = None,
                 axis: Axis | None = None, orientation: Orientation | None = None) -> dict[str, Any]:
        """A cylinder. Not both `density` and `mass`. Not both `axis` and `orientation`.

        radius       [m] its radius
        length       [m] along its axis
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        axis         along which it lies, in the body frame (default z)
        orientation  in the body frame; it lies along its own z axis (default none)
        """
        return self._make("cylinder", locals())

    def sphere(self, /, *, radius: Number, density: Number | None = None, mass: Number | None = None,
               hole: bool | None = None, colour: str | None = None, position: Numbers | None = None) -> dict[str, Any]:
        """A ball. Not both `density` and `mass`.

        radius    [m] its radius
        density   [kg/m^3] of its matter (default by `mass`)
        mass      [kg] of the whole shape, without its holes (default by `density`)
        hole      `true` takes matter away from the solid before it in the list (default false)
        colour    "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                  (default chosen)
        position  [m] of its centre, in the body frame (default [0, 0, 0])
        """
        return self._make("sphere", locals())

    def tube(self, /, *, radius: Number, inner: Number, length: Number, density: Number | None = None,
             mass: Number | None = None, hole: bool | None = None, colour: str | None = None,
             position: Numbers | None = None, axis: Axis | None = None,
             orientation: Orientation | None = None) -> dict[str, Any]:
        """A cylinder with a bore. Not both `density` and `mass`. Not both `axis` and `orientation`.

        radius       [m] outside
        inner        [m] radius of its bore
        length       [m] along its axis
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        axis         along which it lies, in the body frame (default z)
        orientation  in the body frame; it lies along its own z axis (default none)
        """
        return self._make("tube", locals())

    def cone(self, /, *, radius: Number, length: Number, top: Number | None = None, density: Number | None = None,
             mass: Number | None = None, hole: bool | None = None, colour: str | None = None,
             position: Numbers | None = None, axis: Axis | None = None,
             orientation: Orientation | None = None) -> dict[str, Any]:
        """A cone or a frustum. Not both `density` and `mass`. Not both `axis` and `orientation`.

        radius       [m] at its lower end
        top          [m] radius at its upper end: of a frustum (default 0)
        length       [m] along its axis; its position is in the middle of it
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        axis         along which it lies, in the body frame (default z)
        orientation  in the body frame; it lies along its own z axis (default none)
        """
        return self._make("cone", locals())

    def capsule(self, /, *, radius: Number, length: Number, density: Number | None = None, mass: Number | None = None,
                hole: bool | None = None, colour: str | None = None, position: Numbers | None = None,
                axis: Axis | None = None, orientation: Orientation | None = None) -> dict[str, Any]:
        """A cylinder with round ends. Not both `density` and `mass`. Not both `axis` and `orientation`.

        radius       [m] its radius
        length       [m] between the centres of its caps
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        axis         along which it lies, in the body frame (default z)
        orientation  in the body frame; it lies along its own z axis (default none)
        """
        return self._make("capsule", locals())

    def ellipsoid(self, /, *, size: Numbers, density: Number | None = None, mass: Number | None = None,
                  hole: bool | None = None, colour: str | None = None, position: Numbers | None = None,
                  orientation: Orientation | None = None) -> dict[str, Any]:
        """An ellipsoid. Not both `density` and `mass`.

        size         [m] its diameters
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        """
        return self._make("ellipsoid", locals())

    def mesh(self, /, *, file: str, scale: Number | None = None, density: Number | None = None,
             mass: Number | None = None, hole: bool | None = None, colour: str | None = None,
             position: Numbers | None = None, orientation: Orientation | None = None) -> dict[str, Any]:
        """A closed surface of triangles from a file. Not both `density` and `mass`.

        file         STL (binary or text) or OBJ, or with assimp COLLADA, glTF or PLY, by its ending; relative to the
                     model file
        scale        what a unit of the file is in m; 0.001 for millimetres (default 1)
        density      [kg/m^3] of its matter (default by `mass`)
        mass         [kg] of the whole shape, without its holes (default by `density`)
        hole         `true` takes matter away from the solid before it in the list (default false)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        """
        return self._make("mesh", locals())


class Visuals(Shapes):
    """Values of the key `visual`: b.visual.TYPE(...) is a dict of its keys."""

    def box(self, /, *, size: Numbers, position: Numbers | None = None, orientation: Orientation | None = None,
            colour: str | None = None) -> dict[str, Any]:
        """A box.

        size         [m] its edges
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        """
        return self._make("box", locals())

    def cylinder(self, /, *, radius: Number, length: Number, position: Numbers | None = None,
                 orientation: Orientation | None = None, colour: str | None = None) -> dict[str, Any]:
        """A cylinder.

        radius       [m] its radius
        length       [m] along its own z axis
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        """
        return self._make("cylinder", locals())

    def sphere(self, /, *, radius: Number, position: Numbers | None = None, orientation: Orientation | None = None,
               colour: str | None = None) -> dict[str, Any]:
        """A ball.

        radius       [m] its radius
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        """
        return self._make("sphere", locals())

    def capsule(self, /, *, radius: Number, length: Number, position: Numbers | None = None,
                orientation: Orientation | None = None, colour: str | None = None) -> dict[str, Any]:
        """A cylinder with round ends.

        radius       [m] its radius
        length       [m] between the centres of its caps, along its own z axis
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        """
        return self._make("capsule", locals())

    def mesh(self, /, *, file: str, scale: Number | None = None, position: Numbers | None = None,
             orientation: Orientation | None = None, colour: str | None = None) -> dict[str, Any]:
        """Triangles from a file.

        file         STL (binary or text) or OBJ, or with assimp COLLADA, glTF or PLY, by its ending; relative to the
                     model file
        scale        what a unit of the file is in m; 0.001 for millimetres (default 1)
        position     [m] of its centre, in the body frame (default [0, 0, 0])
        orientation  in the body frame (default none)
        colour       "#rrggbb", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown
                     (default chosen)
        """
        return self._make("mesh", locals())


class Paths(Shapes):
    """Values of the key `path`: b.path.TYPE(...) is a dict of its keys."""

    def iso_3888_2(self, /, *, width: Number, start: Number | None = None) -> dict[str, Any]:
        """Centre line of the obstacle avoidance track.

        start  [m] x where it begins (default 0)
        width  [m] of the vehicle, mirrors not counted
        """
        return self._make("iso-3888-2", locals())

    def circle(self, /, *, radius: Number, start: Number | None = None) -> dict[str, Any]:
        """A straight way in, then a circle.

        start   [m] x where it begins (default 0)
        radius  [m] to the left; negative to the right
        """
        return self._make("circle", locals())

    def slalom(self, /, *, spacing: Number, amplitude: Number, ramp: Number,
               start: Number | None = None) -> dict[str, Any]:
        """A sine past pylons.

        start      [m] x where it begins (default 0)
        spacing    [m] between pylons: half a period
        amplitude  [m] of the sine
        ramp       [m] over which the sine grows from nothing
        """
        return self._make("slalom", locals())


class PlainSections(Items):
    """Sections whose items have no type."""

    def body(self, name: str, /, *, mass: Number | None = None, com: Numbers | None = None,
             inertia: Numbers | Part | None = None, solid: Part | Sequence[Part] | None = None,
             position: Numbers | None = None, orientation: Orientation | None = None,
             points: Mapping[str, Numbers] | None = None, frames: Mapping[str, Part] | None = None,
             visual: Part | Sequence[Part] | None = None) -> Builder:
        """A rigid body. Not both `com` and `solid`. Not both `inertia` and `solid`.

        mass         [kg] mass; 0 makes an auxiliary body, allowed where it carries others (default 0)
        com          [m] centre of mass, in the body frame (default [0, 0, 0])
        inertia      [kg m^2] inertia tensor, in body axes (default zero)
        solid        a shape filled with matter, or a list of them, instead of `com` and `inertia` (default none)
        position     [m] origin of the body frame in ground, at the reference configuration (default from the joints)
        orientation  of the body frame in ground, at the reference configuration (default none)
        points       [m] named points, in the body frame
        frames       named frames: position and orientation in the body frame
        visual       what viewers draw: a shape or a list of them; an empty list draws nothing (default guessed)
        """
        return self._add("bodies", "body", name, locals())

    def drive(self, name: str, /, *, coordinate: str, value: Number | None = None,
              table: Rows | None = None) -> Builder:
        """A prescribed motion of a coordinate: `value` or `table`. Give `table` or `value`.

        coordinate  the driven joint coordinate, `pin.angle` or `pin`
        value       [m or rad] its value as a formula of time; velocity and acceleration are derived exactly
        table       [m or rad] rows [time, value], joined by a smooth curve
        """
        return self._add("drives", "drive", name, locals())

    def input(self, name: str, /, *, unit: str | None = None, default: Number | None = None,
              limits: Numbers | None = None, every: Number | None = None,
              hold: Literal["zero", "first"] | None = None) -> Builder:
        """A number that the program sets as time goes on.

        unit     of its value, in SI
        default  [its unit] its value until it is set (default 0)
        limits   [its unit] least and largest value that it may be set to; `inf`, `-inf`: none (default none)
        every    [s] how often it is meant to be set
        hold     between two values: `zero`, it stays; `first`, it goes on a straight line (default zero)
        """
        return self._add("inputs", "input", name, locals())

    def state(self, name: str, /, *, rate: Number | Sequence[Number], unit: str | None = None,
              initial: Number | Numbers | None = None) -> Builder:
        """A first-order state of the machine besides its coordinates.

        unit     of the state, in SI
        initial  [its unit] its value at the start; or a list of them, one for each rate (default 0)
        rate     [its unit per s] its derivative by time, a formula; or a list, for states NAME.1, NAME.2 ...
        """
        return self._add("states", "state", name, locals())

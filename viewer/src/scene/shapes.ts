// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Geometries of the shapes that a scene names. Shapes of one kind share a geometry and differ by matrix.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Shape } from "../data/header";
import { scaledPose } from "./matrix";

/** One drawn piece of a shape. */
export interface Part {
  key: string;
  /** The geometry, round by so many segments. */
  make: (segments: number) => THREE.BufferGeometry;
  /** Radius of what is round about it, in metres; 0 without. */
  round: number;
  matrix: Float32Array;
  colour: string;
  edges: boolean;
}

/** How many faces what is round has: enough for a look from near, as few as still look round from afar, fewer. */
export type Detail = "fine" | "coarse" | "rough";

const SEGMENTS = [12, 16, 24, 32, 48];

/** Segments of a circle whose radius is this share of the machine; they grow as its root, as faces show by their height over the chord. */
export function segmentsOf(share: number, detail: Detail): number {
  const wanted = 200 * Math.sqrt(share);
  const fine = SEGMENTS.find((n) => n >= wanted) ?? 48;
  return detail === "fine" ? fine : detail === "coarse" ? fine / 2 : Math.max(6, fine / 4);
}

const RUBBER = "#2e2f33";
const RIM = "#b4bcc4";
const DISC = "#4a5058";
const STEEL = "#8d969f";
const ONE = [1, 1, 1];

export function shapeParts(shape: Shape, fallback: string): Part[] {
  const colour = shape.colour ?? fallback;
  const r = shape.radius ?? 0.05;
  const l = shape.length ?? 0.1;
  const part = (key: string, make: Part["make"], scale: number[], edges = true, round = r): Part => ({
    key,
    make,
    round,
    matrix: scaledPose(shape.pose, scale),
    colour,
    edges,
  });
  switch (shape.type) {
    case "box":
      return [part("box", () => new THREE.BoxGeometry(1, 1, 1), shape.size ?? ONE, true, 0)];
    case "sphere":
      return [part("sphere", (n) => new THREE.SphereGeometry(1, n, Math.ceil(n / 2)), [r, r, r], false)];
    case "cylinder":
      return [part("cylinder", cylinderAlongZ, [r, r, l])];
    case "capsule":
      return [part("tube", tubeAlongZ, [r, r, l], false), ...[1, -1].map((side) => lifted(part("cap", halfBall, [r, side * r, side * r], false), l / (2 * r)))];
    case "coil":
      return [{ ...part(`coil ${(l / r).toPrecision(3)}`, (n) => coil(r / l, 1, 7, n), [l, l, l], false), colour: shape.colour ?? STEEL }];
    case "tyre":
      return tyreParts(shape, r, shape.length ?? 0.6 * r);
    case "mesh":
      return [part(`mesh ${meshKey(shape)}`, () => meshGeometry(shape), ONE, true, 0)];
  }
}

// a tyre turns about z of its pose
function tyreParts(shape: Shape, radius: number, width: number): Part[] {
  const matrix = scaledPose(shape.pose, ONE);
  const piece = (name: string, make: (radius: number, width: number, segments: number) => THREE.BufferGeometry, colour: string): Part => ({
    key: `${name} ${radius} ${width}`,
    make: (n) => make(radius, width, n).rotateX(Math.PI / 2),
    round: radius,
    matrix,
    colour,
    edges: false,
  });
  return [piece("tyre", tyre, shape.colour ?? RUBBER), piece("disc", disc, DISC), piece("rim", rim, RIM)];
}

export function cylinderAlongZ(segments: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, segments).rotateX(Math.PI / 2);
}

function tubeAlongZ(segments: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, segments, 1, true).rotateX(Math.PI / 2);
}

// the half of a ball above the plane z = 0
function halfBall(segments: number): THREE.BufferGeometry {
  return new THREE.SphereGeometry(1, segments, Math.ceil(segments / 4), 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
}

// moved by so many of its own units along its own z axis
function lifted(part: Part, units: number): Part {
  for (let c = 0; c < 3; c++) part.matrix[12 + c] += units * part.matrix[8 + c];
  return part;
}

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(
    private readonly radius: number,
    private readonly length: number,
    private readonly turns: number,
  ) {
    super();
  }

  override getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
    const angle = 2 * Math.PI * this.turns * s;
    return target.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), this.length * s);
  }
}

/** A helical spring along z, its middle at 0, so many pieces to a turn. */
export function coil(radius: number, length: number, turns: number, segments: number): THREE.BufferGeometry {
  const wire = Math.max(4, Math.min(6, segments / 2));
  return new THREE.TubeGeometry(new Helix(radius, length, turns), segments * turns, 0.14 * radius, wire).translate(0, 0, -length / 2);
}

// a profile turned about the y axis: tread, rounded shoulders, side walls
function tyre(radius: number, width: number, segments: number): THREE.BufferGeometry {
  const bend = segments > 24 ? 5 : 2;
  const inner = 0.62 * radius;
  const half = width / 2;
  const shoulder = Math.min(0.3 * half, 0.15 * radius);
  const profile = [new THREE.Vector2(inner, -0.8 * half)];
  for (const side of [-1, 1]) {
    for (let k = 0; k <= bend; k++) {
      const angle = ((side < 0 ? k : bend - k) * Math.PI) / (2 * bend);
      const x = radius - shoulder + shoulder * Math.sin(angle);
      profile.push(new THREE.Vector2(x, side * (half - shoulder + shoulder * Math.cos(angle))));
    }
  }
  profile.push(new THREE.Vector2(inner, 0.8 * half), new THREE.Vector2(inner, -0.8 * half));
  return new THREE.LatheGeometry(profile, segments);
}

function disc(radius: number, width: number, segments: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(0.63 * radius, 0.63 * radius, 0.3 * width, segments);
}

// five spokes, so that one sees the wheel turn
function rim(radius: number, width: number, segments: number): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [new THREE.CylinderGeometry(0.15 * radius, 0.15 * radius, 0.62 * width, segments / 2)];
  for (let k = 0; k < 5; k++) {
    const spoke = new THREE.BoxGeometry(0.6 * radius, 0.5 * width, 0.11 * radius);
    parts.push(spoke.translate(0.31 * radius, 0, 0).rotateY((2 * Math.PI * k) / 5));
  }
  return mergeGeometries(parts) ?? parts[0];
}

function meshGeometry(shape: Shape): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.Float32BufferAttribute((shape.vertices ?? []).flat(), 3));
  indexed.setIndex((shape.triangles ?? []).flat());
  const geometry = indexed.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

// meshes with the same numbers are one geometry
function meshKey(shape: Shape): string {
  const vertices = (shape.vertices ?? []).flat();
  let hash = vertices.length;
  for (const x of vertices) hash = (Math.imul(hash, 31) + Math.round(x * 1e6)) | 0;
  return `${vertices.length} ${(shape.triangles ?? []).length} ${hash}`;
}

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
  matrix: Float32Array;
  colour: string;
  edges: boolean;
}

const RUBBER = "#2e2f33";
const RIM = "#b4bcc4";
const DISC = "#4a5058";
const STEEL = "#8d969f";
const ONE = [1, 1, 1];

export function shapeParts(shape: Shape, fallback: string): Part[] {
  const colour = shape.colour ?? fallback;
  const part = (key: string, make: Part["make"], scale: number[], edges = true): Part => ({
    key,
    make,
    matrix: scaledPose(shape.pose, scale),
    colour,
    edges,
  });
  const r = shape.radius ?? 0.05;
  const l = shape.length ?? 0.1;
  switch (shape.type) {
    case "box":
      return [part("box", () => new THREE.BoxGeometry(1, 1, 1), shape.size ?? ONE)];
    case "sphere":
      return [part("sphere", (n) => new THREE.SphereGeometry(1, n, Math.ceil(0.6 * n)), [r, r, r], false)];
    case "cylinder":
      return [part("cylinder", cylinderAlongZ, [r, r, l])];
    case "capsule":
      return [part(`capsule ${r} ${l}`, (n) => capsuleAlongZ(r, l, n), ONE, false)];
    case "coil":
      return [{ ...part(`coil ${(l / r).toPrecision(3)}`, () => coil(r / l, 1, 7), [l, l, l], false), colour: shape.colour ?? STEEL }];
    case "tyre":
      return tyreParts(shape, r, shape.length ?? 0.6 * r);
    case "mesh":
      return [part(`mesh ${meshKey(shape)}`, () => meshGeometry(shape), ONE)];
  }
}

// a tyre turns about z of its pose
function tyreParts(shape: Shape, radius: number, width: number): Part[] {
  const matrix = scaledPose(shape.pose, ONE);
  const key = `${radius} ${width}`;
  return [
    { key: `tyre ${key}`, make: () => tyre(radius, width).rotateX(Math.PI / 2), matrix, colour: shape.colour ?? RUBBER, edges: false },
    { key: `disc ${key}`, make: () => disc(radius, width).rotateX(Math.PI / 2), matrix, colour: DISC, edges: false },
    { key: `rim ${key}`, make: () => rim(radius, width).rotateX(Math.PI / 2), matrix, colour: RIM, edges: false },
  ];
}

export function cylinderAlongZ(segments: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, segments).rotateX(Math.PI / 2);
}

function capsuleAlongZ(radius: number, length: number, segments: number): THREE.BufferGeometry {
  return new THREE.CapsuleGeometry(radius, length, Math.ceil(segments / 4), segments).rotateX(Math.PI / 2);
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

/** A helical spring along z, its middle at 0. */
export function coil(radius: number, length: number, turns: number): THREE.BufferGeometry {
  return new THREE.TubeGeometry(new Helix(radius, length, turns), 22 * turns, 0.14 * radius, 6).translate(0, 0, -length / 2);
}

// a profile turned about the y axis: tread, rounded shoulders, side walls
function tyre(radius: number, width: number): THREE.BufferGeometry {
  const inner = 0.62 * radius;
  const half = width / 2;
  const shoulder = Math.min(0.3 * half, 0.15 * radius);
  const profile = [new THREE.Vector2(inner, -0.8 * half)];
  for (const side of [-1, 1]) {
    for (let k = 0; k <= 5; k++) {
      const angle = ((side < 0 ? k : 5 - k) * Math.PI) / 10;
      const x = radius - shoulder + shoulder * Math.sin(angle);
      profile.push(new THREE.Vector2(x, side * (half - shoulder + shoulder * Math.cos(angle))));
    }
  }
  profile.push(new THREE.Vector2(inner, 0.8 * half), new THREE.Vector2(inner, -0.8 * half));
  return new THREE.LatheGeometry(profile, 48);
}

function disc(radius: number, width: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(0.63 * radius, 0.63 * radius, 0.3 * width, 36);
}

// five spokes, so that one sees the wheel turn
function rim(radius: number, width: number): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [new THREE.CylinderGeometry(0.15 * radius, 0.15 * radius, 0.62 * width, 24)];
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All pieces of a run in one mesh, its corners moved here. Software that represents a GPU draws
// instances one by one, each at the price of a whole mesh; of a thousand small pieces that is most of its work.
import * as THREE from "three";
import { multiply, type BodyMatrices } from "./matrix";

export interface Piece {
  geometry: THREE.BufferGeometry;
  matrix: Float32Array;
  body: number;
}

/** More corners than this are left to instances: moving them would take longer than it saves. */
export const MOST_CORNERS = 60_000;

export const cornersOf = (pieces: Piece[]): number => pieces.reduce((sum, { geometry }) => sum + geometry.attributes.position.count, 0);

export class MergedPieces {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  private readonly moved = new Float32Array(16);
  private readonly turned = new Float32Array(16);

  constructor(
    private readonly pieces: Piece[],
    material: THREE.Material,
  ) {
    const geometry = new THREE.BufferGeometry();
    const count = cornersOf(pieces);
    for (const name of ["position", "normal", "paint"]) {
      const attribute = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
      geometry.setAttribute(name, attribute.setUsage(name === "paint" ? THREE.StaticDrawUsage : THREE.DynamicDrawUsage));
    }
    geometry.setIndex(new THREE.BufferAttribute(joinedIndices(pieces), 1));
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {};
  }

  /** Move every corner with its body; corners of bodies that are left out shrink to nothing. */
  update(bodies: BodyMatrices, isLeft: (body: number) => boolean = () => false): void {
    const { position, normal } = this.mesh.geometry.attributes;
    let start = 0;
    for (const { geometry, matrix, body } of this.pieces) {
      const points = geometry.attributes.position.array as Float32Array;
      if (isLeft(body)) {
        (position.array as Float32Array).fill(0, start, start + points.length);
        start += points.length;
        continue;
      }
      multiply(this.moved, 0, bodies.values, bodies.at(body), matrix, 0);
      transformAll(position.array as Float32Array, start, points, this.moved);
      normalMatrix(this.turned, this.moved);
      transformAll(normal.array as Float32Array, start, geometry.attributes.normal.array as Float32Array, this.turned);
      start += points.length;
    }
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  /** Paint each piece in one colour. */
  colour(colourOf: (piece: number) => THREE.Color): void {
    const { paint } = this.mesh.geometry.attributes;
    let corner = 0;
    this.pieces.forEach(({ geometry }, piece) => {
      const { r, g, b } = colourOf(piece);
      for (const end = corner + geometry.attributes.position.count; corner < end; corner++) paint.setXYZ(corner, r, g, b);
    });
    paint.needsUpdate = true;
  }
}

// matrices turn and scale along the axes: normals turn too and scale by the inverse, and do not move
function normalMatrix(out: Float32Array, m: Float32Array): void {
  for (let c = 0; c < 12; c += 4) {
    const square = m[c] * m[c] + m[c + 1] * m[c + 1] + m[c + 2] * m[c + 2];
    for (let r = 0; r < 3; r++) out[c + r] = m[c + r] / square;
  }
}

// out = m p for all points of a list
function transformAll(out: Float32Array, start: number, points: Float32Array, m: Float32Array): void {
  for (let k = 0; k < points.length; k += 3) {
    const x = points[k];
    const y = points[k + 1];
    const z = points[k + 2];
    out[start + k] = m[0] * x + m[4] * y + m[8] * z + m[12];
    out[start + k + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    out[start + k + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

// every corner in turn where a geometry has no list of its own
function joinedIndices(pieces: Piece[]): Uint32Array {
  const joined: number[] = [];
  let corner = 0;
  for (const { geometry } of pieces) {
    const { count } = geometry.attributes.position;
    const own = geometry.index?.array ?? Uint32Array.from({ length: count }, (_, k) => k);
    for (let k = 0; k < own.length; k++) joined.push(corner + own[k]);
    corner += count;
  }
  return Uint32Array.from(joined);
}

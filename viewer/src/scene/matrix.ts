// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses to 4x4 matrices, column by column, in plain arrays: what happens to every body in every frame.
import type { Pose } from "../data/header";
import { POSE } from "../data/layout";

/** w x y z. */
export type Quaternion = [number, number, number, number];

/** The turn that brings the axis nearest to the opposite of gravity to z. */
export function uprightTurn(gravity: ArrayLike<number> | undefined): Quaternion {
  const [x, y, z] = [gravity?.[0] ?? 0, gravity?.[1] ?? 0, gravity?.[2] ?? 0];
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const s = Math.SQRT1_2;
  if (largest === 0 || largest === Math.abs(z)) return z > 0 ? [0, 1, 0, 0] : [1, 0, 0, 0];
  if (largest === Math.abs(y)) return [s, y < 0 ? s : -s, 0, 0];
  return [s, 0, x < 0 ? -s : s, 0];
}

/** Write the matrix of the pose at p[i...] to out[o...]. */
export function poseToMatrix(out: Float32Array, o: number, p: ArrayLike<number>, i: number): void {
  const w = p[i + 3];
  const x = p[i + 4];
  const y = p[i + 5];
  const z = p[i + 6];
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y + w * z);
  out[o + 2] = 2 * (x * z - w * y);
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - w * z);
  out[o + 5] = 1 - 2 * (x * x + z * z);
  out[o + 6] = 2 * (y * z + w * x);
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + w * y);
  out[o + 9] = 2 * (y * z - w * x);
  out[o + 10] = 1 - 2 * (x * x + y * y);
  out[o + 11] = 0;
  out[o + 12] = p[i];
  out[o + 13] = p[i + 1];
  out[o + 14] = p[i + 2];
  out[o + 15] = 1;
}

/** out = a b for affine matrices. */
export function multiply(out: Float32Array, o: number, a: Float32Array, ia: number, b: Float32Array, ib: number): void {
  for (let c = 0; c < 4; c++) {
    const b0 = b[ib + 4 * c];
    const b1 = b[ib + 4 * c + 1];
    const b2 = b[ib + 4 * c + 2];
    const b3 = c === 3 ? 1 : 0;
    for (let r = 0; r < 3; r++)
      out[o + 4 * c + r] = a[ia + r] * b0 + a[ia + 4 + r] * b1 + a[ia + 8 + r] * b2 + a[ia + 12 + r] * b3;
    out[o + 4 * c + 3] = b3;
  }
}

/** Write the matrix that leaves nothing to be seen; it is affine, so that rays are still reckoned with others. */
export function vanish(out: Float32Array, o: number): void {
  out.fill(0, o, o + 15);
  out[o + 15] = 1;
}

/** out = m p for a point. */
export function transform(out: number[] | Float32Array, o: number, m: Float32Array, i: number, p: ArrayLike<number>): void {
  for (let r = 0; r < 3; r++) out[o + r] = m[i + r] * p[0] + m[i + 4 + r] * p[1] + m[i + 8 + r] * p[2] + m[i + 12 + r];
}

/** Matrix of a pose followed by a scale along its axes. */
export function scaledPose(pose: Pose | undefined, scale: ArrayLike<number>): Float32Array {
  const matrix = new Float32Array(16);
  poseToMatrix(matrix, 0, pose ?? [0, 0, 0, 1, 0, 0, 0], 0);
  for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) matrix[4 * c + r] *= scale[c];
  return matrix;
}

/** Matrices of all bodies on the stage, and of ground behind them; upright turns the model's up to z. */
export class BodyMatrices {
  readonly values: Float32Array;
  private readonly turn = new Float32Array(16);
  private readonly own = new Float32Array(16);

  constructor(
    readonly count: number,
    private readonly upright: Quaternion = [1, 0, 0, 0],
  ) {
    this.values = new Float32Array(16 * (count + 1));
    poseToMatrix(this.turn, 0, [0, 0, 0, ...upright], 0);
    this.values.set(this.turn, 16 * count);
  }

  /** Where the matrix of a body begins; -1 is ground. */
  at(body: number): number {
    return 16 * (body < 0 ? this.count : body);
  }

  set(poses: Float32Array, offset = 0): void {
    if (this.upright[0] === 1) {
      for (let body = 0; body < this.count; body++) poseToMatrix(this.values, 16 * body, poses, offset + POSE * body);
      return;
    }
    for (let body = 0; body < this.count; body++) {
      poseToMatrix(this.own, 0, poses, offset + POSE * body);
      multiply(this.values, 16 * body, this.turn, 0, this.own, 0);
    }
  }
}

/** A matrix at `from` whose z axis reaches to `to`, with the other axes scaled by width. */
export function between(out: Float32Array, o: number, from: ArrayLike<number>, to: ArrayLike<number>, width: number): void {
  const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(d[0], d[1], d[2]);
  const z = length > 0 ? d.map((x) => x / length) : [0, 0, 1];
  const helper = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const x = normalized(cross(helper, z));
  const y = cross(z, x);
  for (let r = 0; r < 3; r++) {
    out[o + r] = width * x[r];
    out[o + 4 + r] = width * y[r];
    out[o + 8 + r] = d[r];
    out[o + 12 + r] = from[r];
    out[o + 4 * r + 3] = 0;
  }
  out[o + 15] = 1;
}

const cross = (a: number[], b: number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function normalized(a: number[]): number[] {
  const length = Math.hypot(a[0], a[1], a[2]);
  return a.map((x) => x / length);
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Poses, velocities and vectors at any instant, between two frames.
import { POSE } from "./layout";
import type { FrameReader } from "./source";

/** The state of a run at one instant. */
export interface Snapshot {
  poses: Float32Array;
  velocities: Float32Array;
  vectors: Float32Array;
}

/** Blend two poses: positions linearly, quaternions linearly and to length one again. */
export function blendPoses(out: Float32Array, a: Float32Array, ia: number, b: Float32Array, ib: number, s: number): void {
  for (let k = 0; k < out.length; k += POSE) {
    for (let c = 0; c < 3; c++) out[k + c] = a[ia + k + c] + s * (b[ib + k + c] - a[ia + k + c]);
    let dot = 0;
    for (let c = 3; c < 7; c++) dot += a[ia + k + c] * b[ib + k + c];
    const sign = dot < 0 ? -1 : 1;
    let square = 0;
    for (let c = 3; c < 7; c++) {
      const q = (1 - s) * a[ia + k + c] + s * sign * b[ib + k + c];
      out[k + c] = q;
      square += q * q;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let c = 3; c < 7; c++) out[k + c] *= scale;
  }
}

function blend(out: Float32Array, a: Float32Array, ia: number, b: Float32Array, ib: number, s: number): void {
  for (let k = 0; k < out.length; k++) out[k] = a[ia + k] + s * (b[ib + k] - a[ia + k]);
}

/** Fill the snapshot at fraction s after a frame; false while the frames are on their way. */
export function sampleInto(out: Snapshot, store: FrameReader, frame: number, s: number): boolean {
  const before = store.block(frame);
  const after = s > 0 ? store.block(frame + 1) : before;
  if (!before || !after) return false;
  const i = frame - before.from;
  const j = s > 0 ? frame + 1 - after.from : i;
  const nPose = out.poses.length;
  blendPoses(out.poses, before.poses, i * nPose, after.poses, j * nPose, s);
  const nVelocity = out.velocities.length;
  if (before.velocities && after.velocities)
    blend(out.velocities, before.velocities, i * nVelocity, after.velocities, j * nVelocity, s);
  const nVector = out.vectors.length;
  blend(out.vectors, before.vectors, i * nVector, after.vectors, j * nVector, s);
  return true;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where points of bodies are.
import { POSE } from "../data/layout";
import type { Run } from "../data/run";
import { poseToMatrix, transform } from "./matrix";

/** The place in ground of a point of a body, -1 for ground itself. */
export function placeOf(run: Run, body: number, point: ArrayLike<number>): ArrayLike<number> {
  if (body < 0) return point;
  const matrix = new Float32Array(16);
  poseToMatrix(matrix, 0, run.now.poses, POSE * body);
  const at = [0, 0, 0];
  transform(at, 0, matrix, 0, point);
  return at;
}

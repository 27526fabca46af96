// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Few points that draw the same curve: least and greatest value of every column of pixels.
import { frameBefore } from "../data/search";

export interface Curve {
  t: number[];
  y: number[];
}

/** Points of the curve between t0 and t1, at most about two for each bucket, extremes kept at their times. */
export function decimate(times: ArrayLike<number>, values: ArrayLike<number>, t0: number, t1: number, buckets: number): Curve {
  const last = Math.min(times.length, values.length) - 1;
  if (last < 0) return { t: [], y: [] };
  const first = Math.min(frameBefore(times, t0), last);
  const end = Math.min(frameBefore(times, t1) + 1, last);
  if (end - first + 1 <= 2 * buckets) return copyRange(times, values, first, end);
  const curve: Curve = { t: [times[first]], y: [values[first]] };
  const width = (end - first) / buckets;
  for (let b = 0; b < buckets; b++)
    pushExtremes(curve, times, values, Math.floor(first + b * width) + 1, Math.floor(first + (b + 1) * width));
  if (curve.t[curve.t.length - 1] !== times[end]) push(curve, times[end], values[end]);
  return curve;
}

function copyRange(times: ArrayLike<number>, values: ArrayLike<number>, first: number, end: number): Curve {
  const curve: Curve = { t: [], y: [] };
  for (let i = first; i <= end; i++) push(curve, times[i], values[i]);
  return curve;
}

function push(curve: Curve, t: number, y: number): void {
  curve.t.push(t);
  curve.y.push(y);
}

function pushExtremes(curve: Curve, times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): void {
  let low = from;
  let high = from;
  for (let i = from + 1; i <= to; i++) {
    if (values[i] < values[low]) low = i;
    if (values[i] > values[high]) high = i;
  }
  const early = Math.min(low, high);
  const late = Math.max(low, high);
  push(curve, times[early], values[early]);
  if (late !== early) push(curve, times[late], values[late]);
}

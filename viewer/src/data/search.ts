// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Finding instants in a sorted column of times.

/** Largest i with times[i] <= t, at least 0. */
export function frameBefore(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where t lies between frame i and i + 1, from 0 to 1. */
export function fractionAfter(times: ArrayLike<number>, i: number, t: number): number {
  if (i + 1 >= times.length) return 0;
  const width = times[i + 1] - times[i];
  return width > 0 ? Math.min(1, Math.max(0, (t - times[i]) / width)) : 0;
}

/** Value of a column at t, linear between its points, held beyond its ends. */
export function valueAt(times: ArrayLike<number>, values: ArrayLike<number>, t: number): number {
  const last = Math.min(times.length, values.length) - 1;
  if (last < 0) return NaN;
  const i = Math.min(frameBefore(times, t), last);
  if (i >= last || t <= times[0]) return values[i];
  const s = fractionAfter(times, i, t);
  return s === 0 ? values[i] : values[i] + s * (values[i + 1] - values[i]);
}

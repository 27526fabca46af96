// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How far two columns of two runs are apart.
import { fractionAfter } from "./search";

export interface Column {
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

export interface Distance {
  /** Largest absolute difference and the time of it. */
  largest: number;
  at: number;
  rms: number;
  /** Largest absolute value of both, to compare with. */
  scale: number;
}

/** Column minus reference at the instants of the reference that both cover. */
export function difference(column: Column, reference: Column): { times: Float64Array; values: Float64Array } {
  const lastTime = column.times[column.times.length - 1];
  const times: number[] = [];
  const values: number[] = [];
  let i = 0;
  for (let k = 0; k < Math.min(reference.times.length, reference.values.length); k++) {
    const t = reference.times[k];
    if (t < column.times[0] || t > lastTime) continue;
    while (i + 1 < column.times.length && column.times[i + 1] <= t) i++;
    times.push(t);
    values.push(interpolate(column, i, t) - reference.values[k]);
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values) };
}

// an instant that both share is taken as it is, without arithmetic
function interpolate(column: Column, i: number, t: number): number {
  const s = fractionAfter(column.times, i, t);
  return s === 0 ? column.values[i] : column.values[i] + s * (column.values[i + 1] - column.values[i]);
}

export function distance(column: Column, reference: Column): Distance {
  const delta = difference(column, reference);
  let largest = 0;
  let at = delta.times[0] ?? NaN;
  let squares = 0;
  delta.values.forEach((value, k) => {
    squares += value * value;
    if (Math.abs(value) > largest) {
      largest = Math.abs(value);
      at = delta.times[k];
    }
  });
  const scale = Math.max(largestOf(column.values), largestOf(reference.values));
  return { largest, at, scale, rms: Math.sqrt(squares / Math.max(1, delta.values.length)) };
}

function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let k = 0; k < values.length; k++) largest = Math.max(largest, Math.abs(values[k]));
  return largest;
}

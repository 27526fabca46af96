// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Axes whose numbers differ by little compared with their size show what is above an offset.
import { readable } from "../view/numbers";

/** The number that is taken off the numbers of an axis, where they differ by little compared with their size; 0: nothing. */
export function axisOffset(min: number, max: number): number {
  const middle = 0.5 * (min + max);
  const span = max - min;
  if (!(span > 0) || Math.abs(middle) < 200 * span) return 0;
  const unit = 10 ** Math.ceil(Math.log10(span));
  return Number((Math.round(middle / unit) * unit).toPrecision(12));
}

/** Unit and offset: N + 101325. */
export const axisLabel = (unit: string, offset: number): string => (offset === 0 ? unit : `${unit} ${offset < 0 ? "−" : "+"} ${readable(Math.abs(offset), 12)}`);

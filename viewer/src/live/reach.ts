// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The ranges of sliders.
import type { SliderWish } from "./embedded-machine";
import type { Quantity } from "./machine";

/**
 * Between which values a slider moves: as its maker wishes, or the limits, or from a tenth of the value to twice of it, since few
 * lengths and masses can be 0.
 */
export function reach({ value, lower, upper }: Pick<Quantity, "value" | "lower" | "upper">, wish: Pick<SliderWish, "lower" | "upper"> = {}): [number, number] {
  const size = value === 0 ? 1 : Math.abs(value);
  const [from, to] = value > 0 ? [value / 10, 2 * value] : value < 0 ? [2 * value, value / 10] : [-1, 1];
  const least = wish.lower ?? lower;
  const most = wish.upper ?? upper;
  const low = Number.isFinite(least) ? least : Math.min(from, Number.isFinite(most) ? most - size : Infinity);
  return [low, Number.isFinite(most) ? most : Math.max(to, low + size)];
}

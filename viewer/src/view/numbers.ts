// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers for people to read.

/** A number with so many significant digits, in the shorter of the two ways of writing it. */
export function readable(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e7) return minus(String(Number(x.toPrecision(digits))));
  return minus(x.toExponential(Math.max(0, digits - 1)).replace(/\.?0+e/, "e").replace("e+", "e"));
}

/** A number of fixed width, for values that change while one looks. */
export function steady(x: number, decimals = 4): string {
  if (!Number.isFinite(x)) return "–";
  const text = Math.abs(x) < 1e5 ? x.toFixed(decimals) : x.toExponential(decimals);
  return minus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** A number with its unit and three digits, thousands as kilo: 5.23 kN. */
export function withUnit(x: number, unit: string): string {
  const [scale, prefix] = Math.abs(x) >= 1e6 ? [1e6, "M"] : Math.abs(x) >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${readable(x / scale, 3)} ${prefix}${unit}`;
}

const minus = (text: string): string => text.replaceAll("-", "−");

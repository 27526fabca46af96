// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves as a table of comma-separated values, laid out like results.csv.
import { valueAt } from "../data/search";

export interface CsvColumn {
  name: string;
  unit: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** One row for each instant of the first column between t0 and t1; others are interpolated there. */
export function curvesToCsv(columns: CsvColumn[], t0 = -Infinity, t1 = Infinity): string {
  const [first] = columns;
  if (!first) return "time [s]\n";
  const lines = [["time [s]", ...columns.map((column) => field(column.unit ? `${column.name} [${column.unit}]` : column.name))].join(",")];
  for (let k = 0; k < first.times.length; k++) {
    const t = first.times[k];
    if (t < t0 || t > t1) continue;
    lines.push([t, ...columns.map((column) => cell(column, first, k))].join(","));
  }
  return lines.join("\n") + "\n";
}

function cell(column: CsvColumn, first: CsvColumn, k: number): number {
  return column.times === first.times ? column.values[k] : valueAt(column.times, column.values, first.times[k]);
}

const field = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draw columns of a results file against its first one, one panel for each unit, as SVG:
#   tools/plot.sh results.csv picture.svg [NAME ...]
# A NAME chooses the columns whose names contain it; without any, all are drawn. The first line of
# the file holds the names with their units, such as `pin.angle [rad]`.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: tools/plot.sh results.csv picture.svg [NAME ...]" >&2; exit 2; }
csv=$1 svg=$2
shift 2
[ -r "$csv" ] || { echo "plot: cannot read $csv" >&2; exit 2; }

# from the header line to gnuplot commands: the columns gathered by unit, a panel each
script=$(head -n 1 "$csv" | tr -d '\r"' | awk -F, -v csv="$csv" -v svg="$svg" -v chosen="$*" '
  function unit(head) { return match(head, /\[.*\]/) ? substr(head, RSTART, RLENGTH) : "" }
  function name(head) { sub(/ *\[.*\] */, "", head); return head }
  function is_chosen(head,   k) {
    if (n_chosen == 0) return 1
    for (k = 1; k <= n_chosen; k++) if (index(head, names[k])) return 1
    return 0
  }
  BEGIN { n_chosen = split(chosen, names, " ") }
  {
    for (c = 2; c <= NF; c++) {
      if (!is_chosen($c)) continue
      u = unit($c)
      if (!(u in curves)) { panels[++n_panels] = u; curves[u] = "plot " } else curves[u] = curves[u] ", "
      if (length(name($c)) > widest) widest = length(name($c))
      curves[u] = curves[u] sprintf("file using 1:%d with lines title \"%s\"", c, name($c))
    }
    if (n_panels == 0) exit 1
    printf "set terminal svg size 900,%d enhanced background \"white\" font \"sans,12\"\n", 60 + 260 * n_panels
    printf "set output \"%s\"\nfile = \"%s\"\n", svg, csv
    print "set datafile separator comma; set key autotitle columnhead noenhanced outside right top"
    print "set grid linecolor rgb \"#dddddd\"; set border linecolor rgb \"#444444\""
    printf "set lmargin 12; set rmargin %d\n", 10 + widest
    printf "set multiplot layout %d,1\n", n_panels
    for (p = 1; p <= n_panels; p++) {
      if (p == n_panels) printf "set xlabel \"%s\" noenhanced\n", $1
      printf "set ylabel \"%s\" noenhanced\n%s\n", panels[p], curves[panels[p]]
    }
    print "unset multiplot"
  }') || { echo "plot: no column of $csv is named so; it has: $(head -n 1 "$csv")" >&2; exit 2; }

gnuplot <<< "$script"

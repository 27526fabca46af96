#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Writes the model file of a planar loop of N revolute joints to standard output: N - 1 bars that hang
# from two points of ground as a regular polygon.
set -eu

usage()
{
  echo "usage: $0 N > loop.yaml    (N joints, an odd number from 5 to 10001)"
}

case ${1-} in
-h | --help) usage; exit 0 ;;
'' | *[!0-9]* | 0*) usage >&2; exit 2 ;;
esac
if [ "${#1}" -gt 5 ] || [ "$1" -lt 5 ] || [ "$1" -gt 10001 ] || [ $(($1 % 2)) -eq 0 ]; then usage >&2; exit 2; fi

LC_ALL=C exec awk -v n="$1" '
BEGIN {
  pi = atan2(0, -1)
  middle = (n - 1) / 2
  print "# A planar loop of " n " revolute joints, written by tools/make-loop.sh " n "."
  print "#"
  print "# " n - 1 " uniform bars of 1 m and 1 kg hang from two points of ground, 1 m apart, as a regular polygon at rest."
  print "# All values are ours. Body frames lie at the left ends of the bars, x along the bar."
  print "articula: 1"
  print "title: Loop of " n " revolute joints"
  print "gravity: [2.0, -9.6, 0]"
  print ""

  print "bodies:"
  x[1] = y[1] = 0
  for (i = 1; i < n; i++) {
    angle = -pi + 2 * pi * i / n
    x[i + 1] = x[i] + cos(angle)
    y[i + 1] = y[i] + sin(angle)
    printf "  bar%d: {mass: 1 kg, com: [0.5, 0, 0], inertia: [0, = 1/12, = 1/12], position: [%.17g, %.17g, 0], ", i, x[i], y[i]
    printf "orientation: {axis: z, angle: %.17g}%s}\n", angle, i == middle ? ", points: {end: [1, 0, 0]}" : ""
  }
  print ""

  print "joints:"
  for (i = 1; i <= n; i++) {
    printf "  joint%d: {type: revolute, axis: z, from: %s, to: %s, ", i, i == 1 ? "ground" : "bar" i - 1, i == n ? "ground" : "bar" i
    if (i == n) print "at: [1, 0, 0]}"
    else printf "at: [%.17g, %.17g, 0]}\n", x[i], y[i]
  }
  print ""

  printf "outputs: {x: bar%d.end.x, y: bar%d.end.y, vx: bar%d.end.vx, vy: bar%d.end.vy, energy: energy.total}\n", middle, middle, middle, middle
  print ""
  print "study: {type: run, until: 10 s, interval: 20 ms, tolerance: 1e-12}"
}'

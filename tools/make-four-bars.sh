#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Writes the model file of N four-bar windows side by side, problem A02 of the IFToMM benchmark
# library, to standard output.
set -eu

usage()
{
  echo "usage: $0 N > windows.yaml    (N windows, from 1 to 100000)"
}

case ${1-} in
-h | --help) usage; exit 0 ;;
'' | *[!0-9]* | 0*) usage >&2; exit 2 ;;
esac
if [ "${#1}" -gt 6 ] || [ "$1" -gt 100000 ]; then usage >&2; exit 2; fi

LC_ALL=C exec awk -v n="$1" '
# a bar along the x or y axis of the reference configuration, in ground axes
function bar(name, x, y, dx, dy) {
  printf "  %s: {mass: 1 kg, com: [%g, %g, 0], inertia: [%s]", name, x + dx / 2, y + dy / 2, dx ? "0, = 1/12, = 1/12" : "= 1/12, 0, = 1/12"
  if (name == "crank0") printf ", points: {B0: [0, 1, 0]}"
  print "}"
}
BEGIN {
  print "# " n " four-bar window" (n > 1 ? "s side by side" : "") ", written by tools/make-four-bars.sh " n "."
  print "#"
  print "# Problem A02 of the IFToMM library of computational benchmark problems: " 2 * n + 1 " uniform rods of 1 m and 1 kg,"
  print "# upright at the start, B0 moving at 1 m/s along x. One degree of freedom; when the rods lie on one line there"
  print "# are " n + 1 ". The angle of the cranks from x follows ((N+1)/3 + N) theta\" = -g ((N+1)/2 + N) cos theta."
  print "articula: 1"
  print "title: " n " four-bar window" (n > 1 ? "s" : "")
  print "gravity: [0, -9.81, 0]"
  print ""

  print "bodies:"
  for (i = 0; i <= n; i++) bar("crank" i, i, 0, 0, 1)
  for (i = 1; i <= n; i++) bar("coupler" i, i - 1, 1, 1, 0)
  print ""

  print "joints:"
  for (i = 0; i <= n; i++) printf "  pivot%d: {type: revolute, axis: z, from: ground, to: crank%d, at: [%d, 0, 0]}\n", i, i, i
  for (i = 1; i <= n; i++) {
    printf "  left%d: {type: revolute, axis: z, from: crank%d, to: coupler%d, at: [%d, 1, 0]}\n", i, i - 1, i, i - 1
    printf "  right%d: {type: revolute, axis: z, from: coupler%d, to: crank%d, at: [%d, 1, 0]}\n", i, i, i, i
  }
  print ""

  print "initial:"
  print "  pivot0: {rate: -1 rad/s}"
  print ""
  print "outputs: {x: crank0.B0.x, y: crank0.B0.y, vx: crank0.B0.vx, vy: crank0.B0.vy, energy: energy.total}"
  print ""
  print "study: {type: run, until: 20 s, interval: 50 ms, tolerance: 1e-10}"
}'

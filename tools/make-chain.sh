#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Writes a model file of a chain of N links to standard output: revolute joints about x, y and z in
# turn, the links and the start of the speed measurements in bench/.
set -eu

usage()
{
  echo "usage: $0 N > chain.yaml    (N links, from 1 to 100000)"
}

case ${1-} in
-h | --help) usage; exit 0 ;;
'' | *[!0-9]* | 0*) usage >&2; exit 2 ;;
esac
if [ "${#1}" -gt 6 ] || [ "$1" -gt 100000 ]; then usage >&2; exit 2; fi

LC_ALL=C exec awk -v n="$1" '
BEGIN {
  print "# A chain of " n " links, written by tools/make-chain.sh " n ". All values are ours, and serve also"
  print "# the speed measurements in bench/."
  print "articula: 1"
  print "title: Chain of " n " links"
  print ""

  print "bodies:"
  for (i = 0; i < n; i++) {
    printf "  link%d: {mass: %.2f kg, com: [0.01, 0.02, 0.15], ", i + 1, 1 + 0.01 * i
    print "inertia: [0.02, 0.025, 0.01, 0.001, -0.002, 0.0015], points: {end: [0, 0, 0.3]}}"
  }
  print ""

  print "joints:"
  for (i = 0; i < n; i++) {
    from = i == 0 ? "ground" : "link" i ".end"
    printf "  joint%d: {type: revolute, axis: %s, from: %s, to: link%d}\n", i + 1, substr("xyz", i % 3 + 1, 1), from, i + 1
  }
  print ""

  print "initial:"
  for (i = 0; i < n; i++) {
    printf "  joint%d: {angle: %.17g, rate: %.17g}\n", i + 1, sin(0.7 * i + 0.3), cos(1.3 * i)
  }
  print ""

  printf "outputs: [link%d.end.x, link%d.end.y, link%d.end.z, energy.total]\n", n, n, n
  print ""
  print "study: {type: run, until: 1 s, interval: 10 ms, tolerance: 1e-8}"
}'

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws the pictures of doc/reports/validation.md: how far the ADAMS histories lie from ours, and ours from
# ourselves.
#   tools/plot-adams.sh build/dev/test/test_adams doc/images
set -eu

[ $# -eq 2 ] || { echo "usage: $0 PATH/TO/test_adams FOLDER" >&2; exit 2; }
program=$1 folder=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

"$program" --write "$data"

# ball joint and revolute joint do the same motion in these two cases: side by side
adams=test/data/adams
paste "$adams/Spherical_Case01_ADAMS_Vel.txt" "$adams/Revolute_Case01_ADAMS_Vel.txt" |
  grep '^[+-]' > "$data/theirs.txt"

gnuplot <<END
set terminal svg size 960,860 font 'DejaVu Sans,11' background '#ffffff'
set output '$folder/adams-differences.svg'
set multiplot layout 3,3 title 'Distance of the ADAMS histories from ours, and of ours from ours by another method and tolerance' margins 0.075,0.985,0.115,0.915 spacing 0.055,0.085
set logscale y
set yrange [1e-16:1]
set format y '10^{%T}'
set ytics 1e-16,1e4,1
set xtics 1
set grid lc rgb '#dddddd'
set tics font ',9'
unset key
set label 1 at screen 0.075,0.03 'ADAMS minus ours:' left
set label 2 at screen 0.235,0.03 'position, m' left tc rgb '#1f5fa8'
set label 3 at screen 0.335,0.03 'acceleration, m/s^2' left tc rgb '#d1701f'
set label 4 at screen 0.495,0.03 'reaction, N' left tc rgb '#8a2f8a'
set label 5 at screen 0.625,0.03 'ours minus ours:' left
set label 6 at screen 0.765,0.03 'position, m' left tc rgb '#2f8a4a'
set label 7 at screen 0.865,0.03 'acceleration' left tc rgb '#777777'
cases = 'Revolute_Case01 Revolute_Case02 Spherical_Case01 Spherical_Case02 Prismatic_Case01 Prismatic_Case02 Prismatic_Case03 TranSpring_Case01 TranSpring_Case02'
titles = 'revolute-1 revolute-2 spherical-1 spherical-2 prismatic-1 prismatic-2 prismatic-3 spring-1 spring-2'
lift(x) = x > 1e-16 ? x : 1e-16
do for [i = 1:9] {
  set title word(titles, i) offset 0,-0.6
  if (i > 6) { set xlabel 'time, s' offset 0,0.6 }
  file = '$data/'.word(cases, i).'.txt'
  plot file every 2 using 1:(lift(\$2)) with lines lw 1.3 lc rgb '#1f5fa8', \
       file every 2 using 1:(lift(\$6)) with lines lw 1.0 lc rgb '#d1701f', \
       file every 2 using 1:(lift(\$14)) with lines lw 1.0 dt 2 lc rgb '#8a2f8a', \
       file every 2 using 1:(lift(\$3)) with lines lw 1.3 lc rgb '#2f8a4a', \
       file every 2 using 1:(lift(\$7)) with lines lw 1.0 dt 2 lc rgb '#777777'
  unset label
}
unset multiplot

reset
set terminal svg size 720,330 font 'DejaVu Sans,11' background '#ffffff'
set output '$folder/adams-spherical.svg'
set title 'One motion, two joints: vertical velocity of the pendulum of case 1'
set xlabel 'time, s'
set ylabel 'difference, mm/s'
set grid lc rgb '#dddddd'
set key top left
plot '$data/theirs.txt' using 1:(1e3*(\$4 - \$8)) with lines lw 3 lc rgb '#d1701f' title 'ADAMS with ball joint minus ADAMS with revolute joint', \
     '$data/Spherical_Case01.txt' using 1:(0) with lines lc rgb '#1f5fa8' title 'ours with ball joint minus ours with revolute joint'
END

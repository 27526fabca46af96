#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws the picture of the README from the results of `make demo`:
#   doc/images/readme-double-pendulum.sh results/double-pendulum/results.csv doc/images
set -eu

[ $# -eq 2 ] || { echo "usage: $0 results.csv FOLDER" >&2; exit 2; }
csv=$1
for terminal in svg pngcairo; do
  case $terminal in
  svg) options="size 900,350 font 'DejaVu Sans,11' background '#ffffff'" ;;
  pngcairo) options="size 1800,700 font 'DejaVu Sans,11' fontscale 2 linewidth 2 background '#ffffff'" ;;
  esac
  gnuplot << END
set terminal $terminal $options
set output '$2/readme-double-pendulum.$(echo "$terminal" | cut -c1-3)'
set datafile separator comma
set palette defined (0 '#c9dcf0', 0.5 '#3f7fbf', 1 '#10305a')
set size ratio -1
set border 0
unset tics
unset key
unset colorbox
set multiplot
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0

set origin 0, 0
set size 0.5, 1
set xrange [-2.2:2.2]
set yrange [-2.1:1.0]
set label 1 'two bars let go from the horizontal: every 40 ms for 1.6 s' at 0,0.85 center
set object 1 circle at 0,0 size 0.045 fillcolor rgb '#444444' fillstyle solid front
plot '$csv' every 2::1::81 using (0):(0):4:5:1 with vectors nohead lw 2.2 lc palette, \
     '' every 2::1::81 using 4:5:(\$6-\$4):(\$7-\$5):1 with vectors nohead lw 2.2 lc palette, \
     '' every 1::1::81 using 6:7 with lines lw 1.2 lc rgb '#d1701f'

set origin 0.5, 0
set label 1 'path of the lower tip over 10 s' at 0,0.85 center
plot '$csv' every 1::1 using 6:7:1 with lines lw 1.4 lc palette
unset multiplot
END
done

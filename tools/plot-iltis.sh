#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Runs the Iltis through the manoeuvres of its benchmark, writes how far the samples of a Robotran model lie
# from ours, and draws both for doc/reports/vehicles.md:
#   tools/plot-iltis.sh build/release/articula doc/images
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: $0 PATH/TO/articula FOLDER" >&2; exit 2; }
program=$(realpath "$1") folder=$(realpath "$2")
cd "$(dirname "$0")/.."
samples=test/data/iltis
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a run of a model file with other parameters: NAME MODEL UNTIL "PARAMETERS"
drive() {
  echo "{articula: 1, include: [{file: $PWD/models/vehicles/$2.yaml, parameters: {$4}}]}" > "$work/$1.yaml"
  "$program" run "$work/$1.yaml" --until "$3" --interval "1 ms" --tolerance 1e-9 -q -o "$work/$1"
  # angles by the sequence of the samples, roll, pitch, yaw about moving axes, in degrees; heights in mm
  awk -F, -v OFS=, '
    NR == 1 { for (c = 1; c <= NF; c++) { split($c, w, " "); at[w[1]] = c }; next }
    {
      y = $at["yaw"]; p = $at["pitch"]; r = $at["roll"]
      s = cos(y)*sin(p)*cos(r) + sin(y)*sin(r)
      roll = atan2(cos(y)*sin(r) - sin(y)*sin(p)*cos(r), cos(p)*cos(r))
      yaw = atan2(sin(y)*cos(r) - cos(y)*sin(p)*sin(r), cos(y)*cos(p))
      pitch = atan2(s, sqrt(1 - s*s))
      print $1, $at["x"], $at["y"], 1e3*$at["dz"], pitch*57.29577951, roll*57.29577951, yaw*57.29577951, $at["yaw_rate"],
            $at["load_fl"], $at["load_fr"], $at["load_rl"], $at["load_rr"]
    }' "$work/$1/results.csv" > "$work/$1.csv"
}

drive in-5 iltis-bump 3 "v: 5 m/s"
drive in-10 iltis-bump 3 "v: 10 m/s"
drive anti-5 iltis-bump 3 "v: 5 m/s, right_height: -0.2 m"
drive anti-10 iltis-bump 3 "v: 10 m/s, right_height: -0.2 m"
for v in 10 20 30; do drive ramp-$v iltis 5 "v: $v m/s"; done
for a in 1 2 4; do drive sine-$a iltis 3.01 "v: 20 m/s, ramp: 0 mm, sine: $a mm"; done

# the samples in the columns of our files, and how far they are away at their worst
awk -F, -v OFS=, -v work="$work" 'FNR > 1 {
  if (FILENAME ~ /bump/) print $2, $3, "", $4, $5, $6, $7, "", $8, $9, $10, $11 > (work "/" $1 ".dots")
  else print $2, $3, $4, 1e3*($5 - 0.57), $6, $7, $8, $9, $12, $13, $14, $15 > (work "/" $1 ".dots")
}' $samples/bump.csv $samples/steer.csv
for name in in-5 in-10 anti-5 anti-10 ramp-10 ramp-20 ramp-30 sine-1 sine-2 sine-4; do
  awk -F, -v name=$name '
    FNR == NR { for (c = 2; c <= NF; c++) ours[sprintf("%.3f", $1), c] = $c; next }
    { k = sprintf("%.3f", $1)
      for (c = 2; c <= NF; c++) if ($c != "") { d = $c - ours[k, c]; if (d < 0) d = -d; if (d > worst[c]) worst[c] = d } }
    END { load = worst[9]; for (c = 10; c <= 12; c++) if (worst[c] > load) load = worst[c]
      printf "%-8s  x %.3f m, height %.2f mm, pitch %.3f, roll %.3f, yaw %.3f deg, yaw rate %.4f rad/s, load %.0f N\n", name, worst[2], worst[4],
             worst[5], worst[6], worst[7], worst[8], load }' "$work/$name.csv" "$work/$name.dots"
done

gnuplot <<END
set datafile separator comma
set terminal svg size 960,640 font 'DejaVu Sans,11' background '#ffffff'
set grid lc rgb '#dddddd'
set style line 1 lw 1.6 lc rgb '#1f5fa8'
set style line 2 lw 1.6 lc rgb '#d1701f'
set style line 3 lw 1.6 lc rgb '#2f8a4a'

set output '$folder/iltis-bump.svg'
set multiplot layout 2,2 title 'Iltis over the bump: ours (lines) and samples of the Robotran model (dots)' margins 0.075,0.985,0.085,0.9 spacing 0.085,0.12
set xrange [0:2.6]
set key top right
set ylabel 'height of the chassis, mm' offset 1
plot '$work/in-5.csv' every 10 using 1:4 with lines ls 1 title 'both sides, 5 m/s', '$work/in-5.dots' using 1:4 with points pt 7 ps 0.6 lc rgb '#1f5fa8' notitle, \
     '$work/in-10.csv' every 10 using 1:4 with lines ls 2 title '10 m/s', '$work/in-10.dots' using 1:4 with points pt 7 ps 0.6 lc rgb '#d1701f' notitle
set ylabel 'pitch, deg'
plot '$work/in-5.csv' every 10 using 1:5 with lines ls 1 notitle, '$work/in-5.dots' using 1:5 with points pt 7 ps 0.6 lc rgb '#1f5fa8' notitle, \
     '$work/in-10.csv' every 10 using 1:5 with lines ls 2 notitle, '$work/in-10.dots' using 1:5 with points pt 7 ps 0.6 lc rgb '#d1701f' notitle
set xlabel 'time, s' offset 0,0.6
set ylabel 'roll, deg'
plot '$work/anti-5.csv' every 10 using 1:6 with lines ls 1 title 'bump and hole, 5 m/s', '$work/anti-5.dots' using 1:6 with points pt 7 ps 0.6 lc rgb '#1f5fa8' notitle, \
     '$work/anti-10.csv' every 10 using 1:6 with lines ls 2 title '10 m/s', '$work/anti-10.dots' using 1:6 with points pt 7 ps 0.6 lc rgb '#d1701f' notitle
set yrange [0:20]
set ylabel 'load of the front left wheel, kN'
plot '$work/in-5.csv' every 10 using 1:(\$9/1e3) with lines ls 1 title 'both sides, 5 m/s', '$work/in-5.dots' using 1:(\$9/1e3) with points pt 7 ps 0.6 lc rgb '#1f5fa8' notitle, \
     '$work/anti-5.csv' every 10 using 1:(\$9/1e3) with lines ls 3 title 'bump and hole, 5 m/s', '$work/anti-5.dots' using 1:(\$9/1e3) with points pt 7 ps 0.6 lc rgb '#2f8a4a' notitle
unset multiplot

set output '$folder/iltis-steer.svg'
unset xlabel
set multiplot layout 2,2 title 'Iltis steered: ours (lines) and samples of the Robotran model (dots)' margins 0.075,0.985,0.085,0.9 spacing 0.085,0.12
set xrange [0:5]
set yrange [*:*]
set key top right
set ylabel 'yaw rate, rad/s' offset 1
plot for [i = 1:3] '$work/ramp-'.(10*i).'.csv' every 10 using 1:8 with lines ls i title sprintf('ramp, %d m/s', 10*i), \
     for [i = 1:3] '$work/ramp-'.(10*i).'.dots' using 1:8 with points pt 7 ps 0.6 lc rgb word('#1f5fa8 #d1701f #2f8a4a', i) notitle
set ylabel 'roll, deg'
plot for [i = 1:3] '$work/ramp-'.(10*i).'.csv' every 10 using 1:6 with lines ls i notitle, \
     for [i = 1:3] '$work/ramp-'.(10*i).'.dots' using 1:6 with points pt 7 ps 0.6 lc rgb word('#1f5fa8 #d1701f #2f8a4a', i) notitle
set xlabel 'time, s' offset 0,0.6
set xrange [0:3.05]
set yrange [-0.2:0.3]
set key top left horizontal
set ylabel 'yaw rate, rad/s' offset 1
plot for [i = 1:3] '$work/sine-'.word('1 2 4', i).'.csv' every 10 using 1:8 with lines ls i title 'sine, '.word('1 2 4', i).' mm', \
     for [i = 1:3] '$work/sine-'.word('1 2 4', i).'.dots' using 1:8 with points pt 7 ps 0.6 lc rgb word('#1f5fa8 #d1701f #2f8a4a', i) notitle
set yrange [*:*]
set ylabel 'load of the front left wheel, kN'
plot for [i = 1:3] '$work/sine-'.word('1 2 4', i).'.csv' every 10 using 1:(\$9/1e3) with lines ls i notitle, \
     for [i = 1:3] '$work/sine-'.word('1 2 4', i).'.dots' using 1:(\$9/1e3) with points pt 7 ps 0.6 lc rgb word('#1f5fa8 #d1701f #2f8a4a', i) notitle
unset multiplot
END

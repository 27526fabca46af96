#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Figures 9 and 10 of Dopico, Gonzalez, Lugris and Cuadrado: the Iltis on the ramp and stairs of figure 8 with whole steps of 10 ms, by index 3 with
# projections, by the conserving method, and by both.
#   tools/experiments/iltis-stairs.sh [BUILD [FOLDER]]
name=iltis-stairs
. "$(dirname "$0")/common.sh"

# a run that may stop: its rows are kept, and when they end
try() {
  "$build/articula" run "$model" --quiet -o "$out/run" "${@:2}" 2> /dev/null || true
  mv "$out/run/results.csv" "$out/$1.csv"
  rm -r "$out/run"
  tail -n 1 "$out/$1.csv" | cut -d, -f1
}

{
  echo '| road | index 3, projections | conserving | conserving, projections |'
  echo '|---|---|---|---|'
} | tee "$table"
for road in edges stairs; do
  model=models/vehicles/iltis-$road.yaml
  try "$road-reference" --study reference > /dev/null
  row="| iltis-$road |"
  for study in projections conserving combined; do
    end=$(try "$road-$study" --study $study --option whole_steps=true)
    case $end in 8 | 8.0*) row="$row passes |" ;; *) row="$row stops after $(short 3 "$end") s |" ;; esac
  done
  echo "$row" | tee -a "$table"
done

draw iltis-stairs 760 820 << 'END'
set multiplot layout 4,1 margins 0.115,0.97,0.06,0.98 spacing 0,0.075
set key bottom left
set xlabel 'way, m' offset 0,0.7; set ylabel 'height, m' offset 1
plot out.'edges-reference.csv' using 'x [m]':'dz [m]' with lines lw 1.3 lc rgb grey title 'chassis over ramp and stairs, reference (road of fig. 8)'
set xlabel 'time, s' offset 0,0.7
plot out.'edges-projections.csv' using 1:'dz [m]' with lines lw 1.3 lc rgb blue title 'index 3, projections, vertical risers (fig. 9)', \
     out.'edges-conserving.csv' using 1:'dz [m]' with lines lw 1.3 lc rgb green title 'conserving'
plot out.'stairs-projections.csv' using 1:'dz [m]' with lines lw 1.3 lc rgb blue title 'index 3, projections, sloped risers (fig. 9 again)', \
     out.'stairs-combined.csv' using 1:'dz [m]' with lines lw 1.3 dt 2 lc rgb violet title 'conserving, projections'
set key top right
set ylabel 'pitch, rad'; set xrange [4:8]
plot out.'stairs-reference.csv' using 1:'pitch [rad]' with lines lw 1.3 lc rgb grey title 'reference (fig. 10)', \
     out.'stairs-projections.csv' using 1:'pitch [rad]' with lines lw 1.3 lc rgb blue title 'index 3, projections', \
     out.'stairs-combined.csv' using 1:'pitch [rad]' with lines lw 1.3 dt 2 lc rgb violet title 'conserving, projections'
END

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The spherical compound pendulum of Dopico, Gonzalez, Lugris and Cuadrado: energy and constraints without
# stabilisation, with projections, by the conserving method, and by both, with steps of 25 ms.
#   tools/experiments/spherical-pendulum.sh [BUILD [FOLDER]]
name=spherical-pendulum
. "$(dirname "$0")/common.sh"

declare -A title=(
  [free]='index 3 alone' [projected]='index 3, projections' [tangent]='index 3, projections by the tangent'
  [conserving]='conserving' [both]='conserving, projections')
run reference --study reference
{
  echo '| method | largest energy error | constraints: position | velocity | acceleration | error of the lower mass at 5 s |'
  echo '|---|---|---|---|---|---|'
} | tee "$table"
for study in free projected tangent conserving both; do
  run $study --study $study
  gap=$(paste -d, <(tail -n 1 "$out/reference.csv") <(tail -n 1 "$out/$study.csv") |
    awk -F, '{ h = NF/2; print 1e3*sqrt(($5 - $(5 + h))^2 + ($6 - $(6 + h))^2 + ($7 - $(7 + h))^2) }')
  printf '| %s | %s J | %s m | %s m/s | %s m/s² | %s mm |\n' "${title[$study]}" \
    "$(short 2 "$(value $study energy error)")" "$(short 2 "$(value $study constraints position_residual)")" \
    "$(short 2 "$(value $study constraints velocity_residual)")" \
    "$(short 2 "$(value $study constraints acceleration_residual)")" "$(short 2 "$gap")" | tee -a "$table"
done

# figures 2 to 6 of the paper, and the energy errors
draw spherical-pendulum 900 760 << 'END'
set multiplot layout 3,2 margins 0.08,0.98,0.07,0.97 spacing 0.1,0.07
off(e) = abs(e) > 1e-16 ? abs(e) : 1e-16
velocity = 'constraint.velocity [1/s]'; acceleration = 'constraint.acceleration [1/s^2]'; energy = 'energy.total [J]'
set ylabel 'velocity constraints, m/s' offset 1; set key top left
plot out.'free.csv' using 1:velocity with lines lw 1.4 lc rgb orange title 'index 3 alone (fig. 2)'
set ylabel 'energy, J'
plot out.'free.csv' using 1:energy with lines lw 1.4 lc rgb orange title 'index 3 alone (fig. 3)'
set logscale y; set format y '10^{%T}'; set yrange [1e-17:1]; set key center right
set ylabel 'velocity constraints, m/s'
plot out.'projected.csv' using 1:(off(column(velocity))) with lines lw 1.4 lc rgb blue title 'projections (fig. 4)', \
     out.'conserving.csv' using 1:(off(column(velocity))) with lines lw 1.4 lc rgb green title 'conserving'
set ylabel 'acceleration constraints, m/s²'
plot out.'projected.csv' using 1:(off(column(acceleration))) with lines lw 1.4 lc rgb blue title 'projections (fig. 5)', \
     out.'conserving.csv' using 1:(off(column(acceleration))) with lines lw 1.4 lc rgb green title 'conserving'
unset logscale y; set format y '%g'; set yrange [0.55:0.64]; set xlabel 'time, s'; set key bottom left
set ylabel 'energy, J'
plot out.'projected.csv' using 1:energy with lines lw 1.4 lc rgb blue title 'projections (fig. 6)', \
     out.'conserving.csv' using 1:energy with lines lw 1.4 lc rgb green title 'conserving', \
     out.'both.csv' using 1:energy with lines lw 1.4 dt 2 lc rgb violet title 'both'
set logscale y; set format y '10^{%T}'; set yrange [1e-16:1]; set ylabel 'energy error, J'; set key center left
plot for [n in 'free projected conserving both'] out.n.'.csv' using 1:(off(column(energy) - 0.625)) with lines lw 1.4 title n
END

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

draw spherical-pendulum 760 560 << 'END'
set multiplot layout 2,1 margins 0.115,0.97,0.09,0.965 spacing 0,0.07
set ylabel 'energy, J' offset 1; set yrange [0.2:1.4]; set key top left
plot out.'free.csv' using 1:'energy.total [J]' with lines lw 1.5 lc rgb orange title 'index 3 alone', \
     out.'projected.csv' using 1:'energy.total [J]' with lines lw 1.5 lc rgb blue title 'index 3, projections', \
     out.'conserving.csv' using 1:'energy.total [J]' with lines lw 1.5 lc rgb green title 'conserving', \
     out.'both.csv' using 1:'energy.total [J]' with lines lw 1.5 dt 2 lc rgb violet title 'conserving, projections'
set ylabel 'energy error, J'; set yrange [1e-15:1]; set logscale y; set format y '10^{%T}'; set key center left
off(e) = abs(e - 0.625) > 1e-15 ? abs(e - 0.625) : 1e-15
set xlabel 'time, s'
plot out.'free.csv' using 1:(off(column('energy.total [J]'))) with lines lw 1.5 lc rgb orange title '', \
     out.'projected.csv' using 1:(off(column('energy.total [J]'))) with lines lw 1.5 lc rgb blue title '', \
     out.'conserving.csv' using 1:(off(column('energy.total [J]'))) with lines lw 1.5 lc rgb green title '', \
     out.'both.csv' using 1:(off(column('energy.total [J]'))) with lines lw 1.5 dt 2 lc rgb violet title ''
END

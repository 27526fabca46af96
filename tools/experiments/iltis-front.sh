#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The Iltis front suspension of Cardenal, Cuadrado and Bayo (1997), section 5: index 1 with a fixed step of
# 0.5 ms against the variable step.
#   tools/experiments/iltis-front.sh [BUILD [FOLDER]]
name=iltis-front
. "$(dirname "$0")/common.sh"

milliseconds() { awk -v s="$(value "$1" steps "$2")" 'BEGIN { printf "%.2g", 1e3 * s }'; }

run reference --study reference
run motion --study reference --interval 2ms
{
  echo '| run | steps | rejected | shortest, longest step | largest, rms error of the arm angle | of the tyre force | energy error | time |'
  echo '|---|---|---|---|---|---|---|---|'
} | tee "$table"
for study in fixed variable; do
  took=$(seconds 5 run $study --study $study)
  [ $study = fixed ] && fixed=$took || variable=$took
  read -r phi phi_mean <<< "$(differ "$out/reference.csv" "$out/$study.csv" phi)"
  read -r force force_mean <<< "$(differ "$out/reference.csv" "$out/$study.csv" tyre)"
  printf '| %s | %d | %d | %s, %s ms | %s, %s rad | %s, %s N | %s J | %s s |\n' $study \
    "$(value $study steps accepted)" "$(value $study steps rejected)" "$(milliseconds $study shortest)" \
    "$(milliseconds $study longest)" "$(short 3 "$phi")" "$(short 2 "$phi_mean")" "$(short 2 "$force")" \
    "$(short 2 "$force_mean")" "$(short 2 "$(value $study energy error)")" "$took" | tee -a "$table"
done
awk -v a="$fixed" -v b="$variable" 'BEGIN { printf "\nfixed to variable: %.1f times the time\n", a / b }' | tee -a "$table"

draw iltis-front 760 700 << 'END'
set multiplot layout 4,1 margins 0.115,0.97,0.075,0.965 spacing 0,0.045
set key top right
set ylabel 'wheel, mm' offset 1
plot out.'motion.csv' using 1:(1e3*column('wheel [m]')) with lines lw 1.3 lc rgb green title 'height of the hub'
set ylabel 'tyre, kN'
plot out.'motion.csv' using 1:(1e-3*column('tyre [N]')) with lines lw 1.3 lc rgb violet title 'force of the tyre'
set ylabel 'energy error, mJ'; set key at graph 0.98,0.6
plot out.'fixed.csv' using 1:(1e3*column('balance [J]')) with lines lw 1.3 lc rgb blue title 'index 1, fixed step of 0.5 ms', \
     out.'variable.csv' using 1:(1e3*column('balance [J]')) with lines lw 1.3 lc rgb orange title 'variable step'
set xlabel 'time, s'; set ylabel 'step, ms'; set yrange [0:12]; set key top right
plot out.'fixed.csv' using 1:(1e3*column('step [s]')) with lines lw 1.3 lc rgb blue title '', \
     out.'variable.csv' using 1:(1e3*column('step [s]')) with steps lw 1.3 lc rgb orange title ''
END

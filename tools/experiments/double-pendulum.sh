#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Table 1 and figures 2, 3, 5, 6 of Cardenal, Cuadrado and Bayo (1997): the double pendulum by index 1 and
# index 3 with steps of 1e-2 to 1e-6 s, its energy and local error, and the variable step.
#   tools/experiments/double-pendulum.sh [BUILD [FOLDER]]
name=double-pendulum
. "$(dirname "$0")/common.sh"

steps="1e-2 1e-3 1e-4 1e-5 1e-6"

# published: index 1, index 3
published() {
  case $1 in
  1e-2) echo "3.848e-1 2.241e-1" ;;
  1e-3) echo "4.680e-3 4.854e-3" ;;
  1e-4) echo "4.421e-5 4.399e-5" ;;
  1e-5) echo "5.061e-7 3.962e-7" ;;
  1e-6) echo "1.258e-7 1.086e-4" ;;
  esac
}

# 3.904e-1
short_e() { printf '%.3e' "$1" | sed 's/e-0/e-/'; }

{
  echo '| step | index 1, published | ours | time | index 3, published | ours | time |'
  echo '|---|---|---|---|---|---|---|'
} | tee "$table"
for h in $steps; do
  times=3
  case $h${QUICK:+, quick} in
  1e-[456],*)
    echo "| $h s | = | = | = | = | = | = |" | tee -a "$table"
    continue
    ;;
  1e-[56]) times=1 ;;
  esac
  read -r theirs1 theirs3 <<< "$(published "$h")"
  t1=$(seconds $times run index1 --study table --method index1 --step "$h")
  t3=$(seconds $times run index3 --study table --method index3 --step "$h")
  printf '| %s s | %s J | %s J | %s s | %s J | %s J | %s s |\n' "$h" "$theirs1" \
    "$(short_e "$(value index1 energy error)")" "$t1" "$theirs3" "$(short_e "$(value index3 energy error)")" "$t3" |
    tee -a "$table"
done

run fixed --study table
run variable --study variable
# the largest local error of ten steps each
"$build/bench/local_error" "$model" index3 1e-3 10 |
  awk -F, 'NR == 1 { print; next }
    $2 > most { most = $2 }
    NR % 10 == 1 { print $1 "," most; most = 0 }' > "$out/local-error.csv"
rm -f "$out/index1".* "$out/index3".*
{
  echo
  printf 'Variable step: %d steps of %.2g to %.2g s, %d rejected, energy error %.2e J\n' \
    "$(value variable steps accepted)" "$(value variable steps shortest)" \
    "$(value variable steps longest)" "$(value variable steps rejected)" "$(value variable energy error)"
} | tee -a "$table"

draw double-pendulum 760 760 << 'END'
set multiplot layout 4,1 margins 0.115,0.97,0.07,0.965 spacing 0,0.05
set key bottom left
set ylabel 'energy, mJ' offset 1
plot out.'fixed.csv' using 1:(1e3*column('energy [J]')) with lines lw 1.3 lc rgb blue title 'index 3, fixed step of 1 ms', \
     out.'variable.csv' using 1:(1e3*column('energy [J]')) with lines lw 1.3 lc rgb orange title 'variable step'
set logscale y; set format y '10^{%T}'; set key top left; set xrange [0:10]
set ylabel 'local error, m'
plot out.'local-error.csv' using 1:($2 > 1e-14 ? $2 : 1e-14) with lines lw 0.8 lc rgb blue title 'index 3, 1 ms'
set ylabel 'step, s'
plot out.'variable.csv' using 1:(column('step.size [s]') > 0 ? column('step.size [s]') : 1/0) with steps lw 1.2 lc rgb orange title 'variable step'
unset logscale y; set format y '%g'
set xlabel 'time, s'; set ylabel 'index'; set yrange [0:4]; set ytics (1, 3)
plot out.'variable.csv' using 1:'step.index [1]' with steps lw 1.2 lc rgb orange title ''
END

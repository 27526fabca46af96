#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Drift of a loop that Baumgarte's terms alone hold, over alpha and beta: the slider-crank by `recursive` and bdf.
#   tools/experiments/baumgarte.sh [BUILD [FOLDER]]
name=baumgarte
. "$(dirname "$0")/common.sh"

# a run with these two: its violation of positions and velocities, its error of the energy
drift() {
  run "$1" --option "alpha=$2" --option "beta=$3" 2> /dev/null
  printf '%s %s %s\n' "$(value "$1" constraints position_residual)" \
    "$(value "$1" constraints velocity_residual)" "$(value "$1" energy error)"
}

{
  echo '| alpha = beta | position, m | velocity, m/s | energy, J |'
  echo '|---|---|---|---|'
} | tee "$table"
for a in 0 1 2 5 10 20; do
  read -r position velocity energy <<< "$(drift "equal-$a" $a $a)"
  printf '| %s | %s | %s | %s |\n' $a "$(short 2 "$position")" "$(short 2 "$velocity")" "$(short 2 "$energy")" |
    tee -a "$table"
done

echo beta,1,5,20 > "$out/over-beta.csv"
betas="0.5 1 2 4 7 10 14 20 30 50"
[ -z "${QUICK:-}" ] || betas="1 20"
for beta in $betas; do
  row=$beta
  for alpha in 1 5 20; do
    read -r position _ <<< "$(drift pair $alpha "$beta")"
    row=$row,$position
  done
  echo "$row" >> "$out/over-beta.csv"
done
rm -f "$out/pair".*

draw baumgarte 760 600 << 'END'
set multiplot layout 2,1 margins 0.115,0.97,0.09,0.965 spacing 0,0.11
set logscale y; set format y '10^{%T}'; set key bottom right
set xlabel 'time, s'; set ylabel 'violation of positions, m'; set yrange [1e-11:1e-2]
plot for [a in '0 1 5 20'] out.'equal-'.a.'.csv' using 1:(column('position [1]')) with lines lw 1.2 title 'alpha = beta = '.a
set xlabel 'beta, 1/s'; set ylabel 'largest violation, m'; set yrange [1e-7:1e-2]; set logscale x; set xrange [0.4:60]; set key top right
plot for [k=2:4] out.'over-beta.csv' using 1:k with linespoints lw 1.2 pt 7 ps 0.5 title 'alpha = '.word('x 1 5 20', k)
END

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# All tables and figures of one source document: prints its rows of doc/reports/seeds.md anew, and draws its figures.
#   tools/experiments/paper.sh hidalgo|polish|cardenal|dopico|postiau [BUILD [FOLDER]]
paper=${1:?"which paper: hidalgo, polish, cardenal, dopico or postiau"}
shift
name=paper-$paper
. "$(dirname "$0")/common.sh"
here=tools/experiments
folder=${2:-results/experiments}

case $paper in
hidalgo)
  for vehicle in van truck; do
    "$build/articula" check models/vehicles/$vehicle-redundant.yaml --jacobian > "$out/$vehicle-jacobian.txt"
    "$build/articula" run models/vehicles/$vehicle-redundant.yaml --until 1 --quiet -o "$out/$vehicle"
    tools/draw-motion.py "$out/$vehicle" "$out/$vehicle.svg" --caption "$vehicle" || true
  done
  ;;
polish)
  $here/baumgarte.sh "$build" "$folder"
  model=models/benchmarks/spatial-slider-crank-haug.yaml
  run crank --method recursive --integrator bdf --until 10
  draw crank 760 400 << 'END'
set xlabel 'time, s'; set ylabel 'slider, m'
plot out.'crank.csv' using 1:'x [m]' with lines lw 1.3 lc rgb blue title 'slider-crank in space (fig. 2)'
END
  ;;
cardenal)
  $here/double-pendulum.sh "$build" "$folder"
  $here/iltis-front.sh "$build" "$folder"
  ;;
dopico)
  $here/spherical-pendulum.sh "$build" "$folder"
  $here/iltis-stairs.sh "$build" "$folder"
  ;;
postiau)
  puma="models/generator/puma-thesis.yaml --forms inverse"
  "$build/articula" schedule $puma --units mul=5,add=4 --quiet -o "$out/puma-5-4.svg"
  "$build/articula" schedule $puma --units mul=2,add=2 --latency mul=3:1 --transfer 1 --quiet -o "$out/puma-2-2.svg"
  "$build/articula" check models/loops/seven-body.yaml --jacobian > "$out/seven-body-jacobian.txt"
  "$build/articula" check models/vehicles/bogie.yaml --jacobian > "$out/bogie-jacobian.txt"
  ;;
*)
  echo "$paper is not one of hidalgo, polish, cardenal, dopico and postiau" >&2
  exit 2
  ;;
esac
WHOLE=1 BUILD=$build tools/tables/seeds.py "$paper" | tee "$table"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Runs the machines under control of models/plant and draws them for doc/guide/plant.md and doc/guide/control.md:
#   tools/plot-plants.sh build/release/articula doc/images [NAME ...]
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: $0 PATH/TO/articula FOLDER [NAME ...]" >&2; exit 2; }
program=$(realpath "$1") folder=$(realpath "$2")
shift 2
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw PICTURE MODEL CHANNEL ...: a run of the model as its study says, and the picture; with names given these alone
names=" $* "
draw() {
  local picture=$1 model=$2
  shift 2
  [ "$names" = "  " ] || [[ $names == *" $picture "* ]] || return 0
  "$program" run "models/plant/$model.yaml" -q -o "$work/$model"
  "$program" plot "$work/$model" "$@" -q -o "$folder/plant-$picture.svg"
}

draw pendulum inverted-pendulum rail.slide target pin.angle push
draw excavator excavator stick.edge.z ram.pressure_a ram.pressure_b
draw winch gear-motor guide.slide motor.current balancer.pressure
draw robot industrial-robot 'current*'
draw stewart stewart-pid wanted_heave heave_of force1 force6
[ "$names" = "  " ] || [[ $names == *" abs "* ]] || exit 0
"$program" run models/plant/van-locked.yaml -q -o "$work/van-locked"
draw abs van-abs speed y fl/slip --with "$work/van-locked"

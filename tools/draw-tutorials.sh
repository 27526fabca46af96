#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws the pictures of the tutorials anew, doc/images/tutorials/*.svg: tools/draw-tutorials.sh [BUILD], by default build/release.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
articula=$(realpath "${1:-build/release}")/articula
images=$root/doc/images/tutorials
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
test/doc/check_tutorials.py --write "$work"
mkdir -p "$images"

# run TUTORIAL MODEL [OPTION ...]: the result is in $result
run() {
  result=$work/results/${2%.yaml}
  cd "$work/$1"
  "$articula" run "$2" -q -o "$result" "${@:3}"
  cd "$root"
}
# front NAME [OPTION ...]: the motion seen from the front
front() { tools/draw-motion.py "$result" "$images/$1-motion.svg" --azimuth -90 --elevation 0 "${@:2}"; }
plot() { "$articula" plot "$result" "${@:2}" -q -o "$images/$1.svg"; }

run linkage linkage.yaml --interval 4ms
front linkage --until 1 --rate 24 --span 1.25 --height 320
plot linkage-plot rocker torque
run oscillator mass.yaml --interval 10ms --option at_equilibrium=false --set F=0 --until 2
plot oscillator-decay height
run oscillator masses.yaml
front oscillator --until 2 --rate 20 --span 2.4 --height 400 --raise 0.12

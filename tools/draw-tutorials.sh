#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws the pictures of the tutorials anew, doc/images/tutorials/*.svg: tools/draw-tutorials.sh [BUILD], by default build/release.
# Plots are those that the tutorials draw themselves; PAGE-motion.svg shows the last run of a page.
set -euo pipefail
cd "$(dirname "$0")/.."
images=doc/images/tutorials
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$images"
test/doc/check_tutorials.py --build "${1:-build/release}" --write "$work"
for plot in "$work"/*/*.svg; do
  cp "$plot" "$images/$(basename "$(dirname "$plot")")-$(basename "$plot")"
done

# motion PAGE RESULT [OPTION ...]: seen from the front
motion() { tools/draw-motion.py "$work/$1/$2" "$images/$1-motion.svg" --azimuth -90 --elevation 0 "${@:3}"; }

motion linkage results/linkage --until 1 --rate 24 --span 1.25 --height 320
motion oscillator results/masses-fall --until 2 --rate 20 --span 2.4 --height 400 --raise 0.12
motion motor results/arm --until 2 --rate 16 --span 1.7 --height 360
motion lift results/lift --until 6 --rate 8 --span 4 --height 440 --raise 0.3
motion corner results/arm --from 0.2 --until 1.2 --slow 2 --rate 12 --follow body --span 3 --height 360
motion robot results/control --until 2 --rate 16 --span 2.4 --height 420
motion python results/cart --until 4 --rate 12 --span 3 --height 360
motion fmu results/crane --until 6 --rate 8 --follow trolley --span 10 --height 420

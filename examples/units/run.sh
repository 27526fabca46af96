#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A controller delivered as a functional mock-up unit closes the loop around a machine; the same controller inside of the
# model of the machine says how far off the steps of 2 ms are.  run.sh [ARTICULA]
set -eu
articula=${1:-articula}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.yaml "$work"
cd "$work"

# who delivers the controller
"$articula" export controller.yaml --fmu controller.fmu --version 3

# who has the machine
"$articula" run loop.yaml --allow-native controller.fmu -o loop

# the same in one model: the block in the place of the input
sed '/^inputs/d; s/value: = push}/value: = pid}/' crane.yaml > whole.yaml
sed -n 's/input: = miss/input: = target - rail.slide/; /^blocks/,/pid:/p' controller.yaml >> whole.yaml
"$articula" run whole.yaml --interval '20 ms' -o whole --quiet
paste -d, loop/results.csv whole/results.csv | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(crane\.)?place/) column[++n] = i; next }
  { d = $column[1] - $column[2]; if (d < 0) d = -d; if (d > worst) worst = d; last = $column[1] }
  END { printf "the trolley ends at %.4f m; with the controller inside of the model it is at most %.2g m elsewhere\n", last, worst
        exit !(n == 2 && NR > 100 && worst > 0 && worst < 5e-3 && last > 0.9 && last < 1.2) }'

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The unit of a machine in figures: its size, how long its sources compile, and what a call of derivatives costs compared with the
# bare generated function. bench/fmu/measure.sh [MODEL [OPTIONS OF export]]
set -euo pipefail
here=$(dirname "$0")
model=${1:-$here/../../models/vehicles/multilink-car.yaml}
: "${ARTICULA:=$here/../../build/release/articula}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$ARTICULA" export "$model" --fmu "$work/unit.fmu" --name car --targets own "${@:2}" > "$work/said"
echo "packed: $(($(stat -c %s "$work/unit.fmu") / 1000)) kB"
(cd "$work" && python3 -m zipfile -e unit.fmu unit)
cd "$work/unit/sources"
flags="-std=c99 -fPIC -ffp-contract=fast -fno-math-errno -fno-trapping-math -DFMI2_OVERRIDE_FUNCTION_PREFIX"
for level in -O1 -O2; do
  TIMEFORMAT="compiled with $level in %U s"
  time ${CC:-cc} $level $flags -c car.c car_unit.c
done
cd - > /dev/null
states=$(grep -c ' derivative="' "$work/unit/modelDescription.xml")
token=$(sed -n 's/.*guid="\([^"]*\)".*/\1/p' "$work/unit/modelDescription.xml" | head -1)
${CC:-cc} -O2 -std=gnu99 -DTOKEN="\"$token\"" -DSTATES="$states" -DFMI2_OVERRIDE_FUNCTION_PREFIX -I"$work/unit/sources" "$here/calls.c" \
  "$work/unit/sources/car.o" "$work/unit/sources/car_unit.o" -lm -o "$work/calls"
"$work/calls"

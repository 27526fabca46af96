#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Machines on a graphics processor, as the tables of doc/reports/gpu.md. Needs nvcc, a device and an articula.
#   bench/gpu/table.sh machines|precisions|contacts [BUILD]
command -v nvcc > /dev/null && nvidia-smi > /dev/null 2>&1 || exit 77
build=${2:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

precision=double

# line NAME MODEL INSTANCES STEPS STEP WORDS: what the benchmark prints; the processor computes in double precision
line() {
  name=$1 model=$2 n=$3 steps=$4 h=$5
  shift 5
  [ -f "$work/$name.cu" ] ||
    "$build/articula" generate "models/$model.yaml" --language cuda -o "$work/$name.cu" --name "$name" --quiet
  [ -f "$work/$name.so" ] ||
    cc -x c -O1 -ffp-contract=fast -shared -fPIC "$work/$name.cu" -o "$work/$name.so" -lm
  "$build/articula" generate "models/$model.yaml" --language cuda --precision $precision -o "$work/$name.cu" --name "$name" --quiet
  operations=$(grep -m1 -o '[0-9]* operations:' "$work/$name.cu" | cut -d' ' -f1)
  order=$(grep -m1 '^//   nvcc ' "$work/$name.cu" | grep -o -e '-Xptxas=-O1')
  if grep -q "^//   nvcc .*_SPILL" "$work/$name.cu"; then order="-DSPILL -D${name}_SPILL"; fi
  if grep -q "^//   nvcc .*_SUBTREES" "$work/$name.cu"; then order="-DSUBTREES -D${name}_SUBTREES"; fi
  nvcc -O3 $order -arch=native -DOPERATIONS="$operations" -DTEXT="\"$work/$name.cu\"" -DMACHINE="$name" "$@" \
    bench/gpu/batch.cu -o "$work/program" -ldl && "$work/program" "$n" "$steps" "$h" "$work/$name.so"
}

printf '| machine | instances | evaluations a second | RK4 steps a second | operations a second | difference from the CPU |\n|---|---|---|---|---|---|\n'
row() {
  what=$1
  shift
  line "$@" | awk -v what="$what" '{ for (i = 1; i < NF; i++) v[$i] = $(i + 1); for (i = 2; i <= NF; i++) w[$i] = $(i - 2)
    printf "| %s | ~%s | ~%s M | ~%s M | ~%s T | %s |\n", what, v["n"], w["evaluations/s"], w["steps/s"], $(NF - 8), $NF }'
}
if [ "$1" = precisions ]; then
  for precision in double float; do row "arm, $precision" arm iiwa 1048576 100 1e-4; done
  for precision in double float; do row "humanoid, $precision" humanoid generator/humanoid 1048576 20 1e-4; done
  for precision in double mixed float; do row "five-bar car, $precision" car vehicles/multilink-car 131072 10 1e-3; done
  exit
fi
if [ "$1" = contacts ]; then
  # the humanoid without contacts but those of its feet
  mkdir "$work/imported"
  cp models/contact/robots/humanoid.yaml "$work"
  sed -e '/type: contact/{/foot/!d}' models/contact/robots/imported/humanoid.yaml > "$work/imported/humanoid.yaml"
  row 'quadruped' quadruped contact/robots/quadruped 100000 20 1e-4
  row 'humanoid, eight points' humanoid "$(realpath --relative-to=models "$work")/humanoid" 100000 20 1e-4
  row 'walking machine, twelve legs with loops' walker contact/machines/walker 100000 10 1e-4
  exit
fi
row 'arm' arm iiwa 1048576 100 1e-4
row 'single-track car' single_track vehicles/single-track 1048576 100 1e-3
row 'humanoid' humanoid generator/humanoid 1048576 20 1e-4
row 'Iltis' iltis vehicles/iltis 131072 20 1e-3
row 'van' van vehicles/van 131072 10 1e-3
row 'five-bar car' car vehicles/multilink-car 131072 10 1e-3
row 'truck' truck vehicles/truck 65536 5 1e-3
row 'road train' train vehicles/road-train 65536 5 1e-3

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Instructions counted by callgrind, which do not depend on how busy the machine is: of one call at a
# chain of 30 links, and of one evaluation at machines with closed loops, as RK4 at 1 ms meets it. Each
# is the difference of two numbers of calls or steps, so that making the model drops out.
#   bench/instructions.sh [build/release/bench [tree|loops]]
set -euo pipefail

directory=${1:-build/release/bench}
for program in tree loops; do
  [ -x "$directory/$program" ] ||
    { echo "instructions: no $directory/$program; build it with 'make bench'" >&2; exit 2; }
done
command -v valgrind > /dev/null || { echo "instructions: valgrind is not installed" >&2; exit 2; }
export OPENBLAS_NUM_THREADS=1

# all instructions of a program's run
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | awk '/Collected/ { print $4 }'
}

count_tree() {
  few=10 many=110 links=30
  echo "instructions a call at $links links, $(uname -m)"
  printf '%-10s %10s   %s\n' job counted 'aim (x86-64 with AVX2)'
  while read -r job aim; do
    more=$(collected "$directory/tree" "$job" "$links" "$many")
    less=$(collected "$directory/tree" "$job" "$links" "$few")
    printf '%-10s %10d   below %s\n' "$job" $(((more - less) / (many - few))) "$aim"
  done << END
inverse 14,000
mass 28,000
forward 35,000
END
}

# four evaluations a step
count_loops() {
  ways="plain dense sparse recursive augmented"
  printf 'instructions an evaluation; plain, dense, sparse: semirecursive\n%-8s %5s' '' N
  printf ' %11s' $ways
  while read -r shape n skip; do
    printf '\n%-8s %5d' "$shape" "$n"
    for way in $ways; do
      if [ "$way" = "$skip" ]; then
        printf ' %11s' -
        continue
      fi
      more=$(collected "$directory/loops" "$way" "$shape" "$n" 12)
      less=$(collected "$directory/loops" "$way" "$shape" "$n" 2)
      printf ' %11d' $(((more - less) / 40))
    done
  done << END
polygon 5
polygon 15
polygon 51
polygon 151
windows 1
windows 10
windows 40 augmented
windows 80 augmented
END
}

for part in ${2:-tree loops}; do
  count_$part
  echo
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Instructions of one call at a chain of 30 links, counted by callgrind: the difference of two numbers
# of calls, so that making the model drops out. Counts do not depend on how busy the machine is.
#   bench/instructions.sh [build/release/bench/tree]
set -euo pipefail

program=${1:-build/release/bench/tree}
few=10 many=110 links=30
[ -x "$program" ] || { echo "instructions: no $program; build it with 'make bench'" >&2; exit 2; }
command -v valgrind > /dev/null || { echo "instructions: valgrind is not installed" >&2; exit 2; }

# all instructions of a run of so many calls
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$links" "$2" 2>&1 |
    awk '/Collected/ { print $4 }'
}

echo "instructions a call at $links links, $(uname -m)"
printf '%-10s %10s   %s\n' job counted 'aim (x86-64 with AVX2)'
while read -r job aim; do
  printf '%-10s %10d   below %s\n' "$job" \
    $((($(collected "$job" "$many") - $(collected "$job" "$few")) / (many - few))) "$aim"
done << END
inverse 14,000
mass 28,000
forward 35,000
END

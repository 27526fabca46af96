#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Fuzz one target for its part of FUZZ_SECONDS (60 when unset), starting from its seeds:
#   run.sh PROGRAM NUMBER-OF-TARGETS
# New inputs stay beside the program; an input that breaks it is named at the end. The number of executions is printed and
# added to executions.txt beside the program, which tools/fuzz-counts.sh adds up.
set -euo pipefail

program=$1
seconds=$((${FUZZ_SECONDS:-60} / $2))
[ "$seconds" -ge 1 ] || seconds=1
name=$(basename "$program")
name=${name#fuzz_}
here=$(cd "$(dirname "$0")" && pwd)

found="$(dirname "$program")/found_$name"
mkdir -p "$found"
folders=("$found")
[ -d "$here/corpus_$name" ] && folders+=("$here/corpus_$name")
# inputs of former runs
[ ! -f "$here/packed/$name.tar.xz" ] || tar -xJf "$here/packed/$name.tar.xz" -C "$found"
options=(-max_total_time=$seconds -timeout=60 -rss_limit_mb=2048 -print_final_stats=1
         -verbosity=0 -artifact_prefix="$(dirname "$program")/")
[ -f "$here/$name.dict" ] && options+=(-dict="$here/$name.dict")

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$program" "${options[@]}" "${folders[@]}" 2>&1 | tee "$log" || status=1
count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
echo "fuzz_$name executions ${count:-0} seconds $seconds jobs 1" | tee -a "$(dirname "$program")/executions.txt"
if [ "$status" -ne 0 ]; then
  echo "An input broke $program (named above): run the program with that file to see it again,"
  echo "mend the fault and keep the file in test/fuzz/corpus_$name."
  exit 1
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Fuzz one target for its part of FUZZ_SECONDS (60 when unset), starting from its seeds:
#   run.sh PROGRAM NUMBER-OF-TARGETS
# New inputs stay beside the program; an input that breaks it is named at the end.
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
options=(-max_total_time=$seconds -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
         -verbosity=0 -artifact_prefix="$(dirname "$program")/")
[ -f "$here/$name.dict" ] && options+=(-dict="$here/$name.dict")

if ! "$program" "${options[@]}" "${folders[@]}"; then
  echo "An input broke $program (named above): run the program with that file to see it again,"
  echo "mend the fault and keep the file in test/fuzz/corpus_$name."
  exit 1
fi

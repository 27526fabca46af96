#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Lines of the library, of show/ and of the command that the tests reached, worst file first:
#   tools/coverage.sh BUILD-FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

if command -v gcovr > /dev/null; then
  exec gcovr --root "$root" --filter src/ --filter show/ --filter cli/ --sort-percentage "$1"
fi

# gcov says "File 'x'" and, on the next line, "Lines executed:p% of n". Headers come many times and
# their best count stands; a file that no test links left only its notes and counts as not reached.
find "$1" -name '*.gcno' -path '*/articula*' -print0 | xargs -0 gcov --no-output 2> /dev/null |
  awk -v root="$root/" '
  /^File / { file = substr($0, 7, length($0) - 7); sub(root, "", file) }
  /^Lines executed/ && file ~ /^(src|show|cli)\// {
    split($0, part, /[:% ]+/)
    reached = part[3] / 100 * part[5]
    if (!(file in lines) || reached > best[file]) { best[file] = reached; lines[file] = part[5] }
    file = ""
  }
  END {
    for (f in lines) { printf "%6.1f %%  of %5d  %s\n", 100 * best[f] / lines[f], lines[f], f | "sort -n" }
    close("sort -n")
    for (f in lines) { sum += best[f]; all += lines[f] }
    printf "%6.1f %%  of %5d  all\n", all ? 100 * sum / all : 0, all
  }'

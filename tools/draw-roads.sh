#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Draws the pictures of doc/reference/model/roads.md. Compiles the roads alone, which need nothing else of the library:
#   tools/draw-roads.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-cc} -std=c11 -O1 -ffp-contract=off -Iinclude -Isrc tools/draw-roads.c src/road/*.c \
  src/base/arena.c src/base/error.c src/base/memory.c -lm -o "$program"
"$program" "${1:-doc/images}"

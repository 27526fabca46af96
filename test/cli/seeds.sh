#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every command of doc/reports/seeds.md that begins with `articula` succeeds; those of rows that are marked as long are left to make tables.
# What the commands show is compared by tools/tables/seeds.py (test doc/tables).
source test/cli/support.bash

count=0
commands=$(grep -v '| long[^|]*|$' doc/reports/seeds.md | grep -o '`articula [^`]*`' | tr -d '`' | sort -u)
[ "$(wc -l <<< "$commands")" -ge 10 ] || fail "doc/reports/seeds.md has lost its commands"
while read -r _ verb rest; do
  words=($rest)
  case $verb in run | generate) words+=(-o "$work/$((++count))") ;; esac
  call 0 "$verb" "${words[@]}"
done <<< "$commands"

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every model that is shipped becomes C by default options, and a strict compiler takes it.
source "$(dirname "$0")/support.bash"

count=0
for model in models/*.yaml models/*/*.yaml; do
  case $model in */parts/* | */tyres/*) continue ;; esac
  call 0 generate "$model" -o "$work/model.c"
  [ -n "${ART_SANITIZED:-}" ] || cc -std=c11 -O0 -Wall -Wextra -Werror -c "$work/model.c" -o "$work/own.o" || fail "$model does not compile"
  count=$((count + 1))
done
[ "$count" -ge 60 ] || fail "$count models were found, want at least 60"

finish

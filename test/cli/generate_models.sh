#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Every model that is shipped becomes C by default options, and a strict compiler takes it.
source "$(dirname "$0")/support.bash"

# a sanitizer sees every fourth model
count=0
for model in models/*.yaml models/*/*.yaml; do
  case $model in */parts/* | */tyres/*) continue ;; esac
  count=$((count + 1))
  [ -n "${ART_SANITIZED:-}" ] && [ $((count % 4)) -ne 0 ] && continue
  call 0 generate "$model" -o "$work/model.c"
  [ -n "${ART_SANITIZED:-}" ] || cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "$work/model.c" || fail "$model does not compile"
done
[ "$count" -ge 60 ] || fail "$count models were found, want at least 60"

finish

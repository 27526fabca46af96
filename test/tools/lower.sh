#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# tools/lower.c: operators on scalars become calls, all else stays.
#   lower.sh LOWER
set -uo pipefail
lower=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# the body of a function without lines of #line and superfluous spaces
lowered() {
  printf 'real f(real x, real y, double k, int n)\n{\n%s\n}\n' "$1" > "$folder/in.c"
  "$lower" "$folder/in.c" "$folder/out.c" 2> "$folder/error" || return 1
  grep -v '^#line' "$folder/out.c" | tr -s ' \n' ' ' | sed 's/^.*int n ) { //; s/ *} *$//'
}

# a statement and what becomes of it
check() {
  local found
  found=$(lowered "$1") || found="refused: $(cat "$folder/error")"
  [ "$found" = "$2" ] && return
  printf 'lower: %s\n  gives    %s\n  expected %s\n' "$1" "$found" "$2" >&2
  failed=1
}

# a statement that is refused, with a part of the message, which names file and line
refuse() {
  if lowered "$1" > "$folder/found"; then
    printf 'lower: %s is accepted: %s\n' "$1" "$(cat "$folder/found")" >&2
    failed=1
  elif ! grep -q "in.c:[0-9]*: .*$2" "$folder/error"; then
    printf 'lower: %s: the message is %s\n' "$1" "$(cat "$folder/error")" >&2
    failed=1
  fi
}

# precedence, associativity, literals, signs
check 'return x + y * k;' 'return r_add(r_of(x), r_mul(r_of(y), r_of(k)));'
check 'return x - y - 1;' 'return r_sub(r_sub(r_of(x), r_of(y)), r_const(1));'
check 'return (x + y) / 2e-3;' 'return r_div(r_add(r_of(x), r_of(y)), r_const(2e-3));'
check 'return -x * -2;' 'return r_mul(r_neg(r_of(x)), r_const(-2));'
check 'return 3;' 'return r_const(3);'
check 'return k;' 'return r_of(k);'

# comparisons and choices; > and >= change sides
check 'return x < 0 ? -x : x;' 'return r_select(r_less(r_of(x), r_const(0)), r_neg(r_of(x)), r_of(x));'
check 'return x > y ? x : y;' 'return r_select(r_less(r_of(y), r_of(x)), r_of(x), r_of(y));'
check 'return x >= y && !(x < 1) ? x : 0;' \
  'return r_select(r_and(r_at_most(r_of(y), r_of(x)), r_not(r_less(r_of(x), r_const(1)))), r_of(x), r_const(0));'
check 'return n == 1 ? x : y;' 'return r_of((n == 1 ? x : y));'

# calls: functions of scalars take and give scalars, others keep their arguments
check 'return r_sin(k) + g(n, x);' 'return r_add(r_sin(r_of(k)), r_of(g(n, x)));'
check 'return R_NAME(height)(x) * 2;' 'return r_mul(r_of(R_NAME(height)(x)), r_const(2));'

# declarations and assignments; numbers stay numbers
check 'const real a = k, b = a * x; return b;' \
  'const real a = r_of(k), b = r_mul(r_of(a), r_of(x)); return r_of(b);'
check 'const double c = 2 * k; return c * x;' 'const double c = 2 * k; return r_mul(r_of(c), r_of(x));'
check 'x += y; return x;' 'x = r_add(r_of(x), r_of(y)); return r_of(x);'
check 'for (int i = 0; i < n; i++) x *= k; return x;' \
  'for (int i = 0 ; i < n ; i ++) x = r_mul(r_of(x), r_of(k)); return r_of(x);'
check 'if (r_surely(x < y)) return x; return y;' \
  'if (r_surely(r_less(r_of(x), r_of(y)))) return r_of(x); return r_of(y);'
check 'const v3 a = {x, 1, y * k}; return a.z;' \
  'const v3 a = {x, r_const(1), r_mul(r_of(y), r_of(k))}; return r_of(a.z);'

# mistakes, with the place
refuse 'return x < y && n;' 'a comparison of scalars is joined'
refuse 'return x +;' 'expected an expression'
refuse 'x ^ y;' 'expected an assignment'
exit $failed

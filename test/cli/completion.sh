#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Completion by TAB in a folder from a stranger: names of columns and files never reach an expansion of the shell, neither when
# they are listed nor when one of them is inserted and the line is run.
source test/cli/support.bash

mkdir "$work/bin" "$work/folder"
ln -s "$(realpath "$ARTICULA")" "$work/bin/articula"
export PATH=$work/bin:$PATH
cd "$work/folder" || exit 1

cat > evil.csv << 'CSV'
time [s],good_one [m],good_two [m],$(touch${IFS}PWNED1),`touch${IFS}PWNED2`,*,"a""$(touch${IFS}PWNED3)",$(touch PWNED4),zz$(touch${IFS}PWNED5),"x
$(touch${IFS}PWNED6)",'$(touch${IFS}PWNED7)',;touch${IFS}PWNED8,a[$(touch${IFS}PWNED9)],~,$HOME,\,<(touch${IFS}PWNED0)
0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
CSV
printf 'time [s],$(touch${IFS}PWNEDa),`touch${IFS}PWNEDb`\n0,1,2\n1,1,2\n' > plain.csv # no quotes that break an expansion
cp evil.csv 'y$(touch${IFS}PWNEDf).csv'
cp evil.csv 'w`touch${IFS}PWNEDg`.csv'
articula plot evil.csv | has_line -F '$(touch${IFS}PWNED1)' || fail "the table is not read"

untouched() {
  local made
  made=$(find . -name 'PWNED*' | sort | paste -sd ' ')
  [ -z "$made" ] || fail "$1: text of a file was run: $made"
  rm -f PWNED*
}

# the function of bash alone, asked for all and for one
articula completion bash > "$work/complete.bash"
bash -c 'source "$1"; COMP_WORDS=(articula plot plain.csv ""); COMP_CWORD=3; _articula' _ "$work/complete.bash"
untouched "bash, plain.csv"
for word in '' 'good_t' '$' 'a[' '*'; do
  bash -c 'source "$1"; COMP_WORDS=(articula plot evil.csv "$2"); COMP_CWORD=3; _articula; printf "%s\n" "${COMPREPLY[@]}"' \
    _ "$work/complete.bash" "$word" > "$work/out"
  untouched "bash, '$word'"
  case $word in
    '') grep -qx '\$(touch${IFS}PWNED1)' "$work/out" && grep -qx good_one "$work/out" || fail "bash does not list all" ;;
    good_t) [ "$(cat "$work/out")" = good_two ] || fail "bash does not complete good_t" ;;
    '*') [ "$(cat "$work/out")" = '*' ] || fail "bash expands a column named *" ;;
  esac
done

# interactive shells: list, insert, run
for shell in bash zsh fish; do
  command -v $shell > /dev/null || { echo "skipped: there is no $shell"; continue; }
  articula completion $shell > "$work/complete.$shell"
  /usr/bin/python3 "$ART_SOURCE_DIR/test/cli/complete.py" $shell "$work/complete.$shell" "$work/folder" \
    'articula plot plain.csv ^^' 'articula plot evil.csv ^^' 'articula plot evil.csv zz^' 'articula plot evil.csv good_t^' 'articula plot y^' 'articula plot w^' \
    > "$work/shown" 2>&1
  untouched $shell
  grep -q 'good_two' "$work/shown" || { fail "$shell does not complete good_t"; cat -v "$work/shown"; }
done

cd "$ART_SOURCE_DIR" || exit 1
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Hostile surroundings: environment, streams, paths and arguments. The command works to the same bits, or says what is
# wrong; it never goes on with something else.
source test/cli/support.bash

model=$models/pendulum.yaml
run=(run "$model" --until 0.1)
call 0 "${run[@]}" -o "$work/whole"
same() { cmp "$work/whole/results.csv" "$1/results.csv" || fail "$last: other bits"; }

# with STATUS NAME=VALUE ... -- ARGUMENT ...: the command with these variables alone
with() {
  local want=$1 got variables=()
  shift
  while [ "$1" != -- ]; do variables+=("$1"); shift; done
  shift
  timeout 60 env -i PATH="$PATH" "${variables[@]}" "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null
  got=$?
  last="articula $* with ${variables[*]:0:1}"
  [ $got -eq "$want" ] || { fail "$last: exit status $got, want $want"; cat "$work/err"; }
}


#---- environment ---------------------------------------------------------------------------------

with 0 -- "${run[@]}" -o "$work/bare"
same "$work/bare"
with 0 LC_ALL=de_DE.UTF-8 TMPDIR=/nowhere HOME=/nowhere -- "${run[@]}" -o "$work/odd"
same "$work/odd"

generated=("${run[@]}" --method generated -o "$work/generated")
with 1 -- "${generated[@]}"
complains "compiled equations cannot be kept in '~/.cache': HOME is not set"
with 1 HOME=relative -- "${generated[@]}"
complains "HOME is not set"
with 1 HOME=/dev/null -- "${generated[@]}"
complains "cannot be kept in '/dev/null/.cache/articula': Not a directory"
mkdir "$work/cache"
mkdir -p "$work/open/below"
chmod 777 "$work/open"
with 1 XDG_CACHE_HOME="$work/open/below" -- "${generated[@]}"
complains "cannot be kept in '$work/open/below/articula': others may write in a folder above"
chmod 1777 "$work/open"
with 1 XDG_CACHE_HOME="$work/open/below" CC=/nowhere/cc -- "${generated[@]}"
complains "'/nowhere/cc' could not be started"
with 1 XDG_CACHE_HOME="$work/cache" CC=/nowhere/cc -- "${generated[@]}"
complains "'/nowhere/cc' could not be started: No such file or directory"
with 1 XDG_CACHE_HOME="$work/cache" CC=true -- "${generated[@]}"
complains "the compiler 'true' did not take the generated equations"
with 1 XDG_CACHE_HOME="$work/cache" CC="$(head -c 5000 /dev/zero | tr '\0' x)" -- "${generated[@]}"
complains "CC is longer than"
with 0 XDG_CACHE_HOME="$work/cache" CC="  " TMPDIR=/nowhere -- "${generated[@]}"

# a host of the library that writes 0,5: the files are the same, byte for byte
if [ -n "${FAULTS_LIBRARY:-}" ] && localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" > /dev/null 2>&1; then
  comma=(LD_PRELOAD="$FAULTS_LIBRARY" FAULTS_LOCALE=de_DE.UTF-8 LOCPATH="$work")
  with 0 "${comma[@]}" -- "${run[@]}" -o "$work/comma"
  cmp "$work/comma/results.csv" "$work/whole/results.csv" || fail "$last: other numbers"
  python3 -m json.tool "$work/comma/certificate.json" > /dev/null || fail "$last: certificate.json is not JSON"
  with 0 -- generate "$model" -o "$work/point.c"
  with 0 "${comma[@]}" -- generate "$model" -o "$work/comma.c"
  cmp "$work/point.c" "$work/comma.c" || fail "$last: other code"
  with 0 "${comma[@]}" XDG_CACHE_HOME="$work/cache" -- "${generated[@]}"
  for call in "check $model" "linear $model" "check models/solids.yaml" "equil $model"; do
    # shellcheck disable=SC2086
    with 0 -- $call
    cp "$work/out" "$work/point.out"
    # shellcheck disable=SC2086
    with 0 "${comma[@]}" -- $call
    cmp "$work/point.out" "$work/out" || fail "$last: other output"
  done

  # readers of foreign files in the process that has the locale; letters, too: with tr_TR toupper('i') is not 'I', and with ISO 8859-1 and
  # 8859-9 the bytes of UTF-8 are letters
  sed 's/.*/\L&/' test/data/adams/test_Revolute_Case02.adm > "$work/small.adm"
  sed 's/name="[a-z]*/&-größe-日İi/' models/import/arm.urdf > "$work/letters.urdf"
  sed 's/"upper/"UPPER-İıi-größe/g' models/import/arm.urdf > "$work/more.urdf"
  localedef -i tr_TR -f UTF-8 "$work/tr_TR.UTF-8" > /dev/null 2>&1
  localedef -i tr_TR -f ISO-8859-9 "$work/tr_TR.ISO-8859-9" > /dev/null 2>&1
  localedef -i de_DE -f ISO-8859-1 "$work/de_DE.ISO-8859-1" > /dev/null 2>&1
  for locale in de_DE.UTF-8 de_DE.ISO-8859-1 tr_TR.UTF-8 tr_TR.ISO-8859-9; do
    [ -d "$work/$locale" ] || { echo "skipped: there is no locale $locale"; continue; }
    for file in models/import/arm.urdf "$work/letters.urdf" "$work/more.urdf" test/data/adams/test_Revolute_Case02.adm "$work/small.adm"; do
      with 0 -- import "$file" --no-sandbox -o "$work/point.yaml"
      cp "$work/err" "$work/point.err"
      with 0 "${comma[@]}" FAULTS_LOCALE=$locale -- import "$file" --no-sandbox -o "$work/comma.yaml"
      cmp "$work/point.yaml" "$work/comma.yaml" && cmp "$work/point.err" "$work/err" || fail "$last with $locale: other model"
    done
    with 0 -- generate models/import/arm.urdf --no-sandbox -o "$work/point.c"
    with 0 "${comma[@]}" FAULTS_LOCALE=$locale -- generate models/import/arm.urdf --no-sandbox -o "$work/comma.c"
    cmp "$work/point.c" "$work/comma.c" || fail "$last with $locale: other code"
  done
else
  echo "skipped: no locale with a decimal comma can be made and set"
fi


#---- streams -------------------------------------------------------------------------------------

# closed STATUS REDIRECTIONS: results are whole, whatever is closed
closed() {
  local got
  rm -rf "$work/closed"
  eval '"$ARTICULA" "${run[@]}" -o "$work/closed"' "$2"
  got=$? last="articula run $2"
  [ $got -eq "$1" ] || fail "$last: exit status $got, want $1"
  same "$work/closed"
}
closed 1 '>&- 2> "$work/err"'
complains "standard output: cannot write"
closed 0 '2>&- > "$work/out"'
closed 1 '<&- >&- 2>&-'
closed 0 '-q <&- >&- 2>&-'


#---- paths and arguments -------------------------------------------------------------------------

for name in "größe-日本-🚲" $'line\nend' "with blanks" "-" "semi;colon \$(touch $work/run)"; do
  (cd "$work" && "$ARTICULA" run "$ART_SOURCE_DIR/$model" --until 0.1 -o "$name" > out 2> err)
  got=$? last="articula run -o '$name'"
  [ $got -eq 0 ] || fail "$last: exit status $got"
  same "$work/$name"
done
[ ! -e "$work/run" ] || fail "a name was run"

# names are bytes: those that are not UTF-8 work as others do, and certificates, pages and JSON show U+FFFD for them
odd=$work/$'odd\xff'
mkdir "$odd"
cp $model "$odd/"$'model\xfe.yaml'
call 0 run "$odd/"$'model\xfe.yaml' --until 0.1 -o "$odd/"$'out\xfd'
same "$odd/"$'out\xfd'
holds "j['file'].endswith('model\ufffd.yaml') and j['results'].endswith('out\ufffd')" "$odd/"$'out\xfd/certificate.json'
(cd "$odd" && "$ARTICULA" run $'model\xfe.yaml' --until 0.1 --quiet) || fail "a model whose name is not UTF-8"
same "$odd/"$'results/model\xfe'
call 0 check "$odd/"$'model\xfe.yaml' --json
holds "'model' in j['file']"
for page in "report $odd/"$'out\xfd -o' "view $odd/"$'out\xfd --html'; do
  call 0 $page "$odd/"$'page\xfc.html'
  iconv -f UTF-8 -t UTF-8 "$odd/"$'page\xfc.html' > /dev/null || fail "$page: the page is not UTF-8"
done
call 0 plot "$odd/"$'out\xfd' -o "$odd/"$'plot\xfc.svg'
call 2 check "$odd/"$'none\xfe.yaml' --json
holds "'none?.yaml' in j['error']['file'] or 'none\ufffd.yaml' in j['error']['file']"
long=$(printf 'd%.0s' $(seq 250))
call 1 "${run[@]}" -o "$work/$long/$long$long"
complains "File name too long"
call 2 "${run[@]}" -o "/$(printf "$long/%.0s" $(seq 20))"
complains "the path after -o is too long"
call 2 check "/$(printf "$long/%.0s" $(seq 20))"
complains "File name too long"
call 2 check ""
complains "the name of a file is empty"
call 2 "${run[@]}" -o ""
complains "--output is empty"

# an option in the place of a value is not a value
call 2 "${run[@]}" -o --quiet
complains "--output needs a value: --output DIR"
call 2 "${run[@]}" --option =1
complains "--option has '=1', expected KEY=VALUE"
call 0 "${run[@]}" -o "$work/again" --from -0.1
for wrong in "--until nan" "--until 1e999" "--until 1,5" "--until 0x10" "--step 0" "--tolerance -1" "--threads 0"; do
  call 2 "${run[@]}" $wrong
  complains "${wrong% *}"
done

# who may not write says so
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --clear-groups true 2> /dev/null && chmod 755 "$work" &&
  setpriv --reuid 65534 --clear-groups "$ARTICULA" --version > /dev/null 2>&1; then
  setpriv --reuid 65534 --clear-groups "$ARTICULA" "${run[@]}" -o "$work/whole" > "$work/out" 2> "$work/err"
  [ $? -eq 1 ] || fail "a folder of another user: exit status"
  complains "Permission denied"
  setpriv --reuid 65534 --clear-groups "$ARTICULA" "${run[@]}" -o "$work/own" > "$work/out" 2> "$work/err"
  [ $? -eq 1 ] || fail "a place of another user: exit status"
  complains "$work/own: cannot make the directory: Permission denied"
fi

finish

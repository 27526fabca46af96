#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The archive for Windows under wine, compared with the command of this system: smoke.sh ARCHIVE.zip [NATIVE], where NATIVE is a build
# of the project (build/release).
set -euo pipefail
cd "$(dirname "$0")/../.."
archive=$(realpath "$1")
native=$(realpath "${2:-build/release}")/articula
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
[ -x "$wine" ] && [ "$(uname -m)" = x86_64 ] || { echo "smoke: no wine64 here, so nothing was tried"; exit 0; }
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all XDG_CACHE_HOME= SMOKE_FOLDER=Z:$work/compiler
unset DISPLAY WAYLAND_DISPLAY CC
helper=
end() {
  [ -z "$helper" ] || kill "$helper" 2> /dev/null || true
  "$(dirname "$wine")/wineserver" -k 2> /dev/null || /usr/lib/wine/wineserver -k 2> /dev/null || true
  rm -rf "$work"
}
trap end EXIT
fail() { echo "smoke: $*" >&2; cat "$work/out" "$work/err" >&2; exit 1; }

# call STATUS WORDS...: the command on Windows, in the folder of the archive
call() {
  local expected=$1 status=0
  shift
  (cd "$folder" && timeout 300 "$wine" bin/articula.exe "$@") > "$work/out" 2> "$work/err" < /dev/null || status=$?
  [ "$status" = "$expected" ] || fail "exit status $status of: articula $*"
}
says() { grep -qF -- "$1" "$work/out" "$work/err" || fail "nothing says: $1"; }
# the same words, wall times left out
alike() {
  (cd "$folder" && "$native" "$@") > "$work/native" 2>&1 || true
  call 0 "$@"
  diff <(grep -v ' ms\b' "$work/native") <(grep -v ' ms\b' "$work/out") || fail "another output of: articula $*"
}
# numbers of two tables, relative to the largest of their column
same_numbers() {
  awk -F, -v limit=1e-8 'NR == FNR { for (i = 1; i <= NF; i++) a[FNR, i] = $i; rows = FNR; next }
    FNR > 1 { for (i = 1; i <= NF; i++) { d = $i - a[FNR, i]; if (d < 0) d = -d; x = $i < 0 ? -$i : $i
      if (d > most[i]) most[i] = d; if (x > large[i]) large[i] = x } }
    END { if (FNR != rows || rows < 3) { print "rows differ"; exit 1 }
      for (i in most) if (most[i] > limit * (large[i] + 0.1)) { print "column " i " differs by " most[i]; bad = 1 }; exit bad }' "$1" "$2" ||
    fail "numbers of $2 differ"
}

mkdir -p "$work/compiler" "$work/unpacked"
(cd "$work/unpacked" && cmake -E tar xf "$archive")
folder=$(echo "$work"/unpacked/*)
[ "$(timeout 600 "$wine" "$folder/bin/articula.exe" --version 2> "$work/err" | tee "$work/out")" = "$("$native" --version)" ] || fail "another version"

#---- models, runs, results

loop=models/loops/four-bar.yaml car=models/vehicles/iltis-bump.yaml
alike check $loop
alike linear $loop
for run in "$loop --until 2" "$car --until 0.3"; do
  # shellcheck disable=SC2086
  (cd "$folder" && "$native" run $run -o "$work/native-run" -q)
  # shellcheck disable=SC2086
  call 0 run $run -o 'results\run'
  says "verdict: good"
  same_numbers "$work/native-run/results.csv" "$folder/results/run/results.csv"
done
call 0 plot 'results\run' pitch -o results/pitch.svg
grep -q '<svg' "$folder/results/pitch.svg" || fail "no plot"
call 0 report 'results\run' -o results/report.html
call 0 view results/run --html results/view.html
grep -q articula-scene "$folder/results/view.html" || fail "no page"
call 0 sweep $loop --vary coupler=0.58:0.62:3 --until 0.2 --threads 2 -o results/sweep
printf 'articula: 1\nbodies: {rod: {mass: -1 kg}}\n' > "$folder/wrong.yaml"
call 2 check wrong.yaml
says "wrong.yaml:2:"
call 2 run nothing.yaml
says "nothing.yaml"

#---- sources, without a compiler and with one

call 0 generate $loop -o results/four-bar.c
"$native" generate $loop -o "$work/four-bar.c" > /dev/null
diff "$work/four-bar.c" "$folder/results/four-bar.c" > /dev/null || fail "other equations"
call 0 export $loop --fmu results/sources.fmu
says "no C compiler"
call 1 run $loop --method generated -o results/generated
says "need a C compiler"

x86_64-w64-mingw32-gcc-posix -O1 -static tools/windows/smoke_compiler.c -o "$folder/bin/gcc.exe"
while sleep 0.1; do
  [ -e "$work/compiler/request" ] || continue
  mapfile -t words < <(sed "s|Z:/|/|; s|C:/|$WINEPREFIX/drive_c/|" "$work/compiler/request")
  rm "$work/compiler/request"
  status=0
  x86_64-w64-mingw32-gcc-posix -static-libgcc "${words[@]}" > "$work/compiler/log" 2>&1 || status=$?
  echo $status > "$work/compiler/answer.new"
  mv "$work/compiler/answer.new" "$work/compiler/answer"
done &
helper=$!
call 0 export $loop --fmu results/four-bar.fmu
python3 -m zipfile -l "$folder/results/four-bar.fmu" > "$work/list"
grep -q 'binaries/win64/.*\.dll' "$work/list" || fail "no library in the FMU"
call 0 run results/four-bar.fmu --until 1 -o results/fmu
call 0 run $loop --until 2 --method generated -o results/generated
says "verdict: good"
call 0 compare $loop --until 0.2

#---- the server

(cd "$folder" && exec "$wine" bin/articula.exe view results/run --no-browser) > "$work/out" 2> "$work/err" < /dev/null &
server=$!
for _ in $(seq 100); do grep -q http "$work/out" && break; sleep 0.3; done
address=$(grep -oE 'http://[^ ]*' "$work/out") || fail "no address of the server"
python3 -c 'import sys, urllib.request as r
print(r.urlopen(sys.argv[1]).read()[:15], r.urlopen(sys.argv[1] + "api/runs").read())' "$address" > "$work/answer" || fail "the server does not answer"
kill $server
grep -q '"frames"' "$work/answer" || fail "the server has no run"
echo "smoke: the command runs under $("$wine" --version), with the numbers of $("$native" --version) here"

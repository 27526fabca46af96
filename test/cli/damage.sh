#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Results that have changed since their run: plot, report and view say so, and show what is there.
source test/cli/support.bash

model=$models/pendulum.yaml
result=$work/result table=$work/result/results.csv
call 0 run $model -o "$result" -q
cp -r "$result" "$work/sound"
rows=$(($(wc -l < "$table") - 1))
[ "$rows" -gt 100 ] || fail "only $rows rows"

# restore: the result as the run left it
restore() {
  rm -rf "$result"
  cp -r "$work/sound" "$result"
}

# shows TEXT: all that show the result say this in one line, or with "" nothing
shows() {
  local text=$1 verb
  for verb in "plot $result" "plot $table" "plot $result time --with $result -o $work/p.svg" "report $result" \
    "report $result/scene.arts -o $work/r.html" "view $result --html $work/v.html"; do
    case $verb in plot*) [ -e "$table" ] || continue ;; esac
    call 0 $verb
    if [ -z "$text" ]; then
      silent err
      continue
    fi
    complains "$table: $text; run the model again"
    [ "$(sort -u "$work/err" | wc -l)" -eq 1 ] || fail "$last: says more than that: $(cat "$work/err")"
  done
  if [ -n "$text" ]; then
    grep -qF "<b>results.csv: $text" "$result/report.html" || fail "the report does not say '$text'"
  fi
}

changed="the file has changed since the run wrote its $rows rows: its SHA-256 is not that of certificate.json"
holds "j['rows'] == $rows and j['results_sha256'] == '$(sha256sum < "$table" | cut -d' ' -f1)'" "$result/certificate.json"
shows ""

sed -i '$d' "$table"
shows "found $((rows - 1)) rows, but certificate.json says that the run wrote $rows: rows are missing"
head -n 1 "$work/sound/results.csv" > "$table"
call 0 report "$result"
complains "found 0 rows, but certificate.json says that the run wrote $rows: rows are missing"
restore
truncate -s -3 "$table"
shows "found $((rows - 1)) rows, but certificate.json says that the run wrote $rows: rows are missing"
restore
tail -n 1 "$table" >> "$table"
shows "found $((rows + 1)) rows, but certificate.json says that the run wrote $rows: rows were added"
restore
sed -i '50y/12/21/' "$table"
cmp -s "$table" "$work/sound/results.csv" && fail "no digit was changed"
shows "$changed"
restore
printf '7,half a li' >> "$table"
shows "$changed"
restore
rm "$table"
shows "the file is missing, and certificate.json says that it has $rows rows"

# 40 GB that take nothing on the disk are not read
restore
truncate -s 40G "$table"
for verb in "report $result" "view $result --html $work/v.html"; do
  last="articula $verb"
  timeout 30 "$ARTICULA" $verb > "$work/out" 2> "$work/err" || fail "$last: exit status $?"
  complains "$table: one call may read 1073741824 bytes of files in all"
done
restore
truncate -s 40G "$result/scene.arts"
for verb in "report $result" "export $result --glb $work/o.glb"; do
  last="articula $verb"
  timeout 30 "$ARTICULA" $verb > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] || fail "$last: exit status $?, want 2"
  complains "$result/scene.arts: one call may read 1073741824 bytes of files in all"
done

# other tables of the folder, results of older versions, certificates that are none, and runs that go on
restore
sed '$d' "$work/sound/results.csv" > "$result/own.csv"
call 0 plot "$result/own.csv"
silent err
cp "$result/own.csv" "$table"
sed -i '/results_sha256/d' "$result/certificate.json"
shows ""
for text in '{"rows": 1e300, "results_sha256": "0"}' '{"rows": "x", "results_sha256": [1]}' '[]' 'no JSON'; do
  echo "$text" > "$result/certificate.json"
  call 0 plot "$result"
  silent err
done
cp "$work/sound/certificate.json" "$result"
: > "$result/lock"
shows ""

# stopped SIGNAL ARGUMENT ...: a run that is ended as soon as it has written more rows
long=(run $models/long.yaml --until 200 -o "$work/cut" -q)
stopped() {
  local signal=$1 before pid
  shift
  before=$(cat "$work/cut/results.csv" 2> /dev/null | wc -l)
  "$ARTICULA" "${long[@]}" "$@" > "$work/out" 2> "$work/err" &
  pid=$!
  while [ "$(cat "$work/cut/results.csv" 2> /dev/null | wc -l)" -le "$before" ] && kill -0 $pid 2> /dev/null; do :; done
  kill -"$signal" $pid
  wait $pid 2> /dev/null
}

# of an interrupted run, of one that was killed after it was resumed, and of its end
stopped INT
holds 'j["status"] == "interrupted" and len(j["results_sha256"]) == 64' "$work/cut/certificate.json"
call 0 report "$work/cut"
silent err
stopped KILL --resume
rm -f "$work/cut/lock"
call 0 report "$work/cut"
silent err
call 0 "${long[@]}" --resume
call 0 report "$work/cut"
silent err
holds "j['results_sha256'] == '$(sha256sum < "$work/cut/results.csv" | cut -d' ' -f1)'" "$work/cut/certificate.json"

# and one that lost a row
sed -i '$d' "$work/cut/results.csv"
call 0 plot "$work/cut"
complains "rows are missing"

# a sweep in the folder of a run replaces results and has no certificate
restore
printf 'case,L [m]\n1,0.5\n' > "$work/cases.csv"
call 0 sweep $models/swing.yaml --cases "$work/cases.csv" --result max:pin.angle -o "$result" -q
[ ! -e "$result/certificate.json" ] || fail "$last: the certificate of the run before is left"
call 0 plot "$result"
silent err

finish

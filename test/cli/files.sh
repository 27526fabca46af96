#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Pipes, folders, devices and sockets in the place of data files: refused with what they are and what to do, and nobody
# waits for them, whoever reads or writes.
source test/cli/support.bash

mkfifo "$work/pipe"
mkdir "$work/folder"
/usr/bin/python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" "$work/socket"

# a model for each kind of file that one may name
rod='{mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}'
pin='joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}'
write_models() {
  printf 'articula: 1\ninclude: [{file: "%s", prefix: a}]\nbodies: {rod: %s}\n%s\n' "$1" "$rod" "$pin" > "$work/include.yaml"
  printf 'articula: 1\nbodies: {rod: {visual: {type: mesh, file: "%s"}, %s}\n%s\n' "$1" "${rod#\{}" "$pin" > "$work/mesh.yaml"
  printf 'articula: 1\nbodies: {rod: %s}\n%s\ntyres: {t: {type: magic, file: "%s"}}\n' "$rod" "$pin" "$1" > "$work/tyre.yaml"
}

# soon STATUS VERB ...: without waiting
soon() {
  local want=$1
  shift
  timeout 10 "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null
  local got=$?
  last="articula $*"
  [ $got -eq $want ] || { fail "$last: exit status $got, want $want"; cat "$work/err"; }
}


#---- reading -------------------------------------------------------------------------------------

# the models are sound where the files are
cp models/tyres/passenger-205-60R15.tir "$work/sound.tir"
printf 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$work/sound.obj"
printf 'articula: 1\nparameters: {a: 1}\n' > "$work/sound.yaml"
for model in include:yaml mesh:obj tyre:tir; do
  write_models "$work/sound.${model#*:}"
  soon 0 check "$work/${model%:*}.yaml"
done

for what in pipe:a\ pipe folder:a\ directory socket:a\ socket /dev/zero:a\ device; do
  kind=${what#*:} what=${what%:*} advice="save its contents as one"
  case $what in /*) path=$what ;; *) path=$work/$what ;; esac
  [ $what = folder ] && advice="name one of those in it"
  message="$path: this is $kind, expected a file; $advice"
  write_models "$path"
  soon 2 check "$path"
  complains "$message"
  soon 2 check "$work/include.yaml"
  complains "include.yaml:2:18: cannot include $message"
  soon 2 check "$work/mesh.yaml"
  complains "mesh.yaml:2:43: cannot read the mesh $message"
  soon 2 check "$work/tyre.yaml"
  complains "tyre.yaml:4:9: tyre 't': $message"
  if [ $what != folder ]; then
    soon 2 sweep $models/long.yaml --cases "$path" -o "$work/swept"
    complains "$message"
    soon 2 plot "$path"
    complains "$message"
    soon 2 view "$path" --html "$work/page.html"
    complains "$message"
  fi
  rm -rf "$work/run"
  mkdir "$work/run"
  ln -s "$path" "$work/run/checkpoint"
  soon 2 run $models/long.yaml -o "$work/run" --resume
  complains "$work/run/checkpoint: this is $kind, expected a file"
done

# a list of cases that is not there is a wrong call, too
soon 2 sweep $models/long.yaml --cases "$work/missing.csv" -o "$work/swept"
complains "$work/missing.csv: cannot open: No such file or directory; --cases names a table in CSV"


#---- writing -------------------------------------------------------------------------------------

# refused_at STATUS FILE VERB ...: what stands at its place stays what it is
refused_at() {
  local status=$1 path=$2
  shift 2
  soon $status "$@"
  complains "$path: this is a pipe, expected a file to write to; remove it, or choose another place by -o"
  [ -p "$path" ] || fail "$last: the pipe is gone"
}

mkdir "$work/led"
mkfifo "$work/led/results.csv"
refused_at 2 "$work/led/results.csv" run $models/pendulum.yaml -o "$work/led"
rm "$work/led/results.csv"
mkfifo "$work/led/certificate.json.part"
refused_at 1 "$work/led/certificate.json.part" run $models/pendulum.yaml -o "$work/led"
mkfifo "$work/led/journal"
refused_at 2 "$work/led/journal" sweep $models/long.yaml --until 0.1 --vary hinge.rate=1:2:2 -o "$work/led"

# even one that somebody reads
mkfifo "$work/equations.c"
exec 3<> "$work/equations.c"
refused_at 2 "$work/equations.c" generate $models/pendulum.yaml -o "$work/equations.c"
exec 3>&-
[ ! -e "$work/equations.c.part" ] || fail "a part of a file is left"

finish

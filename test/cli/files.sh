#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Pipes, folders, devices and sockets in the place of data files: refused with what they are, and nobody waits for them.
source test/cli/support.bash

mkfifo "$work/pipe"
mkdir "$work/folder"
/usr/bin/python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" "$work/socket"

# a model for each kind of file that one may name
rod='bodies: {rod: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}
study: {type: run, until: 0.1}'
write_models() {
  printf 'articula: 1\ninclude: [%s]\n%s\n' "$1" "$rod" > "$work/include.yaml"
  printf 'articula: 1\n%s\nvisual: {rod: {mesh: {file: %s}}}\n' "$rod" "$1" > "$work/mesh.yaml"
  printf 'articula: 1\n%s\ndrives: {d: {coordinate: pin, table: {file: %s}}}\n' "$rod" "$1" > "$work/table.yaml"
  printf 'articula: 1\n%s\nroad: {type: table, file: %s}\n' "$rod" "$1" > "$work/road.yaml"
  sed "s#^\( *[a-z_]*: {[^}]*file: \)[^,}]*\.tir#\1$1#" models/vehicles/single-track.yaml > "$work/tyre.yaml"
}

# refused VERB ...: soon, as wrong input
refused() {
  timeout 10 "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null
  local got=$?
  last="articula $*"
  [ $got -eq 2 ] || { fail "$last: exit status $got, want 2"; cat "$work/err"; }
  [ -s "$work/err" ] || fail "$last: refused without a word"
}

call 0 run $models/pendulum.yaml -o "$work/kept"
for what in pipe folder socket /dev/zero; do
  case $what in /*) path=$what ;; *) path=$work/$what ;; esac
  write_models "$path"
  refused check "$path"
  for model in include mesh table road; do refused check "$work/$model.yaml"; done
  [ $what = folder ] || refused sweep $models/long.yaml --cases "$path" -o "$work/swept"
  [ $what = folder ] || refused plot "$path"
  [ $what = folder ] || refused view "$path" --html "$work/page.html"
  rm -rf "$work/run"
  mkdir "$work/run"
  ln -s "$path" "$work/run/checkpoint"
  refused run $models/long.yaml -o "$work/run" --resume
  complains "expected a file"
done

finish

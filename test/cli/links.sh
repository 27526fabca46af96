#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# A folder from a stranger with links in it: nothing is written through them, and models read nothing through them that lies outside.
source test/cli/support.bash

mkdir "$work/stranger" "$work/home"
cp $models/pendulum.yaml "$work/stranger/p.yaml"
for victim in csv json lock scene point journal; do echo "precious" > "$work/home/$victim"; done
untouched() {
  local file
  for file in "$work/home"/*; do
    [ "$(cat "$file")" = precious ] || { fail "$last: $file was overwritten"; echo precious > "$file"; }
  done
  [ "$(ls "$work/home" | wc -l)" -eq 6 ] || fail "$last: there are other files in the home"
}
in_folder() {
  local want=$1
  shift
  (cd "$work/stranger" && timeout 60 "$ARTICULA" "$@" > "$work/out" 2> "$work/err" < /dev/null)
  local got=$?
  last="articula $*"
  [ $got -eq "$want" ] || { fail "$last: exit status $got, want $want"; cat "$work/err"; }
  untouched
}
run=(run p.yaml --until 0.1)
results=$work/stranger/results/p

# symbolic and hard links at the places of all files of a run
for link in results.csv:csv lock:lock; do
  for kind in -s ''; do
    mkdir -p "$results"
    ln $kind "$work/home/${link#*:}" "$results/${link%:*}"
    in_folder 2 "${run[@]}"
    complains "${link%:*}" "link"
    [ -e "$results/${link%:*}" ] || fail "$last: the link is gone"
    rm -rf "$work/stranger/results"
  done
done

# parts are new files, whatever is there; a certificate takes the place of a link and not of its target
for link in certificate.json.part:json certificate.json:json checkpoint.part:point scene.arts:scene; do
  for kind in -s ''; do
    mkdir -p "$results"
    ln $kind "$work/home/${link#*:}" "$results/${link%:*}"
    in_folder 0 "${run[@]}"
    rm -rf "$work/stranger/results"
  done
done

# a pipe as a lock: nobody waits for its end
mkdir -p "$results"
mkfifo "$results/lock"
in_folder 2 "${run[@]}"
complains "this is a pipe"
rm -rf "$work/stranger/results"

# folders: the usual one has no link in it, one that the call names may
ln -s "$work/home" "$work/stranger/results"
in_folder 2 "${run[@]}"
complains "results: this is a symbolic link" "give it by -o"
rm "$work/stranger/results"
mkdir "$work/stranger/results"
ln -s "$work/home" "$results"
for verb in "run p.yaml" "inverse p.yaml" "sweep p.yaml --samples 2 --vary pin.angle=0:1"; do
  # shellcheck disable=SC2086
  in_folder 2 $verb
  rm -rf "$work/stranger/results"
  mkdir "$work/stranger/results"
  for name in p p-inverse p-sweep; do ln -s "$work/home" "$work/stranger/results/$name"; done
done
rm -rf "$work/stranger/results"
mkdir "$work/disk"
ln -s "$work/disk" "$work/stranger/mine"
in_folder 0 "${run[@]}" -o mine/p
[ -s "$work/disk/p/results.csv" ] || fail "$last: no results through the folder of the call"

# files that a model names: a link that leads out is refused, one within is followed, and plain paths are read
rod='{mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]'
printf 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$work/stranger/own.obj"
cp "$work/stranger/own.obj" "$work/outside.obj"
mkdir "$work/stranger/meshes"
ln -s ../own.obj "$work/stranger/meshes/near.obj"
ln -s "$work/outside.obj" "$work/stranger/meshes/far.obj"
ln -s "$work" "$work/stranger/meshes/up"
model() { printf 'articula: 1\nbodies: {rod: %s, visual: {type: mesh, file: "%s"}}}\njoints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n' "$rod" "$1" > "$work/stranger/m.yaml"; }
for file in own.obj ./meshes/../own.obj meshes/near.obj ../outside.obj; do
  model "$file"
  in_folder 0 check m.yaml
done
for file in meshes/far.obj meshes/up/outside.obj; do
  model "$file"
  in_folder 2 check m.yaml
  complains "a symbolic link leads out of the folder of the file that names it"
done
printf 'articula: 1\nparameters: {a: 1}\n' > "$work/part.yaml"
ln -s "$work/part.yaml" "$work/stranger/part.yaml"
printf 'articula: 1\ninclude: [{file: part.yaml, prefix: a}]\nbodies: {rod: %s}}\njoints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n' "$rod" > "$work/stranger/i.yaml"
in_folder 2 check i.yaml
complains "a symbolic link leads out of the folder"

# tables and machines that a file of units names
mkdir "$work/stranger/units"
printf 'articula: 1\nbodies: {rod: %s}}\njoints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\ninputs: {push: {unit: N*m}}\nforces: {f: {type: joint-force, coordinate: pin, value: = push}}\n' "$rod" > "$work/machine.yaml"
printf 'time [s],push [N*m]\n0,0\n1,1\n' > "$work/push.csv"
cp "$work/machine.yaml" "$work/push.csv" "$work/stranger/units"
for link in machine.yaml push.csv; do ln -s "$work/$link" "$work/stranger/units/far-$link"; done
ln -s "$work" "$work/stranger/units/up"
units() { printf 'articula: 1\nunits: {m: {file: "%s"}}\nconnect: {m.push: "%s"}\nstudy: {until: 0.1 s, step: 10 ms}\n' "$1" "$2" > "$work/stranger/units/u.yaml"; }
units machine.yaml push.csv
in_folder 0 run units/u.yaml -o out
units ../../machine.yaml ../../push.csv
in_folder 0 run units/u.yaml -o out
for names in "far-machine.yaml push.csv" "up/machine.yaml push.csv" "machine.yaml far-push.csv" "machine.yaml up/push.csv:push"; do
  # shellcheck disable=SC2086
  units $names
  in_folder 2 run units/u.yaml -o out
  complains "a symbolic link leads out of the folder of the file that names it"
done

# a name that makes another folder of results/NAME
for name in ...yaml ..yaml; do
  cp "$work/stranger/p.yaml" "$work/stranger/$name"
  in_folder 2 run "$name"
  complains "gives its results no folder of their own; choose one by -o"
  [ ! -e "$work/stranger/results.csv" ] || fail "$last: writes beside the model"
done

# files of other programs: links, absolute addresses, and addresses searched in folders above
mkdir -p "$work/pack/urdf" "$work/pack/meshes" "$work/pack2/meshes"
cp "$work/outside.obj" "$work/pack/meshes/part.obj"
cp "$work/outside.obj" "$work/pack2/meshes/part.obj"
ln -s "$work/outside.obj" "$work/pack/urdf/far.obj"
cp "$work/outside.obj" "$work/pack/urdf/near.obj"
urdf() {
  printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="%s"/></geometry></visual></link></robot>\n' "$1" > "$work/pack/urdf/r.urdf"
}
imported() { # WANT NAME [OPTION ...]
  local want=$1
  urdf "$2"
  shift 2
  call 0 import "$work/pack/urdf/r.urdf" -o "$work/pack/urdf/r.yaml" "$@"
  case $want in
    read) grep -v '^#' "$work/pack/urdf/r.yaml" | has_line 'obj' || { fail "$last: the mesh is not read"; cat "$work/out"; } ;;
    refused) grep -v '^#' "$work/pack/urdf/r.yaml" | grep 'obj' && fail "$last: the mesh is read" ;;
  esac
}
imported read near.obj
imported refused far.obj
imported read far.obj --package "$work"
imported refused "package://$work/outside.obj"
imported refused "file://$work/outside.obj"
imported refused "package://pack/meshes/part.obj" # folders above are no packages by their names alone
imported refused "package://$(basename "$work")/outside.obj"
imported refused "model://pack2/meshes/part.obj"
imported read "model://pack2/meshes/part.obj" --package "$work"
touch "$work/pack/package.xml"
imported read "package://pack/meshes/part.obj"
ln -sf "$work/outside.obj" "$work/pack/meshes/link.obj"
imported refused "package://pack/meshes/link.obj"
finish

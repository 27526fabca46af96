#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Machines of other programs as MuJoCo, DART and libsdformat read them: mass matrices, forces and frames at 100 random states of each
# file. Where ART_TEST_ALL is set (make test-all), and the programs are installed.
source test/cli/support.bash

[ -n "${ART_TEST_ALL:-}" ] || { echo "ART_TEST_ALL is not set"; exit 0; }
"$ARTICULA" import models/import/arm.urdf 2>&1 | has_line 'reads no XML' && { echo "no libexpat"; exit 0; }
build=$(dirname "$ARTICULA")
robots=../shared/benchmarks/robots

# build a program where its library is installed, and ask it about files
ask() {
  local program=$1
  shift
  # of a list that is read to its end: a pipe that breaks would fail, and nothing be asked
  cmake --build "$build" --target help > "$work/targets"
  grep -q " $program\$" "$work/targets" || { echo "$program: its library is not installed"; return; }
  cmake --build "$build" --target "$program" > "$work/build.log" 2>&1 || fail "$program is not built"
  /usr/bin/python3 test/peers/import_peers.py "$build/test/$program" "$@" || fail "$program differs"
}

urdf=$(ls models/import/*.urdf $robots/urdf/*.urdf $robots/urdf/parallel/*/*.urdf 2> /dev/null)
mjcf=$(ls models/import/*.xml $robots/mjcf/*.xml $robots/mjcf/*/*.xml 2> /dev/null)
ask import_mujoco $urdf $mjcf $(ls models/import/*.mbs $robots/mbs/*.mbs 2> /dev/null)
ask import_dart $urdf
ask import_sdf $(ls models/import/*.sdf test/peers/*.sdf $robots/sdf/*.sdf 2> /dev/null)

finish

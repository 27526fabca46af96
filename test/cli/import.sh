#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Models of other programs: text, notes, closures, refusals; energies against another reader of the same files.
source test/cli/support.bash

# a build without libexpat says so
"$ARTICULA" import models/import/arm.urdf 2>&1 | has_line 'reads no XML' && { echo "no libexpat"; exit 0; }

call 0 import models/import/arm.urdf
says "# From the URDF file arm.urdf" "mass: 1.5 kg" "{type: gear, joints: [grip-1, grip-2], ratio: -1}" "#   line 67: <mu1> of <gazebo> is left out"
silent err
cp "$work/out" "$work/printed.yaml"
call 0 import models/import/arm.urdf -o "$work/arm.yaml"
says "URDF, written to" "line 42, 3 times: velocity of <limit>"
cmp -s "$work/printed.yaml" "$work/arm.yaml" || fail "printed and written texts differ"

# the text and the file itself are the same machine
call 0 check "$work/arm.yaml" --json
cp "$work/out" "$work/written.json"
call 0 check models/import/arm.urdf --json
holds "j['hash'] == json.load(open('$work/written.json'))['hash'] and len(j['bodies']) == 6"
call 0 run models/import/arm.urdf --until 0.5 -o "$work/arm"
says "verdict: good"

call 0 import models/import/arm.urdf --json -o "$work/arm.yaml"
holds "j['format'] == 'URDF' and any(n['line'] == 42 and n['count'] == 3 for n in j['left_out'])"
call 0 import models/import/arm.urdf --strict

# loops, and roots that are free
call 0 import models/import/four-bar.urdf --close end_a end_b -o "$work/bars.yaml"
call 0 check "$work/bars.yaml"
says "  1: 4 velocities, 3 bound by closed loops"
call 0 import models/import/four-bar.urdf --close-points end_a end_b
says "closes_end_b: {type: spherical, from: end_a, to: end_b, loop: cut}"
call 2 import models/import/four-bar.urdf --close end_a nobody
complains "cannot close the loop between 'end_a' and 'nobody'"
call 2 import models/import/four-bar.urdf --close end_a
complains "--close needs two values: --close A B"
call 0 import models/import/arm.urdf --base free
says "base: {type: free, from: ground, to: stand}"

# MJCF: laws of actuators, sensors, keyframes
call 0 import models/import/swing.xml --key aside -o "$work/swing.yaml"
grep -qF 'clamp(40*servo + (-40)*1*(hip.angle + 0.17453292519943295) + (-2)*1*hip.rate, -15, 15)' "$work/swing.yaml" || fail "the servo is not there"
grep -qF 'follow: {type: linear, terms: {pin: 1, hip: -0.5}}' "$work/swing.yaml" || fail "the equality is not there"
call 0 run "$work/swing.yaml" --until 0.5 -o "$work/swing"
says "verdict: good"
call 2 import models/import/swing.xml --key nowhere
complains "there is no keyframe 'nowhere'"

# geoms that give a body its mass keep their colours, own ones and those of materials
cat > "$work/colours.xml" << 'XML'
<mujoco>
  <asset><material name="paint" rgba="0 0.5 1 1"/></asset>
  <worldbody>
    <body name="red"><joint type="hinge" axis="0 1 0"/><geom type="box" size=".1 .2 .3" rgba="1 0 0 1"/></body>
    <body name="blue"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size=".1 .2" material="paint"/></body>
    <body name="plain"><joint type="hinge" axis="0 1 0"/><geom type="sphere" size=".1"/></body>
  </worldbody>
</mujoco>
XML
call 0 import "$work/colours.xml" -o "$work/colours.yaml"
grep -q 'type: box.*colour: "#ff0000"' "$work/colours.yaml" || fail "the box has lost its colour"
grep -q 'type: capsule.*colour: "#0080ff"' "$work/colours.yaml" || fail "the capsule has lost the colour of its material"
[ "$(grep -c colour: "$work/colours.yaml")" -eq 2 ] || fail "the sphere has a colour that nobody gave it"
call 0 run "$work/colours.yaml" --until 0.01 -o "$work/colours" --quiet
head -c 20000 "$work/colours/scene.arts" | grep -aq '"colour": "#0080ff"' || fail "the scene has lost the colour"
for file in $(ls ../shared/benchmarks/robots/mjcf/mujoco_{arm26,humanoid,slider_crank,equality_site,jdotv_connect_2d}.xml ../shared/benchmarks/robots/mjcf/{shadow_hand,trossen_wx250s}/scene*.xml 2> /dev/null); do
  call 0 run "$file" --until 0.05 -o "$work/mjcf"
  says "verdict: good"
done

# collision shapes: a quadruped on its feet, a robot of URDF that falls on the floor, refusals
call 0 import models/import/quadruped.xml -o "$work/quadruped.yaml"
grep -q surfaces: "$work/quadruped.yaml" && fail "there are surfaces without --contact"
call 0 import models/import/quadruped.xml --contact -o "$work/quadruped.yaml"
grep -q 'fl_on_floor: {type: contact, between: \[floor, fl\]' "$work/quadruped.yaml" || fail "a foot has no contact"
call 0 check "$work/quadruped.yaml" --json
cp "$work/out" "$work/written.json"
call 0 check models/import/quadruped.xml --contact --json
holds "j['hash'] == json.load(open('$work/written.json'))['hash']"
call 0 run models/import/quadruped.xml --contact --until 1 -o "$work/quadruped"
says "verdict: good" 
call 2 run models/import/crank.adm --contact --until 0.1 -o "$work/none"
complains "--contact has no meaning for files of ADAMS"
call 2 check models/puma560.yaml --contact
complains "--contact is for files of other programs"
robot=../shared/benchmarks/robots/urdf/quadruped.urdf
if [ -f "$robot" ]; then
  {
    printf 'articula: 1\ninclude: [{file: "%s"}]\nforces:\n' "$PWD/$robot"
    for joint in {FL,FR,BL,BR}_{HFE,KFE}; do printf '  %s_hold: {type: joint-spring, coordinate: %s, stiffness: 100, damping: 2}\n' $joint $joint; done
    printf 'initial: {base: {z: 0.346}}\noutputs: {load: "= 0'
    for foot in FL FR BL BR; do printf ' + %s_contact_surface_on_floor.normal' $foot; done
    printf '"}\n'
  } > "$work/standing.yaml"
  call 0 run "$work/standing.yaml" --base free --contact --until 2 --interval 1 -o "$work/standing"
  says "verdict: good"
  # 2.772 kg on four feet
  /usr/bin/python3 -c "
import csv, sys
rows = list(csv.reader(open('$work/standing/results.csv')))
sys.exit(abs(float(rows[-1][-1])/(2.772*9.81) - 1) > 1e-7)" || fail "the feet do not carry the weight: $(tail -n 1 "$work/standing/results.csv")"
fi

call 0 run models/import/delta.xml --until 0.1 -o "$work/delta"
says "verdict: good"
holds 'j["constraints"]["rank"] == j["constraints"]["rows"] == 9' "$work/delta/certificate.json"

# Robotran
call 0 run models/import/crank.mbs --until 0.5 -o "$work/crank"
says "verdict: good"
for file in $(ls ../shared/benchmarks/robots/mbs/*.mbs 2> /dev/null); do
  call 0 run "$file" --until 0.05 -o "$work/mbs"
  says "verdict: good"
done

# SDF, and that of others where it is there; two of them are refused with their reason
call 0 run models/import/linkage.sdf --until 0.2 -o "$work/sdf"
says "verdict: good"
call 0 import models/import/linkage.sdf --base free
for file in $(ls ../shared/benchmarks/robots/sdf/*.sdf 2> /dev/null); do
  case $file in
    */gz-sim_nested_models.sdf)
      call 2 check "$file"
      complains "joins a link with itself"
      ;;
    */sdformat_joint_complete.sdf)
      call 2 check "$file"
      complains "has no <axis2>"
      ;;
    *)
      call 0 run "$file" --until 0.05 -o "$work/sdf"
      says "verdict: good"
      ;;
  esac
done

# ADAMS
call 0 run models/import/crank.adm --until 0.5 -o "$work/adm"
says "verdict: good"
call 0 import models/import/crank.adm -o "$work/crank.yaml"
says "ADAMS, written to" "OUTPUT: settings of the solver are left out"
call 0 check "$work/crank.yaml" --json
cp "$work/out" "$work/written.json"
call 0 check models/import/crank.adm --json
holds "j['hash'] == json.load(open('$work/written.json'))['hash']"
call 0 import models/import/crank.adm --strict
for file in $(ls ../shared/benchmarks/robots/adm/*.adm 2> /dev/null); do
  call 0 run "$file" --until 0.05 -o "$work/adm"
  says "verdict: good"
done

# meshes: found beside the file and in packages, never outside of the folder
mkdir -p "$work/p/parts" "$work/elsewhere"
cp models/wedge.obj "$work/p/parts/wedge.obj"
cp models/wedge.obj "$work/outside.obj"
robot() { printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><visual><geometry><mesh filename="%s"/></geometry></visual></link></robot>\n' "$1" > "$work/p/r.urdf"; }
robot parts/wedge.obj
call 0 import "$work/p/r.urdf" -o "$work/elsewhere/r.yaml"
grep -q 'file: "../p/parts/wedge.obj"' "$work/elsewhere/r.yaml" || fail "the path of a mesh does not begin at the text"
call 0 check "$work/elsewhere/r.yaml"
call 0 check "$work/p/r.urdf"
robot package://p/parts/wedge.obj
call 0 import "$work/p/r.urdf"
says 'file: "parts/wedge.obj"'
robot ../outside.obj
call 0 import "$work/p/r.urdf"
says "the mesh '../outside.obj' lies outside of the file's folder and is left out"
robot nothing.stl
call 0 import "$work/p/r.urdf"
says "the mesh 'nothing.stl' is not there, or outside"
robot "file://$work/p/parts/wedge.obj"
call 0 import "$work/p/r.urdf"
says 'file: "parts/wedge.obj"'
robot "file://$work/outside.obj"
call 0 import "$work/p/r.urdf"
says "outside.obj' is not there, or outside"
call 0 import "$work/p/r.urdf" --package "$work"
says 'file: "../outside.obj"'
# where meshes are lost, shapes of contact are seen, and bodies without these as they are guessed
inertial='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>' lost='<visual><geometry><mesh filename="no.stl"/></geometry></visual>'
link() { echo "<link name='$1'>$inertial$2</link><joint name='to_$1' type='revolute'><parent link='w'/><child link='$1'/><axis xyz='1 0 0'/></joint>"; }
echo "<robot name='r'><link name='w'/>$(link a "$lost<collision><geometry><sphere radius='0.25'/></geometry></collision>")$(link b "$lost")</robot>" > "$work/p/r.urdf"
call 0 import "$work/p/r.urdf"
says "visual: {type: sphere, radius: 0.25}"
grep -q 'visual: \[\]' "$work/out" && fail "$last: a body whose mesh is lost is not seen"

# loops beside the file, which the text does not replace
call 0 run models/import/five-bar.urdf --until 0.1 -o "$work/five"
says "verdict: good"
cp models/import/five-bar.urdf "$work/five.urdf"
cp models/import/five-bar.yml "$work/five.yaml"
call 2 import "$work/five.urdf" -o "$work/five.yaml"
complains "five.yaml: this file holds the loops of the robot; give the model file another name"
for file in $(ls ../shared/benchmarks/robots/urdf/parallel/*/robot.urdf 2> /dev/null); do
  call 0 run "$file" --until 0.02 -o "$work/parallel"
  says "verdict: good"
  cp "$work/parallel/certificate.json" "$work/out"
  holds "j['constraints']['rows'] >= 6 and j['constraints']['position_residual'] < 1e-12"
done

# trees go out again; loops, and what URDF lacks, do not
call 0 export models/import/arm.urdf --urdf "$work/out.urdf"
says "left out: force elbow_friction"
call 0 check "$work/out.urdf"
call 2 export models/import/arm.urdf --urdf "$work/out.urdf" --strict
complains "1 things have no place in URDF"
call 2 export models/loops/four-bar.yaml --urdf "$work/out.urdf"
complains "joint 'wrist' closes a loop; URDF describes trees"
call 2 export models/spherical-pendulum.yaml --urdf "$work/out.urdf"
complains "which URDF does not have"

# models in the place of results
call 0 view models/import/arm.urdf --html "$work/page.html"
grep -q 'data-name="1-arm.urdf"' "$work/page.html" || fail "the page does not hold the robot"
call 2 view "$work/cut.urdf"

# a model may include a robot
printf 'articula: 1\ninclude: [{file: "%s", prefix: robot}]\n' "$PWD/models/import/arm.urdf" > "$work/host.yaml"
call 0 check "$work/host.yaml"
says "robot/shoulder "

# files that are wrong
call 2 import "$work/missing.urdf"
complains "missing.urdf: cannot open: No such file or directory"
printf '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><robot name="&b;"/>' > "$work/bomb.urdf"
call 2 check "$work/bomb.urdf"
complains "bomb.urdf:1:46: the file defines the entity 'a'; entities are not read"
printf '<robot><link name="a"/><link' > "$work/cut.urdf"
call 2 run "$work/cut.urdf"
complains "cut.urdf:1:24: this is not XML: unclosed token"

# a message about the text that comes out names the line of the source
printf '<robot>\n<link name="a"/>\n<link name="b"/>\n<joint name="j" type="floating">\n<parent link="a"/><child link="b"/></joint>\n</robot>\n' > "$work/light.urdf"
call 2 check "$work/light.urdf"
complains "light.urdf:4:1: joint 'j'"
sed 's/-0.1 0 0/-2 0 0/' models/import/five-bar.urdf > "$work/five.urdf"
call 2 run "$work/five.urdf" --until 0.1
complains "five.yaml:2:1: loop closed by joint 'closes_right_end' cannot be closed"

# energies at random states, by another reader
files=$(ls ../shared/benchmarks/robots/urdf/*.urdf 2> /dev/null)
/usr/bin/python3 test/cli/import_energy.py "$ARTICULA" models/import/arm.urdf $files || fail "energies differ"

# there and back: mass matrices and forces at 100 random states, entry by entry
again=$(dirname "$ARTICULA")/test/import_again
for file in models/import/arm.urdf models/puma560.yaml $files; do
  if "$ARTICULA" export "$file" --urdf "$work/again.urdf" -q > "$work/out" 2>&1; then
    "$again" "$file" "$work/again.urdf" > "$work/out" && grep -q velocities "$work/out" || fail "$file differs: $(cat "$work/out")"
  else
    [[ $file == ../* ]] || fail "$file is not written as URDF"
  fi
done

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# What imports leave out is said by the verbs that use the machine, the most important first; options of imports on all verbs.
source test/cli/support.bash

"$ARTICULA" import models/import/arm.urdf 2>&1 | has_line 'reads no XML' && { echo "no libexpat"; exit 0; }

# the velocity limit is read first, and is less important than what changes the motion
cat > "$work/arm.urdf" << 'END'
<robot name="arm">
  <link name="post"/>
  <link name="bar"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="revolute"><parent link="post"/><child link="bar"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="2" velocity="3"/><dynamics damping="0.1" wobble="7"/></joint>
</robot>
END
call 0 check "$work/arm.urdf"
says "left out or changed on import" "  changes the motion" "    line 5: wobble of <dynamics> is left out" "speeds of joints have no bound here"
[ "$(grep -n wobble "$work/out" | cut -d: -f1)" -lt "$(grep -n 'speeds of joints' "$work/out" | cut -d: -f1)" ] || fail "$last: the velocity limit comes first"
call 0 check "$work/arm.urdf" --json
holds "[n['level'] for n in j['left_out']][0] == 'changes the motion' and 'wobble' in j['left_out'][0]['note'] and len(j['left_out']) == 3"
call 0 run "$work/arm.urdf" --until 0.1 -o "$work/run"
says "left out or changed on import, which changes the motion:" "    line 5: wobble of <dynamics> is left out" "2 more things left out or changed on import"
cp "$work/run/certificate.json" "$work/out"
holds "'wobble' in j['left_out'][0]['note'] and j['left_out'][0]['file'].endswith('arm.urdf')"
call 0 linear "$work/arm.urdf" -o "$work/linear"
complains "line 5: wobble of <dynamics> is left out"
call 0 run models/pendulum.yaml --until 0.1 -o "$work/run" --json
holds "j['left_out'] == []"

# a robot whose meshes are missing has neutral capsules from joint to joint, and its scene says how many are missing
cat > "$work/lost.urdf" << 'END'
<robot name="lost">
  <link name="a"><visual><geometry><mesh filename="package://x/a.dae"/></geometry></visual><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><visual><geometry><mesh filename="package://x/b.dae"/></geometry></visual><inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint>
</robot>
END
call 0 run "$work/lost.urdf" --until 0.01 -o "$work/lost" -q
grep -aq '"lost_meshes": *2' "$work/lost/scene.arts" || fail "$last: the scene does not say that two meshes are missing"
grep -aq '"type": *"capsule"' "$work/lost/scene.arts" || fail "$last: no capsule"
if grep -aq '"type": *"box"' "$work/lost/scene.arts"; then fail "$last: a link is a box"; fi

# a model file that includes it says the same
printf 'articula: 1\ninclude:\n  - {file: arm.urdf, prefix: left}\n' > "$work/two.yaml"
call 0 check "$work/two.yaml"
says "wobble of <dynamics> is left out"

# --strict refuses what changes the motion, and a velocity limit or contact does not
call 2 import "$work/arm.urdf" --strict
complains "arm.urdf:5:58: wobble of <dynamics> is left out"
sed 's/ wobble="7"//' "$work/arm.urdf" > "$work/plain.urdf"
call 0 import "$work/plain.urdf" --strict
call 0 import models/import/arm.urdf --strict

for verb in check info "run -o $work/run" assemble linear generate "sweep --vary x=0:1:2" compare "export --urdf $work/out.urdf" view; do
  call 2 $verb "$work/arm.urdf" --strict
  complains "wobble of <dynamics> is left out"
done
call 2 check "$work/two.yaml" --strict
call 0 check "$work/plain.urdf" --strict
call 0 check models/pendulum.yaml --strict
call 0 run "$work/plain.urdf" --until 0.1 -o "$work/run" --strict

# classes that nobody has raise no alarm, those of some element do
mjcf() { printf '<mujoco><default><default class="c"><joint wobble="1" damping="2"/><geom wabble="1"/></default></default><worldbody><body><joint %s/><geom size="1"/></body></worldbody></mujoco>' "$1" > "$work/c.xml"; }
mjcf ''
call 0 import "$work/c.xml" --strict
grep -q 'wobble\|wabble\|damping' "$work/out" && fail "$last: a class that nobody has is told"
mjcf 'class="c"'
call 2 import "$work/c.xml" --strict
complains "wobble of <joint> is left out"
call 0 import "$work/c.xml"
grep -q 'wabble' "$work/out" && fail "$last: geoms of the class are told, and there are none"

# options of imports on verbs that read models
call 0 check models/import/four-bar.urdf --close end_a end_b
says "  1: 4 velocities, 3 bound by closed loops"
call 0 run models/import/four-bar.urdf --close end_a end_b --until 0.1 -o "$work/run"
says "verdict: good"
call 0 check "$work/plain.urdf" --base free
says "base                     free         ground -> post"
call 0 info "$work/plain.urdf" --base free
call 0 run models/import/swing.xml --key aside --until 0.05 -o "$work/run"
call 2 run models/import/swing.xml --base free --until 0.05 -o "$work/run"
complains "--base free has no meaning for files of MJCF"
call 2 check models/pendulum.yaml --close a b
complains "--close is for files of other programs"
mkdir -p "$work/packages/parts" "$work/robot"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$work/packages/parts/wedge.obj"
printf '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><visual><geometry><mesh filename="package://parts/wedge.obj"/></geometry></visual></link></robot>' > "$work/robot/r.urdf"
call 0 check "$work/robot/r.urdf" --package "$work/packages" --json
holds "j['left_out'] == []"
finish

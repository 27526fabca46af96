// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts that touch have a point and an arrow; impacts do not make the arrows of all other instants short.
import assert from "node:assert/strict";
import test from "node:test";
import type * as THREE from "three";
import type { SceneHeader } from "../src/data/header";
import { Arrows } from "../src/scene/arrows";

const header = {
  vectors: [
    { name: "foot", kind: "contact", unit: "N", body: 0 },
    { name: "hand", kind: "contact", unit: "N", body: 0 },
    { name: "motor", kind: "force", unit: "N", body: 0 },
  ],
} as unknown as SceneHeader;

const UNITS = ["N", "N", "N"];

/** Frames in which the foot pushes with the forces given at x = 1, the hand is apart, and the motor pushes with 5 N. */
const frames = (...forces: number[]): Float32Array =>
  Float32Array.from(forces.flatMap((force) => [1, 0, 0, 0, 0, force, 2, 0, 0, 0, 0, 0, 3, 0, 0, 5, 0, 0]));

/** Which of the shafts, heads and points are drawn, as 1 and 0. */
function drawn(arrows: Arrows): number[][] {
  return (arrows.group.children as THREE.InstancedMesh[]).map((mesh) => {
    const m = mesh.instanceMatrix.array;
    return [0, 1, 2].map((i) => (m.slice(16 * i, 16 * i + 12).some((x) => x !== 0) ? 1 : 0));
  });
}

test("a contact that touches has a point and an arrow until contacts are switched off", () => {
  const arrows = new Arrows(header, 1);
  arrows.show(true, true, false);
  arrows.fit(frames(10), UNITS, 1);
  arrows.update(frames(10));
  assert.deepEqual(drawn(arrows), [[1, 0, 1], [1, 0, 1], [1, 0, 0]]);
  const point = (arrows.group.children[2] as THREE.InstancedMesh).instanceMatrix.array;
  assert.deepEqual([...point.slice(12, 15)], [1, 0, 0]);
  assert.deepEqual(arrows.shownKinds.map(({ title }) => title), ["contacts", "forces"]);
  arrows.show(true, false, false);
  arrows.update(frames(10));
  assert.deepEqual(drawn(arrows), [[0, 0, 1], [0, 0, 1], [0, 0, 0]]);
});

test("the arrows of a contact at rest keep their length when an impact is a hundred times larger", () => {
  const arrows = new Arrows(header, 1);
  arrows.show(false, true, false);
  const tip = (force: number): number => arrows.tips(frames(force))[0].tip.z;
  arrows.fit(frames(...Array<number>(99).fill(10), 1000), UNITS, 1);
  assert.ok(Math.abs(tip(10) - 0.33) < 1e-6, String(tip(10)));
  assert.ok(Math.abs(tip(1000) - 0.66) < 1e-6, String(tip(1000)));
  assert.equal(arrows.shownKinds[0].largest, 1000);
});

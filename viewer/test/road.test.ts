// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where roads end, and what is painted on them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Box3, MeshBasicMaterial, Vector3, Vector4 } from "three";
import { carriageway, LANE, makeRelief, reliefMarks } from "../src/scene/road";

const box = (x0: number, x1: number, y0: number, y1: number): Box3 => new Box3(new Vector3(x0, y0, 0), new Vector3(x1, y1, 2));
const car = box(-2, 2, 0.1, 1.9);

function ends(whole: Box3): { road: number[]; divide: number } {
  const [road, divide] = [new Vector4(), { value: -1 }];
  carriageway({ start: car, whole }, road, divide);
  return { road: road.toArray(), divide: divide.value };
}

test("a car that goes straight has its own lane, right of one more", () => {
  const { road, divide } = ends(box(-2, 300, 0.1, 1.9));
  assert.equal(divide, 1);
  assert.deepEqual(road.slice(2), [1 - LANE / 2, 1 + 1.5 * LANE]);
  assert.ok(road[0] < -1000 && road[1] > 1000);
});

test("a lane change to either side stays on the road", () => {
  const { road } = ends(box(-2, 300, -4, 7));
  assert.ok(road[2] < -4 && road[3] > 7 && road[3] - road[2] < 6 * LANE);
  assert.equal(((road[3] - road[2]) / LANE) % 1, 0);
});

test("a car that turns has an area around all of its way", () => {
  const { road, divide } = ends(box(-40, 80, -1, 90));
  assert.equal(divide, 0);
  assert.ok(road[0] < -40 && road[1] > 80 && road[2] < -1 && road[3] > 90);
});

test("a road with heights has sides down to one plane and paint that follows it", () => {
  const road = { type: "grid" as const, x0: 0, dx: 1, nx: 12, y0: -4, dy: 2, ny: 6, z: Array.from({ length: 72 }, (_, k) => 0.1 * (k % 12)) };
  const relief = makeRelief(road, new MeshBasicMaterial()).geometry;
  relief.computeBoundingBox();
  assert.ok(Math.abs(relief.boundingBox!.min.z + 0.12) < 1e-6 && Math.abs(relief.boundingBox!.max.z - 1.1) < 1e-6);
  const { position } = reliefMarks(road, { start: car, whole: car }).attributes;
  assert.ok(position.count > 6 * 2 * 11);
  for (let k = 0; k < position.count; k++) assert.ok(Math.abs(position.getZ(k) - 0.1 * position.getX(k) - 0.004) < 1e-6);
});

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pieces in one mesh stand, look and are painted as three's own matrices say.
import assert from "node:assert/strict";
import test from "node:test";
import * as THREE from "three";
import { BodyMatrices, scaledPose } from "../src/scene/matrix";
import { MergedPieces, type Piece } from "../src/scene/merged";

const half = Math.SQRT1_2;
const poses = Float32Array.from([1, 2, 3, half, half, 0, 0, -4, 0.5, 0, 0.5, 0.5, 0.5, 0.5]);
const bodies = new BodyMatrices(2);
bodies.set(poses);

const pieces: Piece[] = [
  { geometry: new THREE.BoxGeometry(1, 1, 1), matrix: scaledPose([0.1, 0.2, 0.3, half, 0, 0, half], [1, 2, 0.5]), body: 0 },
  { geometry: new THREE.SphereGeometry(1, 6, 3).toNonIndexed(), matrix: scaledPose([0, 0, 1, 1, 0, 0, 0], [2, 3, 4]), body: 1 },
  { geometry: new THREE.BoxGeometry(1, 1, 1), matrix: scaledPose(undefined, [1, 1, 1]), body: -1 },
];

test("corners and normals of merged pieces move with their bodies", () => {
  const merged = new MergedPieces(pieces, new THREE.MeshBasicMaterial());
  merged.update(bodies);
  const { position, normal } = merged.mesh.geometry.attributes;
  let corner = 0;
  for (const { geometry, matrix, body } of pieces) {
    const whole = new THREE.Matrix4().fromArray(bodies.values, bodies.at(body)).multiply(new THREE.Matrix4().fromArray(matrix));
    const turn = new THREE.Matrix3().getNormalMatrix(whole);
    for (let k = 0; k < geometry.attributes.position.count; k++, corner++) {
      const place = new THREE.Vector3().fromBufferAttribute(geometry.attributes.position, k).applyMatrix4(whole);
      const look = new THREE.Vector3().fromBufferAttribute(geometry.attributes.normal, k).applyMatrix3(turn).normalize();
      assert.ok(place.distanceTo(new THREE.Vector3().fromBufferAttribute(position, corner)) < 1e-5);
      assert.ok(look.distanceTo(new THREE.Vector3().fromBufferAttribute(normal, corner).normalize()) < 1e-5);
    }
  }
  assert.equal(corner, position.count);
});

test("faces of merged pieces keep to their own corners, colours to their pieces", () => {
  const merged = new MergedPieces(pieces, new THREE.MeshBasicMaterial());
  const { index, attributes } = merged.mesh.geometry;
  const [box, ball] = [24, pieces[1].geometry.attributes.position.count];
  const lists = [[0, 36, 0, box], [36, 36 + ball, box, box + ball], [36 + ball, 72 + ball, box + ball, 2 * box + ball]];
  for (const [from, to, first, end] of lists) for (let k = from; k < to; k++) assert.ok(index!.getX(k) >= first && index!.getX(k) < end);
  assert.equal(index!.count, 72 + ball);
  merged.colour((piece) => new THREE.Color(piece, 0, 1));
  assert.deepEqual([0, box, box + ball].map((corner) => attributes["paint"].getX(corner)), [0, 1, 2]);
});

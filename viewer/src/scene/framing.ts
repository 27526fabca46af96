// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How large the machine is, how far it goes, and from where one sees it best.
import * as THREE from "three";
import type { Run } from "../data/run";
import type { FrameBlock } from "../data/source";
import type { BodyMeshes } from "./body-meshes";
import { transform, type BodyMatrices } from "./matrix";

interface Boxes {
  start: THREE.Box3;
  whole: THREE.Box3;
}

export interface Extent {
  /** Box around the machine as it starts. */
  start: THREE.Box3;
  /** Box around all of its motion. */
  whole: THREE.Box3;
  /** Whether it drives away, so that the camera should go along. */
  travels: boolean;
  /** The same boxes with what stands on ground, which counts where the machine does not drive away, and without it. */
  boxes: { all: Boxes; bodies: Boxes };
}

const SAMPLES = 60;

/** Boxes around a machine at its start and over its motion. */
export function measure(run: Run, meshes: BodyMeshes, bodies: BodyMatrices, block: FrameBlock): Extent {
  const [all, alone] = [true, false].map((withGround) => boxes(run, meshes, bodies, block, withGround));
  return extentOf(run, all, alone);
}

function extentOf(run: Run, all: Boxes, bodies: Boxes): Extent {
  const travels = diagonal(bodies.whole) > (run.rolls ? 1.8 : 3.2) * diagonal(bodies.start) || (run.rolls && run.machine !== null);
  return { ...(travels ? bodies : all), travels, boxes: { all, bodies } };
}

function boxes(run: Run, meshes: BodyMeshes, bodies: BodyMatrices, block: FrameBlock, withGround: boolean): Boxes {
  const start = new THREE.Box3();
  const whole = new THREE.Box3();
  const step = Math.max(1, Math.floor(block.count / SAMPLES));
  for (let k = 0; k < block.count; k += step) {
    bodies.set(block.poses, k * run.now.poses.length);
    meshes.extend(whole, bodies, (body) => withGround || body >= 0);
    extendByPoints(whole, run, bodies);
    if (k === 0) start.copy(whole);
  }
  if (start.isEmpty()) start.set(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5));
  if (whole.isEmpty()) whole.copy(start);
  return { start, whole };
}

/** The extent of a machine with more of its motion. */
export function widened({ boxes: { all, bodies: alone } }: Extent, run: Run, meshes: BodyMeshes, bodies: BodyMatrices, block: FrameBlock): Extent {
  const more = measure(run, meshes, bodies, block).boxes;
  const wider = (before: Boxes, now: Boxes): Boxes => ({ start: before.start, whole: now.whole.union(before.whole) });
  return extentOf(run, wider(all, more.all), wider(alone, more.bodies));
}

// machines whose bodies have no shapes still have joints and ends of forces
function extendByPoints(box: THREE.Box3, run: Run, bodies: BodyMatrices): void {
  const at = [0, 0, 0];
  const point = new THREE.Vector3();
  for (const joint of run.header.joints) {
    transform(at, 0, bodies.values, bodies.at(joint.to), joint.at.to);
    box.expandByPoint(point.fromArray(at));
  }
  for (const force of run.header.forces) {
    if (force.ends?.length !== 2) continue;
    for (const end of force.ends) {
      transform(at, 0, bodies.values, bodies.at(end.body), end.point);
      box.expandByPoint(point.fromArray(at));
    }
  }
}

export const diagonal = (box: THREE.Box3): number => Math.max(1e-3, box.getSize(new THREE.Vector3()).length());

/** Direction to look from: flat machines from their front, others from the front right and above. */
export function viewDirection(box: THREE.Box3): THREE.Vector3 {
  const size = box.getSize(new THREE.Vector3());
  if (size.y < 0.34 * Math.min(size.x, size.z)) return new THREE.Vector3(0.3, -1, 0.2).normalize();
  if (size.x < 0.34 * Math.min(size.y, size.z)) return new THREE.Vector3(1, -0.3, 0.2).normalize();
  return new THREE.Vector3(0.95, -1.1, 0.62).normalize();
}

/** How far from the middle of a box, along a direction, a camera sees all corners, with or without perspective; by half its angles' tangents. */
export function distanceToSee(box: THREE.Box3, from: THREE.Vector3, tangentX: number, tangentY: number, flat = false): number {
  const right = new THREE.Vector3(0, 0, 1).cross(from).normalize();
  const up = from.clone().cross(right);
  const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
  let distance = 0;
  for (let k = 0; k < 8; k++) {
    const corner = new THREE.Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
    const beside = Math.max(Math.abs(corner.dot(right)) / tangentX, Math.abs(corner.dot(up)) / tangentY);
    distance = Math.max(distance, beside + (flat ? 0 : corner.dot(from)));
  }
  return distance;
}

/** The heaviest body that hangs on ground alone: what a camera should go along with. */
export function mainBody(run: Run): number | null {
  let main: number | null = null;
  run.header.bodies.forEach((body, index) => {
    if (main === null || body.mass > run.header.bodies[main].mass) main = index;
  });
  return main;
}

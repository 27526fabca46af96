// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Paths of points fixed in bodies: the whole path faint, what has been passed strong.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { POSE } from "../data/layout";
import { frameBefore } from "../data/search";
import type { FrameBlock } from "../data/source";
import type { BodyPoint } from "../view/state";
import { poseToMatrix, transform } from "./matrix";
import { curveColour } from "./palette";

interface Trail {
  all: Line2;
  past: Line2;
}

export class Trails {
  readonly group = new THREE.Group();
  private trails: Trail[] = [];
  private times: Float64Array = new Float64Array(0);

  /** Draw the paths of these points through the frames of a run. */
  set(points: BodyPoint[], block: FrameBlock, bodyCount: number): void {
    this.clear();
    this.times = block.times;
    if (block.count < 2) return;
    points.forEach((trail, index) => {
      if (trail.body < 0 || trail.body >= bodyCount) return;
      this.trails.push(this.makeTrail(pathOf(trail, block, bodyCount), curveColour(index + 1)));
    });
  }

  clear(): void {
    for (const { all, past } of this.trails) {
      this.group.remove(all, past);
      for (const { geometry, material } of [all, past]) {
        geometry.dispose();
        material.dispose();
      }
    }
    this.trails = [];
  }

  update(time: number): void {
    if (this.trails.length === 0) return;
    const segments = frameBefore(this.times, time);
    for (const { past } of this.trails) {
      past.visible = segments > 0;
      past.geometry.instanceCount = segments;
    }
  }

  private makeTrail(path: Float32Array, color: string): Trail {
    const line = (linewidth: number, opacity: number): Line2 => {
      const geometry = new LineGeometry();
      geometry.setPositions(path);
      const object = new Line2(geometry, new LineMaterial({ color, linewidth, opacity, transparent: true }));
      object.raycast = () => {};
      object.frustumCulled = false;
      this.group.add(object);
      return object;
    };
    return { all: line(1, 0.3), past: line(2.2, 1) };
  }
}

function pathOf(trail: BodyPoint, block: FrameBlock, bodyCount: number): Float32Array {
  const path = new Float32Array(3 * block.count);
  const matrix = new Float32Array(16);
  for (let k = 0; k < block.count; k++) {
    poseToMatrix(matrix, 0, block.poses, POSE * (k * bodyCount + trail.body));
    transform(path, 3 * k, matrix, 0, trail.point);
  }
  return path;
}

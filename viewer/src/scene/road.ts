// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads: where a level one ends and how it is divided into lanes, and the shape of one with heights.
import * as THREE from "three";
import type { Road } from "../data/header";
import type { Extent } from "./framing";
import { makeInstances } from "./instances";

/** m of a lane, and of a line painted on it. */
export const LANE = 3.5;
export const LINE = 0.14;

// m in front of and behind the machine on a road that only ends where one does not see
const ENDLESS = 1e5;
// m next to what a machine on a test area covers
const AREA = 8;
// m that a machine may leave its lane by on a road
const ASIDE = 3 * LANE;
// m of the side of a road that one sees
const SLAB = 0.12;

const middle = (box: THREE.Box3, axis: "x" | "y"): number => (box.min[axis] + box.max[axis]) / 2;

/** The ends of a level road, x from, to, y from, to: along x, with the machine in its right lane; a test area under one that turns. */
export function carriageway({ start, whole }: Pick<Extent, "start" | "whole">, road: THREE.Vector4, divide: { value: number }): void {
  const centre = middle(start, "y");
  const turns = Math.max(whole.max.y - start.max.y, start.min.y - whole.min.y) > ASIDE;
  divide.value = turns ? 0 : 1;
  if (turns) {
    road.set(whole.min.x - AREA, whole.max.x + AREA, whole.min.y - AREA, whole.max.y + AREA);
    return;
  }
  const lanes = (reach: number): number => Math.max(0, Math.ceil((reach + 0.3) / LANE - 0.5));
  const right = lanes(centre - whole.min.y);
  const left = Math.max(1, lanes(whole.max.y - centre));
  road.set(-ENDLESS, ENDLESS, centre - (right + 0.5) * LANE, centre + (left + 0.5) * LANE);
}

/** The paint on a road with heights: a line along each side, dashes between the lanes. */
export function reliefMarks(road: Road, { start }: Pick<Extent, "start" | "whole">): THREE.BufferGeometry {
  const { nx = 0, ny = 0, dx = 1, dy = 1, x0 = 0, y0 = 0 } = road;
  const points: number[] = [];
  const at = (ix: number, y: number): number[] => {
    const place = Math.min(Math.max((y - y0) / dy, 0), ny - 1.0001);
    const iy = Math.floor(place);
    const z = height(road, ix, iy) + (place - iy) * (height(road, ix, iy + 1) - height(road, ix, iy));
    return [x0 + ix * dx, y, z + 0.004];
  };
  const piece = (ix: number, y: number): void => {
    const [a, b, c, d] = [at(ix, y - LINE / 2), at(ix + 1, y - LINE / 2), at(ix + 1, y + LINE / 2), at(ix, y + LINE / 2)];
    points.push(...a, ...b, ...c, ...a, ...c, ...d);
  };
  const isDash = (ix: number): boolean => (((x0 + ix * dx) % 9) + 9) % 9 < 3;
  const lane = middle(start, "y") + LANE / 2;
  for (let ix = 0; ix + 1 < nx; ix++) {
    piece(ix, y0 + 0.3);
    piece(ix, y0 + (ny - 1) * dy - 0.3);
    if (isDash(ix)) [lane, lane - LANE].forEach((y) => piece(ix, y));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}

function height(road: Road, ix: number, iy: number): number {
  return Array.isArray(road.z) ? (road.z[iy * (road.nx ?? 0) + ix] ?? 0) : 0;
}

function reliefPoint(road: Road, ix: number, iy: number, lift = 0): number[] {
  return [(road.x0 ?? 0) + ix * (road.dx ?? 1), (road.y0 ?? 0) + iy * (road.dy ?? 1), height(road, ix, iy) + lift];
}

// as instances of one, so that it shares the shaders of the bodies
export function makeRelief(road: Road, material: THREE.Material): THREE.InstancedMesh {
  const nx = road.nx ?? 0;
  const ny = road.ny ?? 0;
  const points: number[] = [];
  const triangles: number[] = [];
  for (let iy = 0; iy < ny; iy++) {
    for (let ix = 0; ix < nx; ix++) {
      points.push(...reliefPoint(road, ix, iy));
      if (ix + 1 === nx || iy + 1 === ny) continue;
      const k = iy * nx + ix;
      triangles.push(k, k + 1, k + nx + 1, k, k + nx + 1, k + nx);
    }
  }
  addSides(road, points, triangles);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  const mesh = makeInstances(geometry, material, 1);
  mesh.setMatrixAt(0, new THREE.Matrix4());
  return mesh;
}

// the sides of the road go down to one plane; they have corners of their own, so that edges stay sharp
function addSides(road: Road, points: number[], triangles: number[]): void {
  const { nx = 0, ny = 0 } = road;
  const heights = Array.isArray(road.z) ? road.z : [0];
  const foot = heights.reduce((least, z) => Math.min(least, z), Infinity) - SLAB;
  const around = [
    ...Array.from({ length: nx }, (_, ix) => [ix, 0]),
    ...Array.from({ length: ny - 1 }, (_, iy) => [nx - 1, iy + 1]),
    ...Array.from({ length: nx - 1 }, (_, ix) => [nx - 2 - ix, ny - 1]),
    ...Array.from({ length: ny - 1 }, (_, iy) => [0, ny - 2 - iy]),
  ];
  const first = points.length / 3;
  for (const [ix, iy] of around) {
    const [x, y, z] = reliefPoint(road, ix, iy);
    points.push(x, y, z, x, y, foot);
  }
  for (let k = 0; k + 1 < around.length; k++) {
    const a = first + 2 * k;
    triangles.push(a, a + 1, a + 3, a, a + 3, a + 2);
  }
}

// lines across and along at steps that leave at most some eighty of each
export function reliefLines(road: Road): THREE.BufferGeometry {
  const nx = road.nx ?? 0;
  const ny = road.ny ?? 0;
  const points: number[] = [];
  const stepX = Math.max(1, Math.ceil(nx / 160));
  const stepY = Math.max(1, Math.ceil(ny / 12));
  for (let ix = 0; ix < nx; ix += stepX)
    for (let iy = 0; iy + 1 < ny; iy++) points.push(...reliefPoint(road, ix, iy, 0.002), ...reliefPoint(road, ix, iy + 1, 0.002));
  for (let iy = 0; iy < ny; iy += stepY)
    for (let ix = 0; ix + 1 < nx; ix++) points.push(...reliefPoint(road, ix, iy, 0.002), ...reliefPoint(road, ix + 1, iy, 0.002));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The three axes of ground in a corner of the scene, as the camera sees them.
import * as THREE from "three";
import type { Quaternion } from "../scene/matrix";

const REACH = 24;
const CENTRE = 34;
const AXES = [
  { name: "x", colour: "#e03131", direction: new THREE.Vector3(1, 0, 0) },
  { name: "y", colour: "#2f9e44", direction: new THREE.Vector3(0, 1, 0) },
  { name: "z", colour: "#1c7ed6", direction: new THREE.Vector3(0, 0, 1) },
];

export class Triad {
  readonly element = document.createElementNS("http://www.w3.org/2000/svg", "svg");

  constructor() {
    this.element.setAttribute("class", "triad");
    this.element.setAttribute("viewBox", `0 0 ${2 * CENTRE} ${2 * CENTRE}`);
  }

  show(camera: THREE.Camera, [w, x, y, z]: Quaternion): void {
    const toEye = camera.quaternion.clone().invert().multiply(new THREE.Quaternion(x, y, z, w));
    const ends = AXES.map((axis) => ({ ...axis, at: axis.direction.clone().applyQuaternion(toEye) }));
    ends.sort((a, b) => a.at.z - b.at.z);
    this.element.innerHTML = ends.map(({ name, colour, at }) => arm(name, colour, at)).join("");
  }
}

function arm(name: string, colour: string, at: THREE.Vector3): string {
  const place = (reach: number): [string, string] => [(CENTRE + reach * at.x).toFixed(1), (CENTRE - reach * at.y).toFixed(1)];
  const [x, y] = place(REACH);
  const [tx, ty] = place(REACH + 7);
  const fade = at.z < -0.2 ? 0.45 : 1;
  return (
    `<g opacity="${fade}"><line x1="${CENTRE}" y1="${CENTRE}" x2="${x}" y2="${y}" stroke="${colour}" stroke-width="2" stroke-linecap="round"/>` +
    `<text x="${tx}" y="${ty}" fill="${colour}" text-anchor="middle" dominant-baseline="central">${name}</text></g>`
  );
}

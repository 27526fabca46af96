// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the vectors of a scene stand among the arrows of a machine: place and force of each force element, then place,
// force and torque of each joint.
import type { SceneHeader } from "../data/header";
import { VECTOR } from "../data/layout";

const FORCE = 6;
const JOINT = 9;

// a torque below this part of the joint's force times the size of the machine is rounding
const NO_TORQUE = 1e-9;

export class ArrowPlaces {
  readonly vectors: Float64Array;
  private readonly places: { at: number; value: number; force: number }[];
  private readonly size: number;

  constructor(header: SceneHeader, numbers: number) {
    const joints = numbers - JOINT * header.joints.length;
    const place = (list: { name: string }[], name: string): number => list.findIndex((part) => part.name === name);
    this.places = header.vectors.map(({ name, kind, unit }) => {
      const at = kind === "reaction" ? joints + JOINT * place(header.joints, name) : FORCE * place(header.forces, name);
      const isTorque = kind === "reaction" && unit === "N m";
      return { at, value: at + (isTorque ? 6 : 3), force: at + 3 };
    });
    this.vectors = new Float64Array(VECTOR * this.places.length);
    this.size = header.size ?? 1;
  }

  /** The vectors of an instant: point of application and vector each. */
  read(arrows: Float64Array): Float64Array {
    const length = (k: number): number => Math.hypot(arrows[k], arrows[k + 1], arrows[k + 2]);
    this.places.forEach(({ at, value, force }, i) => {
      const isRounding = value !== force && length(value) <= NO_TORQUE * this.size * length(force);
      for (let c = 0; c < 3; c++) {
        this.vectors[VECTOR * i + c] = arrows[at + c];
        this.vectors[VECTOR * i + 3 + c] = isRounding ? 0 : arrows[value + c];
      }
    });
    return this.vectors;
  }
}

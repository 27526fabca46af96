// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine before any run whose joints are moved, by the program or by the page itself.
import type { Vector3 } from "./header";

/** A coordinate that can be set, and its value in the model file. */
export interface JointCoordinate {
  name: string;
  unit: string;
  value: number;
  /** Limits by stops, where there are any. */
  lower?: number;
  upper?: number;
}

/** A machine that was moved: its coordinates and the poses of its bodies. */
export interface Moved {
  values: number[];
  poses: Float32Array;
}

/** A point of a body under a ray of sight, which is in the axes of ground. */
export interface Pull {
  body: number;
  point: Vector3;
  origin: Vector3;
  direction: Vector3;
}

/** The machine cannot have these coordinates. */
export class MovedTooFar extends Error {}

export interface JointMover {
  /** The coordinates by which the machine is moved. */
  coordinates(): Promise<JointCoordinate[]>;
  /** Move to these coordinates. */
  moveTo(values: number[]): Promise<Moved>;
  moveToStart(coordinates: JointCoordinate[]): Promise<Moved>;
  /** Bring a point of a body under a ray of sight. */
  pull(wish: Pull, coordinates: number): Promise<Moved>;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An open tree that the page moves itself: every coordinate is a twist in ground, taken at the start, and the pose of a body
// is the product of the exponentials along its chain with its pose at the start.
import { Quaternion, Vector3 } from "three";
import { FileSource } from "./file-source";
import { MovedTooFar, type JointCoordinate, type JointMover, type Moved, type Pull } from "./joint-mover";
import { POSE } from "./layout";
import { readable } from "../view/numbers";

/** As `articula view MODEL --html` writes it into the page (cli/view/joint_chain.h). */
export interface JointChains {
  coordinates: JointCoordinate[];
  tree: { moves: Move[]; chains: number[][] } | { reason: string };
}

/** A twist that goes with the coordinates; with stops the name, the start and the limits of its own coordinate. */
interface Move {
  twist: number[];
  by: number[];
  name?: string;
  value?: number;
  lower?: number;
  upper?: number;
}

interface Placement {
  turn: Quaternion;
  place: Vector3;
}

// rad or m: a step of a pull, of a difference; what moves a point less does not reach for it
const LONGEST = 0.1;
const APART = 1e-6;
const NO_WAY = 1e-6;
const MOST_STEPS = 12;
const ROUNDING = 1e-6;

/** The motion of space by a twist, angular velocity before the velocity of the origin, that acts for x. */
export function exponential(twist: number[], x: number): Placement {
  const w = new Vector3(twist[0], twist[1], twist[2]);
  const v = new Vector3(twist[3], twist[4], twist[5]);
  const square = w.lengthSq();
  if (square === 0) return { turn: new Quaternion(), place: v.multiplyScalar(x) };
  const turn = new Quaternion().setFromAxisAngle(w.clone().normalize(), Math.sqrt(square) * x);
  const arm = new Vector3().crossVectors(w, v).divideScalar(square);
  const along = w.clone().multiplyScalar((w.dot(v) * x) / square);
  return { turn, place: arm.clone().sub(arm.clone().applyQuaternion(turn)).add(along) };
}

export class ChainSource extends FileSource implements JointMover {
  readonly canMove = true;
  private values: number[];

  constructor(
    name: string,
    file: ArrayBuffer,
    certificate: unknown,
    private readonly joints: JointChains,
  ) {
    super(name, file, certificate);
    this.values = joints.coordinates.map(({ value }) => value);
  }

  /** Why the page cannot move the machine; empty where it can. */
  get reason(): string {
    return "reason" in this.joints.tree ? this.joints.tree.reason : "";
  }

  async coordinates(): Promise<JointCoordinate[]> {
    return this.joints.coordinates;
  }

  async moveTo(values: number[]): Promise<Moved> {
    const crossed = this.limitCrossed(values);
    if (crossed) throw new MovedTooFar(crossed);
    this.values = values.slice();
    return { values, poses: await this.poses() };
  }

  private way({ by }: Move, values: number[]): number {
    return by.reduce((sum, ratio, i) => sum + ratio * (values[i] - this.joints.coordinates[i].value), 0);
  }

  // what a coordinate that follows others cannot do; empty where all can
  private limitCrossed(values: number[]): string {
    const moves = "reason" in this.joints.tree ? [] : this.joints.tree.moves;
    for (const move of moves) {
      const [now, next] = [this.values, values].map((list) => (move.value ?? 0) + this.way(move, list));
      const { lower = -Infinity, upper = Infinity } = move;
      const limit = next < lower - ROUNDING && next < now ? lower : next > upper + ROUNDING && next > now ? upper : null;
      if (limit !== null) return `${move.name} has its limit at ${readable(limit)}`;
    }
    return "";
  }

  moveToStart(coordinates: JointCoordinate[]): Promise<Moved> {
    return this.moveTo(coordinates.map(({ value }) => value));
  }

  // by the body's own joint, else by all below it
  async pull(wish: Pull): Promise<Moved> {
    const start = await this.readFrames(0, 1);
    const chain = "reason" in this.joints.tree ? [] : (this.joints.tree.chains[wish.body] ?? []);
    const point = (values: number[]): Vector3 => {
      const { turn, place } = this.placement(wish.body, start.poses, values);
      return new Vector3(...wish.point).applyQuaternion(turn).add(place);
    };
    for (const moves of [chain.slice(-1), chain]) {
      const reached = this.reachFor(wish, moves, point);
      if (!reached || this.limitCrossed(reached)) continue;
      this.values = reached;
      break;
    }
    return { values: this.values, poses: await this.poses() };
  }

  // the coordinates by which these moves bring the point to the ray, by damped least squares; null where none moves it
  private reachFor(wish: Pull, moves: number[], point: (values: number[]) => Vector3): number[] | null {
    const { coordinates, tree } = this.joints;
    if ("reason" in tree) return null;
    const movable = coordinates.flatMap((_, i) => (moves.some((k) => tree.moves[k].by[i] !== 0) ? [i] : []));
    const sight = new Vector3(...wish.direction).normalize();
    const side = new Vector3(Math.abs(sight.x) < 0.6 ? 1 : 0, Math.abs(sight.x) < 0.6 ? 0 : 1, 0).cross(sight).normalize();
    const across = [side, new Vector3().crossVectors(sight, side)];
    const gap = (values: number[]): number[] => across.map((axis) => axis.dot(point(values).sub(new Vector3(...wish.origin))));
    let values = this.values;
    for (let step = 0; step < MOST_STEPS; step++) {
      const g = gap(values);
      const columns = movable.map((i) => {
        const moved = gap(values.map((x, k) => (k === i ? x + APART : x)));
        return [(moved[0] - g[0]) / APART, (moved[1] - g[1]) / APART];
      });
      const sum = (p: number, q: number): number => columns.reduce((total, c) => total + c[p] * c[q], 0);
      const size = sum(0, 0) + sum(1, 1);
      if (!(size > NO_WAY * NO_WAY)) return step > 0 ? values : null;
      const [a, b, d] = [sum(0, 0) + 1e-4 * size, sum(0, 1), sum(1, 1) + 1e-4 * size];
      const det = a * d - b * b;
      const y = [(d * g[0] - b * g[1]) / det, (a * g[1] - b * g[0]) / det];
      const way = columns.map((c) => -(c[0] * y[0] + c[1] * y[1]));
      const share = Math.min(1, LONGEST / Math.max(...way.map(Math.abs), 1e-300));
      values = values.map((x, k) => {
        const place = movable.indexOf(k);
        const { lower = -Infinity, upper = Infinity } = coordinates[k];
        return place < 0 ? x : Math.min(Math.max(x + share * way[place], Math.min(lower, x)), Math.max(upper, x));
      });
    }
    return values;
  }

  private async poses(): Promise<Float32Array> {
    const { poses } = await this.readFrames(0, 1);
    for (let body = 0; body < this.header.bodies.length; body++) {
      const { turn, place } = this.placement(body, poses, this.values);
      poses.set([place.x, place.y, place.z, turn.w, turn.x, turn.y, turn.z], POSE * body);
    }
    return poses;
  }

  private placement(body: number, start: Float32Array, values: number[]): Placement {
    const { tree } = this.joints;
    const [x, y, z, w, a, b, c] = start.subarray(POSE * body, POSE * body + POSE);
    const turn = new Quaternion(a, b, c, w);
    const place = new Vector3(x, y, z);
    if ("reason" in tree) return { turn, place };
    for (const k of (tree.chains[body] ?? []).slice().reverse()) {
      const motion = exponential(tree.moves[k].twist, this.way(tree.moves[k], values));
      turn.premultiply(motion.turn);
      place.applyQuaternion(motion.turn).add(motion.place);
    }
    return { turn: turn.normalize(), place };
  }
}

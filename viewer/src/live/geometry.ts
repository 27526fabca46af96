// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The shapes of a machine whose lengths change in the page. The module gives where joints, ends of forces, centres of mass
// and shapes of the model file are in their bodies; shapes that were guessed from these go with them.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Pose, SceneHeader, Shape, Vector3 as Triple } from "../data/header";

/** The first number of the first joint, frame, body, rod and shape of the model file; frames at the ends of each force; body and place among its shapes of each shape of the file. */
export interface GeometryMap {
  joint: number;
  frame: number;
  body: number;
  rod: number;
  visual: number;
  ends: number[][];
  shapes: [number, number][];
}

// numbers of an end of a joint, and of a shape (src/gen/gen.h)
const END = 6;
const VISUAL = 14;

/** A place of a body that has moved in it, and the turn of what is fixed there. */
interface Anchor {
  from: Vector3;
  to: Vector3;
  turn: Quaternion | null;
}

const AXES = [0, 1, 2];

export class Geometry {
  private readonly places: Map<number, number>;
  private readonly near: number;
  private values: Float64Array;

  /** numbers: which number of the geometry each entry of `values` is. */
  constructor(
    private readonly first: SceneHeader,
    private readonly map: GeometryMap,
    numbers: number[],
    values: Float64Array,
  ) {
    this.places = new Map(numbers.map((number, i) => [number, i]));
    this.near = 0.025 * (first.size ?? 1);
    this.values = values.slice();
  }

  /** The header of the machine that is shaped by other numbers; null where they are as before. */
  apply(values: Float64Array): SceneHeader | null {
    if (values.every((x, i) => x === this.values[i])) return null;
    this.values = values.slice();
    const anchors = new Map<number, Anchor[]>();
    const put = (body: number, anchor: Anchor): void => void anchors.set(body, [...(anchors.get(body) ?? []), anchor]);
    const joints = this.first.joints.map((joint, j) => ({
      ...joint,
      at: { from: this.jointEnd(joint.at.from, 2 * j, joint.from, put), to: this.jointEnd(joint.at.to, 2 * j + 1, joint.to, put) },
    }));
    const forces = this.first.forces.map((force, f) => ({ ...force, ends: (force.ends ?? []).map((end, k) => this.forceEnd(end, this.map.ends[f]?.[k], put)) }));
    const solid = (body: number): number => this.first.bodies.slice(0, body).filter(({ rod }) => !rod).length;
    const bodies = this.first.bodies.map((body, i) => {
      const com = body.rod ? this.rodCentre(body.com, i - solid(i), i, put) : this.place(this.map.body + 3 * solid(i), body.com);
      hang(anchors.get(i) ?? [], body.com, com, this.near, (anchor) => put(i, anchor));
      return { ...body, com, shapes: this.shapes(i, body.shapes, anchors.get(i) ?? []) };
    });
    const ground = { shapes: this.shapes(-1, this.first.ground?.shapes ?? [], anchors.get(-1) ?? []) };
    return { ...this.first, joints, forces, bodies, ground };
  }

  private number(k: number, otherwise: number): number {
    const place = this.places.get(k);
    return place === undefined ? otherwise : this.values[place];
  }

  private place(first: number, otherwise: ArrayLike<number>): Triple {
    return AXES.map((c) => this.number(first + c, otherwise[c])) as Triple;
  }

  private jointEnd(pose: Pose, end: number, body: number, put: (body: number, anchor: Anchor) => void): Pose {
    const first = this.map.joint + END * end;
    const place = this.place(first, pose);
    const before = turnOf(pose);
    const z = new Vector3(0, 0, 1).applyQuaternion(before);
    const turn = new Quaternion().setFromUnitVectors(z, new Vector3(...this.place(first + 3, z.toArray())).normalize());
    put(body, { from: placeOf(pose), to: new Vector3(...place), turn });
    return poseOf(new Vector3(...place), turn.clone().multiply(before));
  }

  private forceEnd<End extends { body: number; point: Triple }>(end: End, frame: number | undefined, put: (body: number, anchor: Anchor) => void): End {
    if (frame === undefined) return end;
    const point = this.place(this.map.frame + 3 * frame, end.point);
    put(end.body, { from: new Vector3(...end.point), to: new Vector3(...point), turn: null });
    return { ...end, point };
  }

  // a rod goes from its origin along z
  private rodCentre(com: Triple, rod: number, body: number, put: (body: number, anchor: Anchor) => void): Triple {
    const length = this.number(this.map.rod + rod, 2 * com[2]);
    put(body, { from: new Vector3(), to: new Vector3(), turn: null });
    put(body, { from: new Vector3(0, 0, 2 * com[2]), to: new Vector3(0, 0, length), turn: null });
    return [0, 0, length / 2];
  }

  private shapes(body: number, shapes: Shape[], anchors: Anchor[]): Shape[] {
    return shapes.map((shape, k) => {
      const visual = this.map.shapes.findIndex(([owner, place]) => owner === body && place === k);
      return visual >= 0 ? this.ownShape(shape, this.map.visual + VISUAL * visual) : carried(shape, anchors, this.near);
    });
  }

  // a shape of the model file: size, radius, length, place, axes x and z
  private ownShape(shape: Shape, first: number): Shape {
    const pose = shape.pose ?? NOWHERE;
    const before = turnOf(pose);
    const axis = (at: number, x: Vector3): Vector3 => new Vector3(...this.place(at, x.clone().applyQuaternion(before).toArray())).normalize();
    const size = shape.size ? { size: this.place(first, shape.size) } : {};
    const radius = shape.radius ? { radius: this.number(first + 3, shape.radius) } : {};
    const length = shape.length ? { length: this.number(first + 4, shape.length) } : {};
    const place = new Vector3(...this.place(first + 5, pose));
    const turn = turnTo(axis(first + 8, new Vector3(1, 0, 0)), axis(first + 11, new Vector3(0, 0, 1)));
    return { ...shape, ...size, ...radius, ...length, pose: poseOf(place, turn) };
  }
}

//---- shapes that were guessed --------------------------------------------------------------------

// the centre of mass carries a solid or the far end of a bar that hangs on one joint alone
function hang(anchors: Anchor[], before: Triple, after: Triple, near: number, put: (anchor: Anchor) => void): void {
  const [from, to] = [new Vector3(...before), new Vector3(...after)];
  const joints = anchors.filter((anchor, k) => anchors.findIndex((other) => other.from.distanceTo(anchor.from) < near) === k);
  put({ from, to, turn: null });
  if (joints.length !== 1) return;
  const mirrored = (centre: Vector3, point: Vector3): Vector3 => centre.clone().multiplyScalar(2).sub(point);
  put({ from: mirrored(from, joints[0].from), to: mirrored(to, joints[0].to), turn: null });
}

function carried(shape: Shape, anchors: Anchor[], near: number): Shape {
  if (anchors.every(({ from, to, turn }) => from.equals(to) && isNone(turn))) return shape;
  const pose = shape.pose ?? NOWHERE;
  const [place, turn] = [placeOf(pose), turnOf(pose)];
  if (shape.type === "mesh") {
    const back = turn.clone().invert();
    const vertices = (shape.vertices ?? []).slice();
    for (let k = 0; k < vertices.length; k += 3) {
      const corner = new Vector3().fromArray(vertices, k).applyQuaternion(turn).add(place);
      move(corner, anchors, near).sub(place).applyQuaternion(back).toArray(vertices, k);
    }
    return { ...shape, vertices };
  }
  if (shape.type === "capsule") {
    const half = new Vector3(0, 0, (shape.length ?? 0) / 2).applyQuaternion(turn);
    const [a, b] = [-1, 1].map((side) => move(place.clone().addScaledVector(half, side), anchors, near));
    const along = b.clone().sub(a);
    const length = along.length();
    const turned = new Quaternion().setFromUnitVectors(half.normalize(), along.divideScalar(length || 1)).multiply(turn);
    return { ...shape, length, pose: poseOf(a.add(b).multiplyScalar(0.5), turned) };
  }
  // a solid piece goes with what it is fixed to
  const reach = Math.max(near, 0.75 * Math.hypot(...(shape.size ?? [2 * (shape.radius ?? 0), shape.length ?? 0])));
  const ends = anchors.filter((anchor) => !anchor.turn);
  const holder = nearest(place, shape.type === "tyre" && ends.length > 0 ? ends : anchors);
  if (holder.from.distanceTo(place) > reach) return { ...shape, pose: poseOf(move(place, anchors, near), turn) };
  const arm = place.clone().sub(holder.from);
  if (holder.turn) {
    arm.applyQuaternion(holder.turn);
    turn.premultiply(holder.turn);
  }
  return { ...shape, pose: poseOf(arm.add(holder.to), turn) };
}

// a point goes with the anchor that it is at, else with all of them, the more the nearer they are
function move(point: Vector3, anchors: Anchor[], near: number): Vector3 {
  const holder = nearest(point, anchors);
  const way = new Vector3();
  if (holder.from.distanceTo(point) <= near) return point.add(way.copy(holder.to).sub(holder.from));
  let sum = 0;
  const shift = new Vector3();
  for (const { from, to } of anchors) {
    const weight = 1 / from.distanceToSquared(point);
    shift.addScaledVector(way.copy(to).sub(from), weight);
    sum += weight;
  }
  return point.addScaledVector(shift, 1 / sum);
}

// of several at one place the one that turns
function nearest(point: Vector3, anchors: Anchor[]): Anchor {
  let best = anchors[0];
  for (const anchor of anchors) {
    const [ahead, behind] = [best.from.distanceTo(point), anchor.from.distanceTo(point)];
    if (behind < ahead || (behind === ahead && isNone(best.turn))) best = anchor;
  }
  return best;
}

//---- poses ---------------------------------------------------------------------------------------

const NOWHERE: Pose = [0, 0, 0, 1, 0, 0, 0];

const isNone = (turn: Quaternion | null): boolean => !turn || Math.abs(turn.w) === 1;
const placeOf = (pose: Pose): Vector3 => new Vector3(pose[0], pose[1], pose[2]);
const turnOf = (pose: Pose): Quaternion => new Quaternion(pose[4], pose[5], pose[6], pose[3]);
const poseOf = ({ x, y, z }: Vector3, turn: Quaternion): Pose => [x, y, z, turn.w, turn.x, turn.y, turn.z];

// the rotation that takes the axes to x and z
const turnTo = (x: Vector3, z: Vector3): Quaternion => {
  const own = x.clone().addScaledVector(z, -x.dot(z)).normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(own, new Vector3().crossVectors(z, own), z));
};

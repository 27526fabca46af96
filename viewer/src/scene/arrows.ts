// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces, reactions, contacts and torques as arrows, and a ball at each point of contact.
import * as THREE from "three";
import type { SceneHeader, VectorChannel, VectorKind } from "../data/header";
import { VECTOR } from "../data/layout";
import { makeInstances } from "./instances";
import { between, vanish } from "./matrix";
import { REACTION_TORQUE_COLOUR, VECTOR_COLOURS } from "./palette";

const HEAD = 0.24;

/** Radius of a point of contact in sizes of the machine. */
const POINT = 0.012;

/** Length of the largest arrow in sizes of the machine. */
const LENGTH = 0.33;

/** Of the frames of a run, those whose largest contact force decides the length of arrows: impacts are longer. */
const COMMON = 0.95;

/** The most by which arrows of impacts are longer than the others. */
const LONGEST = 2;

const colourOf = ({ kind, unit }: VectorChannel): string =>
  kind === "reaction" && unit === "N m" ? REACTION_TORQUE_COLOUR : (VECTOR_COLOURS[kind] ?? VECTOR_COLOURS.force);

/** A kind of arrow as a legend names it. */
export interface ArrowKind {
  title: string;
  unit: string;
  colour: string;
  largest: number;
}

export interface ArrowTip {
  tip: THREE.Vector3;
  value: number;
  unit: string;
  colour: string;
}

const TITLES: Record<VectorKind, string> = { force: "forces", torque: "torques", contact: "contacts", reaction: "reactions" };

const titleOf = ({ kind, unit }: VectorChannel): string => (kind === "reaction" && unit === "N m" ? "reaction torques" : TITLES[kind]);

/** What the largest contact forces of most frames with contact do not exceed. */
function commonSize(sizes: Float64Array): number {
  const touching = sizes.filter((size) => size > 0).sort();
  return touching[Math.ceil(COMMON * touching.length) - 1] ?? 0;
}

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh | null = null;
  private readonly heads: THREE.InstancedMesh | null = null;
  private readonly points: THREE.InstancedMesh | null = null;
  private readonly kinds: VectorKind[];
  private shown = new Set<VectorKind>();
  /** Metres of arrow for a unit of each vector. */
  private lengths: Float64Array;
  private longest = Infinity;

  private largest = new Map<string, number>();

  constructor(
    private readonly header: SceneHeader,
    private readonly size: number,
  ) {
    this.kinds = header.vectors.map((vector) => vector.kind);
    this.lengths = new Float64Array(this.kinds.length);
    if (this.kinds.length === 0) return;
    const material = (): THREE.Material => new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.92, depthTest: false });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = makeInstances(shaft, material(), this.kinds.length);
    this.heads = makeInstances(head, material(), this.kinds.length);
    this.points = makeInstances(new THREE.SphereGeometry(1, 16, 12), material(), this.kinds.length);
    for (const mesh of [this.shafts, this.heads, this.points]) {
      mesh.raycast = () => {};
      mesh.renderOrder = 4;
      this.group.add(mesh);
      header.vectors.forEach((vector, i) => mesh.setColorAt(i, new THREE.Color(colourOf(vector))));
    }
  }

  /** Scale so that the largest vector of each unit in these frames is a third of the machine long; forces of impacts do not count. */
  fit(vectors: Float32Array, units: string[], factor: number): void {
    const largest = new Map<string, number>();
    this.largest = new Map();
    const count = this.kinds.length;
    const contacts = new Float64Array(vectors.length / (VECTOR * count));
    for (let k = 0; k * VECTOR < vectors.length; k++) {
      const o = VECTOR * k + 3;
      const unit = units[k % count];
      const size = Math.hypot(vectors[o], vectors[o + 1], vectors[o + 2]);
      const frame = Math.floor(k / count);
      if (this.kinds[k % count] === "contact") contacts[frame] = Math.max(contacts[frame], size || 0);
      else if (size > (largest.get(unit) ?? 0)) largest.set(unit, size);
      const title = titleOf(this.header.vectors[k % count]);
      if (size > (this.largest.get(title) ?? 0)) this.largest.set(title, size);
    }
    largest.set("N", Math.max(largest.get("N") ?? 0, commonSize(contacts)));
    this.lengths = Float64Array.from(units, (unit) => (LENGTH * factor * this.size) / (largest.get(unit) || 1));
    this.longest = LONGEST * LENGTH * factor * this.size;
  }

  /** The kinds that are drawn and act at all in the run. */
  get shownKinds(): ArrowKind[] {
    const kinds = new Map<string, ArrowKind>();
    for (const vector of this.header.vectors) {
      const title = titleOf(vector);
      const largest = this.largest.get(title) ?? 0;
      if (this.shown.has(vector.kind) && largest > 0) kinds.set(title, { title, unit: vector.unit, colour: colourOf(vector), largest });
    }
    return [...kinds.values()];
  }

  /** Where the arrows of an instant end, the largest first. */
  tips(v: Float32Array): ArrowTip[] {
    if (!this.group.visible) return [];
    const all = this.header.vectors.flatMap((vector, i) => {
      const o = VECTOR * i;
      const value = Math.hypot(v[o + 3], v[o + 4], v[o + 5]);
      const scale = this.scaleOf(i, value);
      if (!this.shown.has(vector.kind) || !(scale * value > 0.02 * this.size)) return [];
      const tip = new THREE.Vector3(...[0, 1, 2].map((c) => v[o + c] + scale * v[o + 3 + c])).applyQuaternion(this.group.quaternion);
      return [{ tip, value, unit: vector.unit, colour: colourOf(vector), length: this.lengths[i] * value }];
    });
    return all.sort((a, b) => b.length - a.length);
  }

  show(forces: boolean, contacts: boolean, reactions: boolean): void {
    this.shown = new Set();
    if (forces) for (const kind of ["force", "torque"] as const) this.shown.add(kind);
    if (contacts) this.shown.add("contact");
    if (reactions) this.shown.add("reaction");
    this.group.visible = this.shown.size > 0;
  }

  update(vectors: Float32Array): void {
    if (!this.shafts || !this.heads || !this.points || !this.group.visible) return;
    const shafts = this.shafts.instanceMatrix.array as Float32Array;
    const heads = this.heads.instanceMatrix.array as Float32Array;
    const points = this.points.instanceMatrix.array as Float32Array;
    for (let i = 0; i < this.kinds.length; i++) {
      this.place(shafts, heads, i, vectors, VECTOR * i);
      this.placePoint(points, i, vectors, VECTOR * i);
    }
    for (const mesh of [this.shafts, this.heads, this.points]) mesh.instanceMatrix.needsUpdate = true;
  }

  /** Metres for a unit of the vector i of this size. */
  private scaleOf(i: number, size: number): number {
    return Math.min(this.lengths[i], this.longest / (size || 1));
  }

  private placePoint(points: Float32Array, i: number, v: Float32Array, o: number): void {
    const touches = Math.hypot(v[o + 3], v[o + 4], v[o + 5]) > 0;
    if (!touches || this.kinds[i] !== "contact" || !this.shown.has("contact")) return vanish(points, 16 * i);
    const radius = POINT * this.size;
    points.set([radius, 0, 0, 0, 0, radius, 0, 0, 0, 0, radius, 0, v[o], v[o + 1], v[o + 2], 1], 16 * i);
  }

  private place(shafts: Float32Array, heads: Float32Array, i: number, v: Float32Array, o: number): void {
    const value = Math.hypot(v[o + 3], v[o + 4], v[o + 5]);
    const scale = this.shown.has(this.kinds[i]) ? this.scaleOf(i, value) : 0;
    const length = scale * value;
    const width = 0.0055 * this.size;
    if (!(length > 0.2 * width)) {
      vanish(shafts, 16 * i);
      vanish(heads, 16 * i);
      return;
    }
    const head = Math.min(HEAD * LENGTH * this.size, 0.45 * length);
    const at = (s: number): number[] => [0, 1, 2].map((c) => v[o + c] + s * scale * v[o + 3 + c]);
    const neck = at(1 - head / length);
    between(shafts, 16 * i, at(0), neck, Math.min(width, 0.2 * head));
    between(heads, 16 * i, neck, at(1), Math.min(3 * width, 0.45 * head));
  }
}

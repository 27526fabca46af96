// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces, reactions, contacts and torques as arrows.
import * as THREE from "three";
import type { SceneHeader, VectorChannel, VectorKind } from "../data/header";
import { VECTOR } from "../data/layout";
import { makeInstances } from "./instances";
import { between, vanish } from "./matrix";
import { REACTION_TORQUE_COLOUR, VECTOR_COLOURS } from "./palette";

const HEAD = 0.24;

const colourOf = ({ kind, unit }: VectorChannel): string =>
  kind === "reaction" && unit === "N m" ? REACTION_TORQUE_COLOUR : (VECTOR_COLOURS[kind] ?? VECTOR_COLOURS.force);

export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh | null = null;
  private readonly heads: THREE.InstancedMesh | null = null;
  private readonly kinds: VectorKind[];
  private shown = new Set<VectorKind>();
  /** Metres of arrow for a unit of each vector. */
  private lengths: Float64Array;

  constructor(
    header: SceneHeader,
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
    for (const mesh of [this.shafts, this.heads]) {
      mesh.raycast = () => {};
      mesh.renderOrder = 4;
      this.group.add(mesh);
      header.vectors.forEach((vector, i) => mesh.setColorAt(i, new THREE.Color(colourOf(vector))));
    }
  }

  /** Scale so that the largest vector of each unit in these frames is a third of the machine long. */
  fit(vectors: Float32Array, units: string[], factor: number): void {
    const largest = new Map<string, number>();
    const count = this.kinds.length;
    for (let k = 0; k * VECTOR < vectors.length; k++) {
      const o = VECTOR * k + 3;
      const unit = units[k % count];
      const size = Math.hypot(vectors[o], vectors[o + 1], vectors[o + 2]);
      if (size > (largest.get(unit) ?? 0)) largest.set(unit, size);
    }
    this.lengths = Float64Array.from(units, (unit) => (0.33 * factor * this.size) / (largest.get(unit) || 1));
  }

  show(forces: boolean, reactions: boolean): void {
    this.shown = new Set();
    if (forces) for (const kind of ["force", "contact", "torque"] as const) this.shown.add(kind);
    if (reactions) this.shown.add("reaction");
    this.group.visible = this.shown.size > 0;
  }

  update(vectors: Float32Array): void {
    if (!this.shafts || !this.heads || !this.group.visible) return;
    const shafts = this.shafts.instanceMatrix.array as Float32Array;
    const heads = this.heads.instanceMatrix.array as Float32Array;
    for (let i = 0; i < this.kinds.length; i++) this.place(shafts, heads, i, vectors, VECTOR * i);
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }

  private place(shafts: Float32Array, heads: Float32Array, i: number, v: Float32Array, o: number): void {
    const scale = this.shown.has(this.kinds[i]) ? this.lengths[i] : 0;
    const length = scale * Math.hypot(v[o + 3], v[o + 4], v[o + 5]);
    const width = 0.0055 * this.size;
    if (!(length > 0.2 * width)) {
      vanish(shafts, 16 * i);
      vanish(heads, 16 * i);
      return;
    }
    const head = Math.min(HEAD * 0.33 * this.size, 0.45 * length);
    const at = (s: number): number[] => [0, 1, 2].map((c) => v[o + c] + s * scale * v[o + 3 + c]);
    const neck = at(1 - head / length);
    between(shafts, 16 * i, at(0), neck, Math.min(width, 0.2 * head));
    between(heads, 16 * i, neck, at(1), Math.min(3 * width, 0.45 * head));
  }
}

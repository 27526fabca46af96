// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Springs, dampers and other elements between two points, stretched between them in every frame.
import * as THREE from "three";
import type { Force, SceneHeader } from "../data/header";
import { makeInstances, release } from "./instances";
import { coil, type Detail } from "./shapes";
import { between, transform, vanish, type BodyMatrices } from "./matrix";

const STEEL = "#7d8791";
const HEMP = "#9c7f4f";
const CYLINDER = /cylinder/;

// places of the two ends of the element at hand
const START = [0, 0, 0];
const END = [0, 0, 0];

type Style = "spring" | "damper" | "link";

interface Element {
  force: number;
  width: number;
  colour: string;
  ends: Force["ends"];
}

interface Batch {
  mesh: THREE.InstancedMesh;
  elements: Element[];
  make: (detail: Detail) => THREE.BufferGeometry;
  geometries: Partial<Record<Detail, THREE.BufferGeometry>>;
}

export class ForceElements {
  readonly group = new THREE.Group();
  private readonly batches: Batch[] = [];

  /** Elements of a machine of this size, as long as they are with these matrices. */
  constructor(header: SceneHeader, size: number, bodies: BodyMatrices, material: THREE.Material) {
    const styled = (style: Style, share: number, least: number): Element[] =>
      header.forces.flatMap((force, index) => {
        const isCylinder = CYLINDER.test(force.type);
        const width = (isCylinder ? 2.2 : 1) * (force.radius ? share * force.radius : least * size);
        const isInside = !isCylinder && header.forces.some((other) => CYLINDER.test(other.type) && haveSameEnds(force, other));
        return styles(force).includes(style) && !isInside ? [{ force: index, width, ends: force.ends, colour: /rope|cable/.test(force.type) ? HEMP : STEEL }] : [];
      });
    for (const [slenderness, springs] of bySlenderness(styled("spring", 1, 0.024), bodies)) this.add(springs, (detail) => unitCoil(slenderness, detail), material);
    this.add(styled("damper", 0.45, 0.011), strut, material);
    this.add(styled("link", 0.3, 0.006), rod, material);
    this.colour(null, STEEL);
  }

  private hidden: ReadonlySet<number> = new Set();

  /** Leave out what acts on hidden bodies alone. */
  hide(bodies: ReadonlySet<number>): void {
    this.hidden = bodies;
  }

  update(bodies: BodyMatrices): void {
    for (const { mesh, elements } of this.batches) {
      const out = mesh.instanceMatrix.array as Float32Array;
      elements.forEach(({ ends, width }, i) => {
        if (isLeft(ends, this.hidden)) return vanish(out, 16 * i);
        placeEnds(ends, bodies);
        between(out, 16 * i, START, END, width);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  colour(chosen: number | null, accent: string): void {
    const colour = new THREE.Color();
    for (const { mesh, elements } of this.batches) {
      elements.forEach((element, i) => mesh.setColorAt(i, colour.set(element.force === chosen ? accent : element.colour)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  forceOf(mesh: THREE.Object3D, instance: number): number | null {
    return this.batches.find((batch) => batch.mesh === mesh)?.elements[instance]?.force ?? null;
  }

  setLook(detail: Detail, material: THREE.Material): void {
    for (const { mesh, make, geometries } of this.batches) {
      mesh.geometry = geometries[detail] ??= make(detail);
      mesh.material = material;
    }
  }

  dispose(): void {
    for (const { geometries } of this.batches) for (const geometry of Object.values(geometries)) geometry.dispose();
    release(this.group, false);
  }

  private add(elements: Element[], make: Batch["make"], material: THREE.Material): void {
    if (elements.length === 0) return;
    const coarse = make("coarse");
    const mesh = makeInstances(coarse, material, elements.length);
    mesh.castShadow = true;
    this.batches.push({ mesh, elements, make, geometries: { coarse } });
    this.group.add(mesh);
  }
}

// ground neither shows nor hides
function isLeft(ends: Force["ends"], hidden: ReadonlySet<number>): boolean {
  const moved = ends.filter(({ body }) => body >= 0);
  return moved.length > 0 && moved.every(({ body }) => hidden.has(body));
}

function placeEnds(ends: Force["ends"], bodies: BodyMatrices): void {
  transform(START, 0, bodies.values, bodies.at(ends[0].body), ends[0].point);
  transform(END, 0, bodies.values, bodies.at(ends[1].body), ends[1].point);
}

// how an element of a file without glyphs, which articula wrote before it had them, is drawn
function glyphOfType(type: string): string {
  return /spring/.test(type) ? "coil" : /link|rope/.test(type) ? "link" : "none";
}

// stops and seals of a cylinder are elements of their own at its ends
function haveSameEnds(a: Force, b: Force): boolean {
  return JSON.stringify(a.ends) === JSON.stringify(b.ends);
}

// how an element looks: a coil has a damper inside; cylinders are that alone
function styles(force: Force): Style[] {
  if (force.ends?.length !== 2) return [];
  const glyph = force.glyph ?? glyphOfType(force.type);
  if (CYLINDER.test(force.type)) return ["damper"];
  return glyph === "coil" ? ["spring", "damper"] : glyph === "link" ? ["link"] : [];
}

// springs that are alike in shape share a coil whose wire is round for them
function bySlenderness(springs: Element[], bodies: BodyMatrices): Map<number, Element[]> {
  const groups = new Map<number, Element[]>();
  for (const spring of springs) {
    placeEnds(spring.ends, bodies);
    const length = Math.hypot(END[0] - START[0], END[1] - START[1], END[2] - START[2]);
    const slenderness = Number(Math.min(40, Math.max(1, length / spring.width)).toPrecision(1));
    groups.set(slenderness, [...(groups.get(slenderness) ?? []), spring]);
  }
  return groups;
}

function unitCoil(slenderness: number, detail: Detail): THREE.BufferGeometry {
  const turns = Math.min(16, Math.max(5, Math.round(1.1 * slenderness)));
  return coil(1, slenderness, turns, detail === "fine" ? 20 : 8).translate(0, 0, slenderness / 2).scale(1, 1, 1 / slenderness);
}

function rod(detail: Detail): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, detail === "fine" ? 12 : 6).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// a tube over the lower part and a rod through the rest
function strut(detail: Detail): THREE.BufferGeometry {
  const profile = [
    [0, 0],
    [0.35, 0],
    [0.35, 0.1],
    [1, 0.1],
    [1, 0.58],
    [0.35, 0.6],
    [0.35, 1],
    [0, 1],
  ].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(profile, detail === "fine" ? 20 : 8).rotateX(Math.PI / 2);
}


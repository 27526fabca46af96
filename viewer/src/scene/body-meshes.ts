// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The bodies of one run: all pieces of one geometry in one instanced mesh.
import * as THREE from "three";
import type { SceneHeader, Shape } from "../data/header";
import { makeEdges, makeInstances, release } from "./instances";
import { cornersOf, MergedPieces, MOST_CORNERS } from "./merged";
import { multiply, transform, vanish, type BodyMatrices } from "./matrix";
import { bodyColour } from "./palette";
import { segmentsOf, shapeParts, type Detail, type Part } from "./shapes";

const GROUND = -1;
const GROUND_COLOUR = "#7a7f87";

interface PlacedPart extends Part {
  body: number;
}

interface Batch {
  mesh: THREE.InstancedMesh;
  /** The same pieces again where one looks through their bodies; made when it is first wanted. */
  glass: THREE.InstancedMesh | null;
  parts: PlacedPart[];
  corners: number[][];
  geometries: Map<number, THREE.BufferGeometry>;
}

export interface BodyStyle {
  surface: THREE.Material;
  edges: THREE.Material;
  glass: THREE.Material;
}

export class BodyMeshes {
  readonly group = new THREE.Group();
  private readonly batches: Batch[] = [];
  private readonly lines = new THREE.Group();
  private readonly merged = new Map<Detail, MergedPieces | null>();
  private whole: MergedPieces | null = null;
  private bodies: BodyMatrices | null = null;
  private colours: THREE.Color[] = [];
  private hidden: ReadonlySet<number> = new Set();
  private clear: ReadonlySet<number> = new Set();

  constructor(
    header: SceneHeader,
    private readonly size: number,
    private readonly style: BodyStyle,
  ) {
    for (const [, parts] of groupByKey(header, size)) this.addBatch(parts);
    this.group.add(this.lines);
    this.colour(new Set(), "#ffffff", null);
  }

  /** Move every piece with its body. */
  update(bodies: BodyMatrices): void {
    this.bodies = bodies;
    this.whole?.update(bodies, this.left);
    for (const { mesh, glass, parts } of this.batches) {
      place(mesh, parts, bodies, this.left);
      if (glass) place(glass, parts, bodies, (body) => !this.clear.has(body) || this.hidden.has(body));
    }
  }

  // bodies that the solid pieces leave out
  private readonly left = (body: number): boolean => this.hidden.has(body) || this.clear.has(body);

  /** Leave bodies out, or draw them so that one sees through them. */
  show(hidden: ReadonlySet<number>, clear: ReadonlySet<number>): void {
    this.hidden = hidden;
    this.clear = clear;
    for (const batch of this.batches) if (batch.parts.some(({ body }) => clear.has(body))) this.makeGlass(batch);
    this.paint();
    if (this.bodies) this.update(this.bodies);
  }

  private makeGlass(batch: Batch): void {
    if (batch.glass) return;
    batch.glass = makeInstances(batch.mesh.geometry, this.style.glass, batch.parts.length);
    batch.glass.renderOrder = 2;
    this.group.add(batch.glass);
    if (batch.parts[0].edges) this.lines.add(makeEdges(this.geometry(batch.parts[0], "fine", batch.geometries), batch.glass, this.style.edges));
  }

  /** Colour the bodies in their own colours or all in one, the chosen ones in the accent. */
  colour(chosen: ReadonlySet<number>, accent: string, tint: string | null): void {
    const colourOf = (part: PlacedPart): THREE.Color => new THREE.Color(chosen.has(part.body) ? accent : (tint ?? part.colour));
    this.colours = this.batches.flatMap(({ parts }) => parts.map(colourOf));
    this.paint();
  }

  private paint(): void {
    let first = 0;
    for (const { mesh, glass, parts } of this.batches) {
      for (const each of [mesh, glass]) {
        for (let i = 0; i < parts.length; i++) each?.setColorAt(i, this.colours[first + i]);
        if (each?.instanceColor) each.instanceColor.needsUpdate = true;
      }
      first += parts.length;
    }
    for (const merged of this.merged.values()) merged?.colour((k) => this.colours[k]);
  }

  /** Throw and catch shadows. */
  setSolid(solid: boolean): void {
    for (const { mesh } of this.batches) Object.assign(mesh, { castShadow: solid, receiveShadow: solid });
  }

  /** The body of a piece that a ray met, -1 for ground; null where it met no piece. */
  bodyOf(mesh: THREE.Object3D, instance: number): number | null {
    const batch = this.batches.find((candidate) => candidate.mesh === mesh || candidate.glass === mesh);
    return batch?.parts[instance]?.body ?? null;
  }

  /** Whether a ray that met this goes on to what is behind. */
  isGlass(mesh: THREE.Object3D): boolean {
    return this.batches.some((batch) => batch.glass === mesh);
  }

  /** Widen a box by the pieces of bodies, -1: ground, where they are with these matrices. */
  extend(box: THREE.Box3, bodies: BodyMatrices, counts = (body: number): boolean => !this.hidden.has(body)): void {
    const matrix = new Float32Array(16);
    const point = new THREE.Vector3();
    const at = [0, 0, 0];
    for (const { parts, corners } of this.batches) {
      for (const part of parts) {
        if (!counts(part.body)) continue;
        multiply(matrix, 0, bodies.values, bodies.at(part.body), part.matrix, 0);
        for (const corner of corners) {
          transform(at, 0, matrix, 0, corner);
          box.expandByPoint(point.fromArray(at));
        }
      }
    }
  }

  /** Draw what is round with many or with few faces; with few, without lines along the edges and all in one mesh. */
  setLook(detail: Detail, material: THREE.Material): void {
    this.lines.visible = detail === "fine";
    const whole = detail === "fine" ? null : this.mergedPieces(detail, material);
    if (whole !== this.whole && this.bodies) whole?.update(this.bodies, this.left);
    this.whole = whole;
    for (const merged of this.merged.values()) if (merged) merged.mesh.visible = merged === whole;
    for (const { mesh, glass, parts, geometries } of this.batches) {
      mesh.geometry = this.geometry(parts[0], detail, geometries);
      if (glass) glass.geometry = mesh.geometry;
      mesh.material = material;
      mesh.visible = !whole;
    }
  }

  // made when it is first wanted, unless there is too much to move
  private mergedPieces(detail: Detail, material: THREE.Material): MergedPieces | null {
    const made = this.merged.get(detail);
    if (made !== undefined) return made;
    const pieces = this.batches.flatMap(({ parts, geometries }) =>
      parts.map(({ matrix, body }) => ({ geometry: this.geometry(parts[0], detail, geometries), matrix, body })),
    );
    const merged = cornersOf(pieces) > MOST_CORNERS ? null : new MergedPieces(pieces, material);
    this.merged.set(detail, merged);
    if (merged) this.group.add(merged.mesh);
    merged?.colour((k) => this.colours[k]);
    return merged;
  }

  // made when it is first wanted; what has nothing round looks the same with any detail
  private geometry({ make, round }: Part, detail: Detail, made: Batch["geometries"]): THREE.BufferGeometry {
    const segments = round > 0 ? segmentsOf(round / this.size, detail) : 0;
    const geometry = made.get(segments) ?? make(segments);
    made.set(segments, geometry);
    return geometry;
  }

  dispose(): void {
    for (const { geometries } of this.batches) for (const geometry of geometries.values()) geometry.dispose();
    release(this.group, false);
  }

  private addBatch(parts: PlacedPart[]): void {
    const geometries: Batch["geometries"] = new Map();
    const coarse = this.geometry(parts[0], "coarse", geometries);
    const mesh = makeInstances(coarse, this.style.surface, parts.length);
    this.batches.push({ mesh, glass: null, parts, corners: boxCorners(coarse), geometries });
    this.group.add(mesh);
    if (parts[0].edges) this.lines.add(makeEdges(this.geometry(parts[0], "fine", geometries), mesh, this.style.edges));
  }
}

// every piece where its body is; those that are left out have no size
function place(mesh: THREE.InstancedMesh, parts: PlacedPart[], bodies: BodyMatrices, isLeft: (body: number) => boolean): void {
  const out = mesh.instanceMatrix.array as Float32Array;
  parts.forEach(({ body, matrix }, i) => {
    if (isLeft(body)) vanish(out, 16 * i);
    else multiply(out, 16 * i, bodies.values, bodies.at(body), matrix, 0);
  });
  mesh.instanceMatrix.needsUpdate = true;
  mesh.boundingSphere = null;
}

// pieces of one geometry and one fineness
function groupByKey(header: SceneHeader, size: number): Map<string, PlacedPart[]> {
  const groups = new Map<string, PlacedPart[]>();
  const add = (shapes: Shape[], index: number): void => {
    for (const shape of shapes) {
      for (const part of shapeParts(shape, index === GROUND ? GROUND_COLOUR : bodyColour(index))) {
        const key = `${part.key}, ${segmentsOf(part.round / size, "fine")} segments`;
        const group = groups.get(key) ?? [];
        group.push({ ...part, body: index });
        groups.set(key, group);
      }
    }
  };
  add(header.ground?.shapes ?? [], GROUND);
  header.bodies.forEach((body, index) => add(body.shapes ?? [], index));
  return groups;
}

function boxCorners(geometry: THREE.BufferGeometry): number[][] {
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox ?? new THREE.Box3();
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z]);
}

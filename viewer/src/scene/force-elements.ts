// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Springs, dampers and other elements between two points, stretched between them in every frame.
import * as THREE from "three";
import type { Force, SceneHeader } from "../data/header";
import { makeInstances } from "./instances";
import { between, transform, type BodyMatrices } from "./matrix";

const TURNS = 8;
const STEEL = "#7d8791";

type Style = "spring" | "damper" | "link";

interface Element {
  force: number;
  width: number;
  ends: Force["ends"];
}

interface Batch {
  mesh: THREE.InstancedMesh;
  elements: Element[];
}

export class ForceElements {
  readonly group = new THREE.Group();
  private readonly batches: Batch[] = [];

  constructor(header: SceneHeader, size: number, material: THREE.Material) {
    const styled = (style: Style, share: number, least: number): Element[] =>
      header.forces.flatMap((force, index) => {
        const width = force.radius ? share * force.radius : least * size;
        return styles(force).includes(style) ? [{ force: index, width, ends: force.ends }] : [];
      });
    this.add(styled("spring", 1, 0.024), new THREE.TubeGeometry(coilPath(), 26 * TURNS, 0.13, 6), material);
    this.add(styled("damper", 0.45, 0.011), strut(), material);
    this.add(styled("link", 0.3, 0.006), rod(), material);
    this.colour(null, STEEL);
  }

  update(bodies: BodyMatrices): void {
    const a = [0, 0, 0];
    const b = [0, 0, 0];
    for (const { mesh, elements } of this.batches) {
      const out = mesh.instanceMatrix.array as Float32Array;
      elements.forEach(({ ends, width }, i) => {
        transform(a, 0, bodies.values, bodies.at(ends[0].body), ends[0].point);
        transform(b, 0, bodies.values, bodies.at(ends[1].body), ends[1].point);
        between(out, 16 * i, a, b, width);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  colour(chosen: number | null, accent: string): void {
    const colour = new THREE.Color();
    for (const { mesh, elements } of this.batches) {
      elements.forEach((element, i) => mesh.setColorAt(i, colour.set(element.force === chosen ? accent : STEEL)));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  forceOf(mesh: THREE.Object3D, instance: number): number | null {
    return this.batches.find((batch) => batch.mesh === mesh)?.elements[instance]?.force ?? null;
  }

  private add(elements: Element[], geometry: THREE.BufferGeometry, material: THREE.Material): void {
    if (elements.length === 0) return;
    const mesh = makeInstances(geometry, material, elements.length);
    mesh.castShadow = true;
    this.batches.push({ mesh, elements });
    this.group.add(mesh);
  }
}

// how an element looks, by the words of its type
function styles(force: Force): Style[] {
  if (force.ends?.length !== 2 || /joint|tyre|gravity|bushing|contact/.test(force.type)) return [];
  const found: Style[] = [];
  if (/spring|air/.test(force.type)) found.push("spring");
  if (/damper|shock|strut/.test(force.type) || /spring-damper/.test(force.type)) found.push("damper");
  return found.length > 0 ? found : ["link"];
}

function coilPath(): THREE.Curve<THREE.Vector3> {
  const points: THREE.Vector3[] = [];
  const steps = 24 * TURNS;
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * TURNS * k) / steps;
    points.push(new THREE.Vector3(Math.cos(angle), Math.sin(angle), k / steps));
  }
  return new THREE.CatmullRomCurve3(points);
}

function rod(): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// a tube over the lower part and a rod through the rest
function strut(): THREE.BufferGeometry {
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
  return new THREE.LatheGeometry(profile, 20).rotateX(Math.PI / 2);
}


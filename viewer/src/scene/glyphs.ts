// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Glyphs that can be switched on: joint axes, frames of the bodies, centres of mass. They shine through the bodies.
import * as THREE from "three";
import type { SceneHeader } from "../data/header";
import { makeInstancedLines, makeInstances, release, type InstancedLines } from "./instances";
import { multiply, scaledPose, vanish, type BodyMatrices } from "./matrix";
import { cylinderAlongZ } from "./shapes";

const AXIS_COLOUR = "#e03131";
const BALL_COLOUR = "#f08c00";
const SLIDE_COLOUR = "#1098ad";

const through = (parameters: THREE.MeshBasicMaterialParameters): THREE.MeshBasicMaterial =>
  new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9, ...parameters });

/** A set of marks, each fixed in a body. */
class Marks {
  constructor(
    readonly object: THREE.InstancedMesh | InstancedLines,
    private readonly bodies: number[],
    private readonly locals: Float32Array[],
  ) {
    object.renderOrder = 5;
    object.visible = false;
    if (object instanceof THREE.InstancedMesh) object.raycast = () => {};
  }

  update(matrices: BodyMatrices, hidden: ReadonlySet<number>): void {
    if (!this.object.visible) return;
    const out = this.object.instanceMatrix.array as Float32Array;
    this.bodies.forEach((body, i) => {
      if (hidden.has(body)) vanish(out, 16 * i);
      else multiply(out, 16 * i, matrices.values, matrices.at(body), this.locals[i], 0);
    });
    this.object.instanceMatrix.needsUpdate = true;
  }
}

export class Glyphs {
  readonly group = new THREE.Group();
  private readonly axes: Marks[];
  private readonly frames: Marks;
  private readonly centres: Marks;

  constructor(header: SceneHeader, size: number) {
    this.axes = jointMarks(header, size);
    this.frames = frameMarks(header, size);
    this.centres = centreMarks(header, size);
    this.group.add(...[...this.axes, this.frames, this.centres].map((marks) => marks.object));
  }

  show(axes: boolean, frames: boolean, centres: boolean): void {
    for (const marks of this.axes) marks.object.visible = axes;
    this.frames.object.visible = frames;
    this.centres.object.visible = centres;
  }

  dispose(): void {
    release(this.group, true);
  }

  hidden: ReadonlySet<number> = new Set();

  update(bodies: BodyMatrices): void {
    for (const marks of [...this.axes, this.frames, this.centres]) marks.update(bodies, this.hidden);
  }
}

function jointMarks(header: SceneHeader, size: number): Marks[] {
  const long = 0.11 * size;
  const thin = 0.006 * size;
  const kinds: [RegExp, () => THREE.BufferGeometry, number[], string][] = [
    [/revolute|cylindrical|screw|universal|planar/, () => cylinderAlongZ(16), [thin, thin, long], AXIS_COLOUR],
    [/prismatic/, () => new THREE.BoxGeometry(1, 1, 1), [2.4 * thin, 2.4 * thin, long], SLIDE_COLOUR],
    [/spherical|ball|free/, () => new THREE.SphereGeometry(1, 20, 14), [2.4 * thin, 2.4 * thin, 2.4 * thin], BALL_COLOUR],
  ];
  return kinds.flatMap(([types, geometry, scale, color]) => {
    const joints = header.joints.filter((joint) => types.test(joint.type));
    if (joints.length === 0) return [];
    const mesh = makeInstances(geometry(), through({ color }), joints.length);
    return [new Marks(mesh, joints.map((joint) => joint.to), joints.map((joint) => scaledPose(joint.at.to, scale)))];
  });
}

function frameMarks(header: SceneHeader, size: number): Marks {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1], 3));
  const rgb = [0.88, 0.2, 0.2, 0.88, 0.2, 0.2, 0.18, 0.62, 0.27, 0.18, 0.62, 0.27, 0.11, 0.49, 0.84, 0.11, 0.49, 0.84];
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(rgb, 3));
  const material = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
  const scale = 0.08 * size;
  const bodies = [-1, ...header.bodies.keys()];
  const locals = bodies.map((body) => scaledPose(undefined, Array(3).fill(body < 0 ? 2 * scale : scale)));
  return new Marks(makeInstancedLines(geometry, material, bodies.length), bodies, locals);
}

// the sign of drawings: a ball quartered in black and white
function centreMarks(header: SceneHeader, size: number): Marks {
  const material = through({ map: quarters(), opacity: 1 });
  const radius = 0.013 * size;
  const bodies = [...header.bodies.keys()].filter((body) => header.bodies[body].mass > 0);
  const locals = bodies.map((body) => scaledPose([...header.bodies[body].com, 1, 0, 0, 0], [radius, radius, radius]));
  return new Marks(makeInstances(new THREE.SphereGeometry(1, 24, 16), material, bodies.length), bodies, locals);
}

function quarters(): THREE.Texture {
  const pixels = new Uint8Array(8 * 2 * 4);
  for (let k = 0; k < 16; k++) {
    const dark = ((k >> 1) + (k >> 3)) % 2 === 0;
    pixels.set(dark ? [20, 24, 28, 255] : [250, 250, 250, 255], 4 * k);
  }
  const texture = new THREE.DataTexture(pixels, 8, 2);
  texture.magFilter = THREE.NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The JSON header of a scene file: the machine and the recorded quantities.

export type Vector3 = [number, number, number];
/** Position x y z, then quaternion w x y z. */
export type Pose = [number, number, number, number, number, number, number];

export interface Shape {
  type: "box" | "cylinder" | "sphere" | "capsule" | "mesh" | "coil" | "tyre";
  size?: Vector3;
  radius?: number;
  length?: number;
  vertices?: number[];
  triangles?: number[];
  pose?: Pose;
  colour?: string;
  default?: boolean;
}

export interface Body {
  name: string;
  mass: number;
  com: Vector3;
  inertia?: number[];
  parent: number;
  rod?: boolean;
  shapes: Shape[];
}

export interface Joint {
  name: string;
  type: string;
  from: number;
  to: number;
  /** Where the joint is in both bodies, z along its axis. */
  at: { from: Pose; to: Pose };
  cut?: boolean;
}

export interface ForceEnd {
  body: number;
  point: Vector3;
}

export interface Force {
  name: string;
  type: string;
  /** How it is drawn: "coil", "link", "wheel"; nothing else is. */
  glyph?: string;
  ends: ForceEnd[];
  radius?: number;
  width?: number;
  rest?: number | null;
}

export interface Loop {
  name: string;
  type?: string;
  /** The joint that was cut, -1 for a coupling. */
  joint?: number;
}

export interface Road {
  type: "flat" | "grid";
  x0?: number;
  dx?: number;
  nx?: number;
  y0?: number;
  dy?: number;
  ny?: number;
  z?: number | number[];
}

export type VectorKind = "force" | "reaction" | "contact" | "torque";

export interface VectorChannel {
  name: string;
  kind: VectorKind;
  unit: string;
  body?: number;
}

export interface Channel {
  name: string;
  unit: string;
  group?: string;
  type: "f64" | "f32";
}

export interface SceneHeader {
  format: string;
  version: number;
  program?: string;
  model: { name?: string; file?: string; hash?: string; title?: string };
  method?: string;
  integrator?: string;
  study?: string;
  step?: number;
  from?: number;
  until?: number;
  rows?: number;
  chunk: number;
  velocities?: boolean;
  gravity?: Vector3;
  size?: number;
  centre?: Vector3;
  /** Meshes that the file named and that are not shown. */
  lost_meshes?: number;
  ground?: { shapes: Shape[] };
  bodies: Body[];
  joints: Joint[];
  forces: Force[];
  loops: Loop[];
  road: Road | null;
  vectors: VectorChannel[];
  channels: Channel[];
}

/** A header with every list present, or an error in words. */
export function checkHeader(raw: unknown): SceneHeader {
  const header = raw as SceneHeader;
  if (header?.format !== "articula-scene") throw new Error("this is no articula scene: the header lacks its format");
  if (header.version !== 1) throw new Error(`scene version ${header.version} is newer than this viewer, which reads 1`);
  if (!(header.chunk > 0)) throw new Error("the scene header has no chunk size");
  const lists = { bodies: [], joints: [], forces: [], loops: [], vectors: [], channels: [], road: null };
  return { ...lists, ...dropNull(header) };
}

function dropNull(header: SceneHeader): SceneHeader {
  return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null)) as unknown as SceneHeader;
}

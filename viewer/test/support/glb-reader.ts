// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs in a page: reads a .glb with three's own loader and plays it to an instant.
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

export interface GlbContent {
  nodes: string[];
  animations: { name: string; duration: number }[];
  /** Where the wanted points are, in the axes of the machine. */
  points: number[][];
}

export interface WantedPoint {
  node: string;
  point: [number, number, number];
}

async function readGlb(base64: string, time: number, wanted: WantedPoint[]): Promise<GlbContent> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer, "");
  const mixer = new THREE.AnimationMixer(scene);
  for (const clip of animations) mixer.clipAction(clip).play();
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
  const nodes: string[] = [];
  scene.traverse((node) => nodes.push(node.name));
  const machine = scene.getObjectByName("machine") as THREE.Object3D;
  const place = ({ node, point }: WantedPoint): number[] => {
    const part = scene.getObjectByName(node) as THREE.Object3D;
    return machine.worldToLocal(part.localToWorld(new THREE.Vector3(...point))).toArray();
  };
  return { nodes, animations: animations.map(({ name, duration }) => ({ name, duration })), points: wanted.map(place) };
}

declare global {
  interface Window {
    readGlb: typeof readGlb;
  }
}
window.readGlb = readGlb;

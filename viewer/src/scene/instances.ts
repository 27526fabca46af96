// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many pieces with one geometry, drawn at once; their edges share the same matrices.
import * as THREE from "three";

/** Line segments drawn once for each matrix of an instanced mesh. */
class InstancedLines extends THREE.LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceColor = null;
  readonly morphTexture = null;
  count: number;

  constructor(
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    readonly instanceMatrix: THREE.InstancedBufferAttribute,
  ) {
    super(geometry, material);
    this.count = instanceMatrix.count;
    this.frustumCulled = false;
  }

  override raycast(): void {}
}

export function makeInstances(geometry: THREE.BufferGeometry, material: THREE.Material, count: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  mesh.frustumCulled = false;
  return mesh;
}

/** The sharp edges of a geometry as lines, wherever an instanced mesh has it. */
export function makeEdges(geometry: THREE.BufferGeometry, mesh: THREE.InstancedMesh, material: THREE.Material): THREE.LineSegments {
  return new InstancedLines(new THREE.EdgesGeometry(geometry, 35), material, mesh.instanceMatrix);
}

/** Give back what the graphics holds of a group; of its materials, those that are its own. */
export function release(group: THREE.Object3D, ownsMaterials: boolean): void {
  group.traverse((object) => {
    if (object instanceof THREE.InstancedMesh) object.dispose();
    if (!(object instanceof THREE.Mesh || object instanceof THREE.LineSegments)) return;
    (object.geometry as THREE.BufferGeometry).dispose();
    if (!ownsMaterials) return;
    const material = object.material as THREE.MeshBasicMaterial;
    material.map?.dispose();
    material.dispose();
  });
}

/** Any line geometry, once for each of count matrices. */
export function makeInstancedLines(geometry: THREE.BufferGeometry, material: THREE.Material, count: number): InstancedLines {
  const matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * count), 16);
  matrices.setUsage(THREE.DynamicDrawUsage);
  return new InstancedLines(geometry, material, matrices);
}

export type { InstancedLines };

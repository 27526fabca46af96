// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The floor: a plane with a grid in metres that fades out, or the road of the scene.
import * as THREE from "three";
import type { Road } from "../data/header";
import type { SceneColours } from "./palette";

const VERTEX = `
varying vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// lines of constant width on the screen: distance to the next line over what a pixel covers
const FRAGMENT = `
varying vec3 place;
uniform vec3 centre, fill, minor, major;
uniform float spacing, reach, lines;
float line(vec2 at, float width) {
  vec2 pixel = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 calm = 1.0 - smoothstep(0.25, 0.7, pixel);
  vec2 strength = (1.0 - smoothstep(width - 0.5, width + 0.5, near)) * calm;
  return max(strength.x, strength.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.1, 1.0, length(place.xy - centre.xy) / reach);
  vec3 colour = mix(fill, minor, 0.42 * lines * line(place.xy / spacing, 0.6));
  colour = mix(colour, major, 0.55 * lines * line(place.xy / (10.0 * spacing), 0.7));
  gl_FragColor = vec4(colour, fade);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly group = new THREE.Group();
  private readonly floor: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private readonly relief: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> | null;

  constructor(
    private readonly road: Road | null,
    height: number,
    private readonly size: number,
  ) {
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), floorMaterial(size));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.3 }));
    this.relief = road?.type === "grid" ? makeRelief(road) : null;
    this.floor.renderOrder = -2;
    this.shade.renderOrder = -1;
    this.shade.receiveShadow = true;
    this.shade.material.polygonOffset = true;
    this.shade.material.polygonOffsetFactor = -1;
    for (const mesh of [this.floor, this.shade]) {
      mesh.scale.setScalar(60 * size);
      mesh.position.z = height;
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
    if (this.relief) this.addRelief(this.relief);
  }

  /** Keep the floor under what one looks at. */
  moveTo(centre: THREE.Vector3): void {
    for (const mesh of [this.floor, this.shade]) mesh.position.set(centre.x, centre.y, mesh.position.z);
    this.floor.material.uniforms["centre"].value.copy(centre);
  }

  recolour(colours: SceneColours): void {
    const uniforms = this.floor.material.uniforms;
    uniforms["fill"].value.set(this.road && !this.relief ? colours.road : colours.ground);
    uniforms["minor"].value.set(colours.gridMinor);
    uniforms["major"].value.set(colours.gridMajor);
    this.shade.material.opacity = colours.shadow;
    this.relief?.material.color.set(colours.road);
  }

  // a road with heights lies on a plain floor, which must not cut through it
  private addRelief(relief: THREE.Mesh): void {
    relief.geometry.computeBoundingBox();
    this.floor.position.z = (relief.geometry.boundingBox?.min.z ?? 0) - 0.05 * this.size;
    this.floor.material.uniforms["lines"].value = 0;
    this.shade.visible = false;
    relief.receiveShadow = true;
    relief.raycast = () => {};
    this.group.add(relief);
    const lines = new THREE.LineSegments(reliefLines(this.road as Road), new THREE.LineBasicMaterial({ color: "#7c8792", transparent: true, opacity: 0.35 }));
    lines.raycast = () => {};
    this.group.add(lines);
  }
}

function floorMaterial(size: number): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: {
      centre: { value: new THREE.Vector3() },
      fill: { value: new THREE.Color() },
      minor: { value: new THREE.Color() },
      major: { value: new THREE.Color() },
      lines: { value: 1 },
      spacing: { value: gridSpacing(size) },
      reach: { value: 9 * size },
    },
  });
}

/** A power of ten, about a tenth of the machine: ten of them make a bold line. */
export function gridSpacing(size: number): number {
  return 10 ** Math.round(Math.log10(size / 12));
}

function height(road: Road, ix: number, iy: number): number {
  return Array.isArray(road.z) ? (road.z[iy * (road.nx ?? 0) + ix] ?? 0) : 0;
}

function reliefPoint(road: Road, ix: number, iy: number, lift = 0): number[] {
  return [(road.x0 ?? 0) + ix * (road.dx ?? 1), (road.y0 ?? 0) + iy * (road.dy ?? 1), height(road, ix, iy) + lift];
}

function makeRelief(road: Road): THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> {
  const nx = road.nx ?? 0;
  const ny = road.ny ?? 0;
  const points: number[] = [];
  const triangles: number[] = [];
  for (let iy = 0; iy < ny; iy++) {
    for (let ix = 0; ix < nx; ix++) {
      points.push(...reliefPoint(road, ix, iy));
      if (ix + 1 === nx || iy + 1 === ny) continue;
      const k = iy * nx + ix;
      triangles.push(k, k + 1, k + nx + 1, k, k + nx + 1, k + nx);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ roughness: 0.95, side: THREE.DoubleSide }));
}

// lines across and along at steps that leave at most some eighty of each
function reliefLines(road: Road): THREE.BufferGeometry {
  const nx = road.nx ?? 0;
  const ny = road.ny ?? 0;
  const points: number[] = [];
  const stepX = Math.max(1, Math.ceil(nx / 160));
  const stepY = Math.max(1, Math.ceil(ny / 12));
  for (let ix = 0; ix < nx; ix += stepX)
    for (let iy = 0; iy + 1 < ny; iy++) points.push(...reliefPoint(road, ix, iy, 0.002), ...reliefPoint(road, ix, iy + 1, 0.002));
  for (let iy = 0; iy < ny; iy += stepY)
    for (let ix = 0; ix + 1 < nx; ix++) points.push(...reliefPoint(road, ix, iy, 0.002), ...reliefPoint(road, ix + 1, iy, 0.002));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}

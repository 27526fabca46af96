// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The floor: a plane with a grid in metres that fades out, or the road of the scene.
import * as THREE from "three";
import type { Road } from "../data/header";
import type { Quality } from "../view/quality";
import { makeInstancedLines, makeInstances, type InstancedLines } from "./instances";
import type { SceneColours } from "./palette";
import { Surface } from "./surface";

// how far the floor goes, in sizes of the machine
const REACH = 9;

// places in units of the grid; the disc fades from ring to ring
const VERTEX = `
attribute float strength;
varying vec2 place;
varying float fade;
uniform float spacing;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy / spacing;
  fade = strength;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// lines of constant width on the screen: distance to the next line over what a pixel covers. Colours are those of the
// screen already, and all is kept short: the floor fills most of the picture.
const FRAGMENT = `
varying vec2 place;
varying float fade;
uniform vec3 fill, minor, major;
uniform float lines;
float line(vec2 at, vec2 pixel, float width) {
  vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 calm = clamp(1.5 - 2.2 * pixel, 0.0, 1.0);
  vec2 strength = clamp(width + 0.5 - near, 0.0, 1.0) * calm;
  return max(strength.x, strength.y);
}
void main() {
  vec2 pixel = fwidth(place);
  vec3 colour = mix(fill, minor, 0.42 * lines * line(place, pixel, 0.6));
  colour = mix(colour, major, 0.55 * lines * line(0.1 * place, 0.1 * pixel, 0.7));
  gl_FragColor = vec4(colour, fade);
}`;

export class Ground {
  readonly group = new THREE.Group();
  private readonly floor: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.BufferGeometry, THREE.ShadowMaterial>;
  private readonly relief: THREE.InstancedMesh | null;
  private lines: InstancedLines | null = null;
  private readonly surface = new Surface({ offset: 0, ghost: false });

  constructor(
    private readonly road: Road | null,
    height: number,
    private readonly size: number,
  ) {
    const disc = fadingDisc();
    this.floor = new THREE.Mesh(disc, floorMaterial(size));
    this.shade = new THREE.Mesh(disc, new THREE.ShadowMaterial({ opacity: 0.3 }));
    this.relief = road?.type === "grid" ? makeRelief(road, this.surface.material(false)) : null;
    this.floor.renderOrder = -2;
    this.shade.renderOrder = -1;
    this.shade.receiveShadow = true;
    this.shade.material.polygonOffset = true;
    this.shade.material.polygonOffsetFactor = -1;
    for (const mesh of [this.floor, this.shade]) {
      mesh.scale.setScalar(REACH * size);
      mesh.position.z = height;
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
    if (this.relief) this.addRelief(this.relief);
  }

  /** Keep the floor under what one looks at. */
  moveTo(centre: THREE.Vector3): void {
    for (const mesh of [this.floor, this.shade]) mesh.position.set(centre.x, centre.y, mesh.position.z);
  }

  recolour(colours: SceneColours): void {
    const uniforms = this.floor.material.uniforms;
    const set = (name: string, colour: string): void => uniforms[name].value.setStyle(colour).convertLinearToSRGB();
    set("fill", this.road && !this.relief ? colours.road : colours.ground);
    set("minor", colours.gridMinor);
    set("major", colours.gridMajor);
    this.shade.material.opacity = colours.shadow;
    this.relief?.setColorAt(0, new THREE.Color(colours.road));
    if (this.relief?.instanceColor) this.relief.instanceColor.needsUpdate = true;
  }

  // a road with heights lies on a plain floor, which must not cut through it
  private addRelief(relief: THREE.Mesh): void {
    relief.geometry.computeBoundingBox();
    this.floor.position.z = (relief.geometry.boundingBox?.min.z ?? 0) - 0.05 * this.size;
    this.floor.material.uniforms["lines"].value = 0;
    relief.receiveShadow = true;
    relief.raycast = () => {};
    this.group.add(relief);
    const lines = (this.lines = makeInstancedLines(reliefLines(this.road as Road), new THREE.LineBasicMaterial({ color: "#7c8792", transparent: true, opacity: 0.35 }), 1));
    new THREE.Matrix4().toArray(lines.instanceMatrix.array);
    this.group.add(lines);
  }

  setQuality({ shadows, detail }: Quality): void {
    this.shade.visible = shadows && !this.relief;
    if (this.relief) this.relief.material = this.surface.material(shadows);
    if (this.lines) this.lines.visible = detail === "fine";
  }
}

// rings about the middle, strong within and gone at radius 1
function fadingDisc(): THREE.BufferGeometry {
  const disc = new THREE.RingGeometry(0, 1, 48, 12);
  const { position } = disc.attributes;
  const strength = Float32Array.from({ length: position.count }, (_, k) => {
    const radius = Math.hypot(position.getX(k), position.getY(k));
    return 1 - THREE.MathUtils.smoothstep(radius, 0.1, 1);
  });
  disc.setAttribute("strength", new THREE.BufferAttribute(strength, 1));
  return disc;
}

function floorMaterial(size: number): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: {
      fill: { value: new THREE.Color() },
      minor: { value: new THREE.Color() },
      major: { value: new THREE.Color() },
      lines: { value: 1 },
      spacing: { value: gridSpacing(size) },
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

// as instances of one, so that it shares the shaders of the bodies
function makeRelief(road: Road, material: THREE.Material): THREE.InstancedMesh {
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
  const mesh = makeInstances(geometry, material, 1);
  mesh.setMatrixAt(0, new THREE.Matrix4());
  return mesh;
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

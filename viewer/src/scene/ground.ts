// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The floor: a plane with a grid in metres that fades out, and on it the road of the scene.
import * as THREE from "three";
import type { Road } from "../data/header";
import type { Quality } from "../view/quality";
import { makeInstancedLines, release, type InstancedLines } from "./instances";
import { diagonal, type Extent } from "./framing";
import type { SceneColours } from "./palette";
import { carriageway, LANE, LINE, makeRelief, reliefLines, reliefMarks } from "./road";
import { Surface } from "./surface";

// how far the floor goes, in sizes of the machine
const REACH = 9;

// places in units of the grid; the disc fades from ring to ring
const VERTEX = `
attribute float strength;
varying vec2 place, metres;
varying float fade;
uniform float spacing;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  metres = world.xy;
  place = world.xy / spacing;
  fade = strength;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Lines of constant width on the screen: distance to the next line over what a pixel covers. Lines of a road are as wide
// as they are. Colours are colours of the screen already, and all is kept short: the floor fills most of the picture.
const FRAGMENT = `
varying vec2 place, metres;
varying float fade;
uniform vec3 fill, minor, major, asphalt, paint;
uniform vec4 road;
uniform float lines, divide;
float line(vec2 at, vec2 pixel, float width) {
  vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 calm = clamp(1.5 - 2.2 * pixel, 0.0, 1.0);
  vec2 strength = clamp(width + 0.5 - near, 0.0, 1.0) * calm;
  return max(strength.x, strength.y);
}
vec2 band(vec2 away, vec2 pixel) {
  return clamp((${(LINE / 2).toFixed(3)} - abs(away)) / pixel + 0.5, 0.0, 1.0) * min(vec2(1.0), ${LINE.toFixed(3)} / pixel);
}
void main() {
  vec2 pixel = fwidth(place);
  float inside = 0.0;
  float painted = 0.0;
  if (road.x < road.y) {
    vec2 fine = fwidth(metres);
    vec2 within = min(metres - road.xz, road.yw - metres);
    vec2 covered = clamp(within / fine + 0.5, 0.0, 1.0);
    inside = covered.x * covered.y;
    vec2 border = band(within - 0.3, fine);
    float off = metres.y - road.z;
    float dash = divide * step(fract(metres.x / 9.0), 0.3333) * band(vec2(off - ${LANE.toFixed(1)} * floor(off / ${LANE.toFixed(1)} + 0.5)), fine).y;
    dash *= step(1.0, min(off, road.w - metres.y));
    painted = inside * max(dash, max(border.x, border.y));
  }
  float grid = lines * (1.0 - 0.6 * inside);
  vec3 colour = mix(fill, asphalt, inside);
  colour = mix(colour, minor, 0.42 * grid * line(place, pixel, 0.6));
  colour = mix(colour, major, 0.55 * grid * line(0.1 * place, 0.1 * pixel, 0.7));
  gl_FragColor = vec4(mix(colour, paint, painted), fade);
}`;

export class Ground {
  readonly group = new THREE.Group();
  private readonly floor: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.BufferGeometry, THREE.ShadowMaterial>;
  private readonly relief: THREE.InstancedMesh | null;
  private lines: InstancedLines | null = null;
  private marks: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> | null = null;
  private readonly surface = new Surface({ offset: 0, ghost: false });

  constructor(
    private readonly road: Road | null,
    height: number,
    size: number,
    extent: Extent,
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
      mesh.scale.setScalar(Math.max(REACH * size, extent.travels ? diagonal(extent.whole) : 0));
      mesh.position.z = height;
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
    const { uniforms } = this.floor.material;
    if (this.relief) this.addRelief(this.relief, extent);
    else if (road) carriageway(extent, uniforms["road"].value, uniforms["divide"]);
  }

  dispose(): void {
    release(this.group, true);
    this.surface.dispose();
  }

  /** Keep the floor under what one looks at. */
  moveTo(centre: THREE.Vector3): void {
    for (const mesh of [this.floor, this.shade]) mesh.position.set(centre.x, centre.y, mesh.position.z);
  }

  recolour(colours: SceneColours): void {
    const uniforms = this.floor.material.uniforms;
    const set = (name: string, colour: string): void => uniforms[name].value.setStyle(colour).convertLinearToSRGB();
    set("fill", colours.ground);
    set("asphalt", colours.road);
    set("paint", colours.paint);
    set("minor", colours.gridMinor);
    set("major", colours.gridMajor);
    this.shade.material.opacity = colours.shadow;
    this.relief?.setColorAt(0, new THREE.Color(colours.road));
    if (this.relief?.instanceColor) this.relief.instanceColor.needsUpdate = true;
    this.marks?.material.color.set(colours.paint);
  }

  // a road with heights lies on a plain floor, which must not cut through it
  private addRelief(relief: THREE.Mesh, extent: Extent): void {
    relief.geometry.computeBoundingBox();
    this.floor.position.z = (relief.geometry.boundingBox?.min.z ?? 0) - 0.01;
    this.floor.material.uniforms["lines"].value = 0;
    relief.receiveShadow = true;
    relief.raycast = () => {};
    this.group.add(relief);
    const lines = (this.lines = makeInstancedLines(reliefLines(this.road as Road), new THREE.LineBasicMaterial({ color: "#7c8792", transparent: true, opacity: 0.35 }), 1));
    new THREE.Matrix4().toArray(lines.instanceMatrix.array);
    const marks = (this.marks = new THREE.Mesh(reliefMarks(this.road as Road, extent), new THREE.MeshBasicMaterial({ polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 })));
    marks.raycast = () => {};
    this.group.add(lines, marks);
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
      asphalt: { value: new THREE.Color() },
      paint: { value: new THREE.Color() },
      // x from, to; y from, to: nothing
      road: { value: new THREE.Vector4(1, -1, 1, -1) },
      divide: { value: 0 },
      lines: { value: 1 },
      spacing: { value: gridSpacing(size) },
    },
  });
}

/** A power of ten, about a tenth of the machine: ten of them make a bold line. */
export function gridSpacing(size: number): number {
  return 10 ** Math.round(Math.log10(size / 12));
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The paint of bodies: light reckoned at the corners, quick to draw, or at every pixel and with shadows.
import * as THREE from "three";
import type { SceneColours } from "./palette";

/** Where the sun stands. */
export const SUN = new THREE.Vector3(0.45, -0.35, 1).normalize();

// light of both kinds of paint: from sky and ground by how far up a face looks, from the sun by the cosine to it
const LIGHT = { skyLight: { value: new THREE.Color() }, groundLight: { value: new THREE.Color() }, sunLight: { value: 0 }, sun: { value: SUN } };

/** Take the light of a theme. */
export function setLight({ skyLight, groundLight, skyStrength, sunStrength }: SceneColours): void {
  LIGHT.skyLight.value.set(skyLight).multiplyScalar(skyStrength);
  LIGHT.groundLight.value.set(groundLight).multiplyScalar(skyStrength);
  LIGHT.sunLight.value = sunStrength;
}

// the same sum of lights as in three's Lambert material, then brought to the screen's scale of brightness, here and
// not in every pixel. Matrices turn and scale along the axes: normals turn too and scale by the inverse.
const VERTEX = `
uniform vec3 skyLight, groundLight, sun;
uniform float sunLight;
varying vec3 shade;
#ifndef USE_INSTANCING
attribute vec3 paint;
#endif
void main() {
#ifdef USE_INSTANCING
  vec4 world = instanceMatrix * vec4(position, 1.0);
  mat3 turn = mat3(instanceMatrix);
  vec3 up = normalize(turn * (normal / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]))));
  vec3 paint = instanceColor;
#else
  vec4 world = vec4(position, 1.0);
  vec3 up = normalize(normal);
#endif
  vec3 light = mix(groundLight, skyLight, 0.5 + 0.5 * up.z) + sunLight * max(dot(up, sun), 0.0);
  shade = pow(paint * light * 0.31831, vec3(0.4545));
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = `
uniform float opacity;
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, opacity);
}`;

export interface SurfaceStyle {
  /** How far behind its edges a surface lies, and whether others show through it. */
  offset: number;
  ghost: boolean;
}

/** The paint of bodies that one looks through: they hide nothing behind them. */
export function glassMaterial(): THREE.Material {
  const uniforms = { ...LIGHT, opacity: { value: 0.16 } };
  return new THREE.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false });
}

/** Both paints of one run. */
export class Surface {
  private readonly quick: THREE.ShaderMaterial;
  private readonly shadowed: THREE.MeshLambertMaterial;

  constructor({ offset, ghost }: SurfaceStyle) {
    const shared = { transparent: ghost, polygonOffset: offset > 0, polygonOffsetFactor: offset, polygonOffsetUnits: ghost ? 8 : offset };
    this.quick = new THREE.ShaderMaterial({ ...shared, uniforms: { ...LIGHT, opacity: { value: 1 } }, vertexShader: VERTEX, fragmentShader: FRAGMENT });
    this.shadowed = new THREE.MeshLambertMaterial(shared);
  }

  material(shadows: boolean): THREE.Material {
    return shadows ? this.shadowed : this.quick;
  }

  dispose(): void {
    this.quick.dispose();
    this.shadowed.dispose();
  }

  setOpacity(opacity: number, depthWrite: boolean): void {
    Object.assign(this.shadowed, { opacity, depthWrite });
    this.quick.uniforms["opacity"].value = opacity;
    this.quick.depthWrite = depthWrite;
  }
}

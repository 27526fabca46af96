// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Canvas, camera, light and floor, and the pictures of runs laid over one another or side by side.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Quality } from "../view/quality";
import type { CameraState } from "../view/state";
import { diagonal, distanceToSee, viewDirection } from "./framing";
import { Ground } from "./ground";
import { SCENE_COLOURS, type SceneColours } from "./palette";
import type { RunView } from "./run-view";
import { setLight, SUN } from "./surface";

THREE.Object3D.DEFAULT_UP.set(0, 0, 1);

const FIELD_OF_VIEW = 32;

function makeRenderer(): THREE.WebGLRenderer {
  try {
    return new THREE.WebGLRenderer({ powerPreference: "high-performance" });
  } catch {
    throw new Error(
      "This browser draws no 3-D graphics here (WebGL 2). Switch on hardware acceleration or WebGL in its settings, or use another browser. " +
        "Without it, 'articula report RESULT' makes a page of pictures and plots, and 'articula plot RESULT CHANNEL' draws curves.",
    );
  }
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  private readonly parallel = new THREE.OrthographicCamera();
  /** Whether pictures have no perspective. */
  flat = false;
  readonly controls: OrbitControls;
  colours: SceneColours = SCENE_COLOURS.light;
  private readonly scene = new THREE.Scene();
  private readonly sky = new THREE.HemisphereLight();
  private readonly sun = new THREE.DirectionalLight();
  private ground: Ground | null = null;
  private views: RunView[] = [];
  private size = 1;
  private readonly followed = new THREE.Vector3();
  private readonly observer: ResizeObserver;

  constructor(
    readonly host: HTMLElement,
    onChange: () => void,
  ) {
    this.renderer = makeRenderer();
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.renderer.autoClear = false;
    // asking after each shader whether it is good makes the first picture wait for all of them
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "The machine");
    host.prepend(this.renderer.domElement);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", onChange);
    this.controls.zoomToCursor = true;
    this.setUpLight();
    this.recolour("light");
    this.observer = new ResizeObserver(() => this.resize() && onChange());
    this.observer.observe(host);
  }

  /** Give back the graphics and all listeners. */
  stop(): void {
    this.observer.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.renderer.domElement.remove();
  }

  /** Put the runs on the stage; the first gives size and floor. */
  setRuns(views: RunView[]): void {
    this.scene.remove(...this.views.map((view) => view.group));
    if (this.ground) this.scene.remove(this.ground.group);
    this.ground?.dispose();
    this.views = views;
    const [first] = views;
    this.size = first.size;
    this.camera.near = this.size / 200;
    this.camera.far = this.size * 400;
    this.controls.minDistance = this.size / 50;
    const { whole, travels } = first.extent;
    const far = travels ? diagonal(whole) : 0;
    this.controls.maxDistance = Math.max(40 * this.size, 4 * far);
    const road = first.run.header.road;
    const height = road ? 0 : whole.min.z - 0.02 * this.size;
    this.ground = new Ground(road, height, this.size, first.extent);
    this.scene.add(this.ground.group, ...views.map((view) => view.group));
    this.sizeShadow(travels ? 0.85 * this.size : 0.6 * whole.getSize(new THREE.Vector3()).length());
    this.ground.recolour(this.colours);
  }

  /** Draw so finely, with or without shadows; a finer grid than two pixels for one of the page shows nothing more. */
  setQuality(quality: Quality): void {
    const ratio = Math.min(quality.grain * window.devicePixelRatio, Math.max(2, window.devicePixelRatio));
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.sun.castShadow = quality.shadows;
    this.ground?.setQuality(quality);
    for (const view of this.views) view.setQuality(quality);
  }

  /** Pixels of the best picture. */
  get bestSize(): { width: number; height: number } {
    const { x, y } = this.renderer.getSize(new THREE.Vector2());
    const ratio = Math.max(2, window.devicePixelRatio);
    return { width: Math.floor(x * ratio), height: Math.floor(y * ratio) };
  }

  /** Wait until all that was asked for has been drawn. */
  async finished(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!sync) return;
    gl.flush();
    while (gl.clientWaitSync(sync, 0, 0) === gl.TIMEOUT_EXPIRED) await new Promise((resolve) => setTimeout(resolve, 2));
    gl.deleteSync(sync);
  }

  showGround(on: boolean): void {
    if (this.ground) this.ground.group.visible = on;
  }

  recolour(mode: "light" | "dark"): void {
    this.colours = SCENE_COLOURS[mode];
    const { background, skyLight, groundLight, skyStrength, sunStrength } = this.colours;
    this.scene.background = new THREE.Color(background);
    this.sky.color.set(skyLight);
    this.sky.groundColor.set(groundLight);
    this.sky.intensity = skyStrength;
    this.sun.intensity = sunStrength;
    setLight(this.colours);
    this.ground?.recolour(this.colours);
  }

  /** Look at a box, from a direction or from where the camera is. */
  frame(box: THREE.Box3, direction?: THREE.Vector3): void {
    const centre = box.getCenter(new THREE.Vector3());
    const from = direction ?? this.camera.position.clone().sub(this.controls.target).normalize();
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2));
    const { width, height } = this.host.getBoundingClientRect();
    const aspect = this.panels(width)[0].width / height;
    const free = 1 - Math.min(this.covered() / height, 0.4);
    const distance = Math.max(1.12 * distanceToSee(box, from, tangent * aspect, tangent * free, this.flat), 0.05 * this.size);
    const up = from.clone().cross(new THREE.Vector3(0, 0, 1).cross(from).normalize());
    this.controls.target.copy(centre).addScaledVector(up, (1 - free) * distance * tangent);
    this.camera.position.copy(this.controls.target).addScaledVector(from, distance);
    this.controls.update();
  }

  // px at the top that switches lie over
  private covered(): number {
    const bar = this.host.querySelector(".overlay-bar")?.getBoundingClientRect();
    return bar ? Math.max(0, bar.bottom - this.host.getBoundingClientRect().top) : 0;
  }

  /** The first view shows all of the motion, of a machine that drives away its start. */
  get framed(): THREE.Box3 {
    const { start, whole, travels } = this.views[0].extent;
    return travels ? start : whole;
  }

  frameDefault(): void {
    this.frame(this.framed, viewDirection(this.framed));
  }

  get cameraState(): CameraState {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  set cameraState(state: CameraState) {
    this.camera.position.fromArray(state.position);
    this.controls.target.fromArray(state.target);
    this.controls.update();
  }

  /** Begin to go along with a point. */
  startFollowing(point: THREE.Vector3): void {
    this.followed.copy(point);
  }

  /** Go along with the point: camera and target move as it did. */
  follow(point: THREE.Vector3): void {
    const moved = point.clone().sub(this.followed);
    this.followed.copy(point);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.controls.update();
  }

  private readonly caster = new THREE.Raycaster();

  // the ray through a place of the canvas, and the panel there
  private aim(x: number, y: number): { views: RunView[] } {
    const rectangle = this.renderer.domElement.getBoundingClientRect();
    const panels = this.panels(rectangle.width);
    const panel = panels.find(({ left, width }) => x >= left && x < left + width) ?? panels[0];
    const place = new THREE.Vector2((2 * (x - panel.left)) / panel.width - 1, 1 - (2 * y) / rectangle.height);
    this.setAspect(panel.width / rectangle.height);
    this.caster.setFromCamera(place, this.lens);
    return panel;
  }

  /** The ray of sight through a place of the canvas, in pixels from its corner. */
  ray(x: number, y: number): THREE.Ray {
    this.aim(x, y);
    return this.caster.ray;
  }

  /** Put something into the scene that belongs to no run. */
  add(object: THREE.Object3D): void {
    this.scene.add(object);
  }

  /** The part under a place of the canvas, in pixels from its corner. */
  pick(x: number, y: number): { view: RunView; hit: THREE.Intersection } | null {
    const panel = this.aim(x, y);
    for (const view of panel.views) {
      const hits = this.caster.intersectObject(view.group, true);
      const hit = hits.find(({ object }) => !view.meshes.isGlass(object)) ?? hits[0];
      if (hit) return { view, hit };
    }
    return null;
  }

  sideBySide = false;

  render(): void {
    const { width, height } = this.host.getBoundingClientRect();
    this.ground?.moveTo(this.controls.target);
    this.lightAround(this.shadowCentre());
    this.renderer.setScissorTest(true);
    for (const panel of this.panels(width)) {
      for (const view of this.views) view.group.visible = panel.views.includes(view);
      this.renderer.setViewport(panel.left, 0, panel.width, height);
      this.renderer.setScissor(panel.left, 0, panel.width, height);
      this.setAspect(panel.width / height);
      this.renderer.render(this.scene, this.lens);
    }
    for (const view of this.views) view.group.visible = this.shown.includes(view);
  }

  /** The runs that are not hidden. */
  shown: RunView[] = [];

  /** Where a point of the scene is on the canvas, in pixels, in the first panel; null behind the camera. */
  project(point: THREE.Vector3): { x: number; y: number } | null {
    const { width, height } = this.host.getBoundingClientRect();
    const [panel] = this.panels(width);
    const place = point.clone().project(this.lens);
    if (Math.abs(place.z) > 1) return null;
    return { x: panel.left + ((place.x + 1) * panel.width) / 2, y: ((1 - place.y) * height) / 2 };
  }

  private panels(width: number): { left: number; width: number; views: RunView[] }[] {
    if (!this.sideBySide || this.shown.length < 2) return [{ left: 0, width, views: this.shown }];
    const part = width / this.shown.length;
    return this.shown.map((view, index) => ({ left: index * part, width: part, views: [view] }));
  }

  private setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  // without perspective from the same eye: what is as far as the target has the same size. It cuts nothing in front.
  private get lens(): THREE.Camera {
    if (!this.flat) return this.camera;
    const { camera, parallel } = this;
    const half = camera.position.distanceTo(this.controls.target) * Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2));
    Object.assign(parallel, { left: -half * camera.aspect, right: half * camera.aspect, top: half, bottom: -half, near: -camera.far, far: camera.far });
    parallel.position.copy(camera.position);
    parallel.quaternion.copy(camera.quaternion);
    parallel.updateProjectionMatrix();
    parallel.updateMatrixWorld();
    return parallel;
  }

  private setUpLight(): void {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  private sizeShadow(reach: number): void {
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 6 * reach });
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.002 * reach;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 5;
    this.shadowReach = reach;
  }

  private shadowReach = 1;

  private shadowCentre(): THREE.Vector3 {
    const [first] = this.views;
    return first && !first.extent.travels ? first.extent.whole.getCenter(new THREE.Vector3()) : this.controls.target;
  }

  private lightAround(centre: THREE.Vector3): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN, 3 * this.shadowReach);
  }

  /** Fill the place on the page; false where the canvas does already. */
  resize(): boolean {
    const { width, height } = this.host.getBoundingClientRect();
    const now = this.renderer.getSize(new THREE.Vector2());
    if (width < 1 || height < 1 || (width === now.x && height === now.y)) return false;
    this.renderer.setSize(width, height);
    this.setAspect(width / height);
    return true;
  }
}

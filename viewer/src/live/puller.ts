// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pulling a body with the pointer: a spring from the point that was gripped to the pointer, in the plane of the screen.
import * as THREE from "three";
import type { Director } from "../scene/director";
import type { Session } from "../view/session";
import type { Grip, LiveSource } from "./live-source";

export class Puller {
  private readonly plane = new THREE.Plane();
  private readonly line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ color: 0xe8590c, depthTest: false }));
  private grip: Grip | null = null;

  constructor(
    private readonly session: Session,
    private readonly director: Director,
    private readonly source: LiveSource,
  ) {
    const canvas = director.stage.renderer.domElement;
    this.line.renderOrder = 9;
    this.line.visible = false;
    this.line.frustumCulled = false;
    director.stage.add(this.line);
    // a finger has no shift key
    if (matchMedia("(pointer: coarse)").matches) session.store.update({ tool: "pull" });
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, () => this.letGo());
  }

  /** Grip the body under a place of the canvas; false where there is none. */
  gripAt(x: number, y: number): boolean {
    const { stage } = this.director;
    const found = stage.pick(x, y);
    const selection = found && found.view.run.machine ? found.view.selectionOf(found.hit) : null;
    if (!found || selection?.kind !== "body") return false;
    const { body, point } = this.director.pointOf(found.view, selection.index, found.hit.point);
    this.plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new THREE.Vector3()), found.hit.point);
    this.grip = { body, point, target: this.inGround(found.hit.point) };
    this.source.hold(this.grip);
    this.session.store.update({ playing: true, time: this.source.times[this.source.frames - 1] });
    return true;
  }

  /** Bring the far end of the spring to a place of the canvas. */
  pullTo(x: number, y: number): void {
    const place = this.grip && this.director.stage.ray(x, y).intersectPlane(this.plane, new THREE.Vector3());
    if (!this.grip || !place) return;
    this.grip = { ...this.grip, target: this.inGround(place) };
    this.source.hold(this.grip);
    this.draw(place);
  }

  letGo(): void {
    if (!this.grip) return;
    this.grip = null;
    this.source.hold(null);
    this.line.visible = false;
    this.director.stage.controls.enabled = true;
  }

  private take(event: PointerEvent): void {
    const wanted = event.shiftKey || this.session.store.state.tool === "pull";
    if (!wanted || !event.isPrimary || event.button !== 0 || !this.gripAt(event.offsetX, event.offsetY)) return;
    this.director.stage.controls.enabled = false;
    this.director.stage.renderer.domElement.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  private move(event: PointerEvent): void {
    if (this.grip) this.pullTo(event.offsetX, event.offsetY);
  }

  // the scene stands upright, ground's axes need not
  private inGround(point: THREE.Vector3): [number, number, number] {
    const [w, x, y, z] = this.director.upright;
    return point.clone().applyQuaternion(new THREE.Quaternion(-x, -y, -z, w)).toArray();
  }

  private draw(end: THREE.Vector3): void {
    const from = this.director.partPoint(this.grip!.body, this.grip!.point);
    this.line.geometry.setFromPoints([from, end]);
    this.line.visible = true;
  }
}

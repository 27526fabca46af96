// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pulling a body with the pointer: a spring from the point that was gripped to the pointer, in the plane of the screen.
import * as THREE from "three";
import type { Director } from "../scene/director";
import { listenToHand, type Hand } from "../scene/grips";
import type { Session } from "../view/session";
import type { Grip, LiveSource } from "./live-source";

export class Puller implements Hand {
  private readonly plane = new THREE.Plane();
  private readonly line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ color: 0xe8590c, depthTest: false }));
  private grip: Grip | null = null;

  constructor(
    private readonly session: Session,
    private readonly director: Director,
    private readonly source: LiveSource,
  ) {
    this.line.renderOrder = 9;
    this.line.visible = false;
    this.line.frustumCulled = false;
    director.stage.add(this.line);
    // a finger has no shift key
    if (matchMedia("(pointer: coarse)").matches) session.store.update({ tool: "pull" });
    listenToHand(director.stage, this, (event) => event.shiftKey || session.store.state.tool === "pull");
  }

  /** Grip the body under a place of the canvas; false where there is none. */
  gripAt(x: number, y: number): boolean {
    const { stage } = this.director;
    const found = stage.pick(x, y);
    const selection = found && found.view.run.machine ? found.view.selectionOf(found.hit) : null;
    if (!found || selection?.kind !== "body") return false;
    const { body, point } = this.director.pointOf(found.view, selection.index, found.hit.point);
    this.plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new THREE.Vector3()), found.hit.point);
    this.grip = { body, point, target: this.director.inGround(found.hit.point) };
    this.source.hold(this.grip);
    this.session.store.update({ playing: true, time: this.source.times[this.source.frames - 1] });
    return true;
  }

  /** Bring the far end of the spring to a place of the canvas. */
  pullTo(x: number, y: number): void {
    const place = this.grip && this.director.stage.ray(x, y).intersectPlane(this.plane, new THREE.Vector3());
    if (!this.grip || !place) return;
    this.grip = { ...this.grip, target: this.director.inGround(place) };
    this.source.hold(this.grip);
    this.draw(place);
  }

  letGo(): void {
    if (!this.grip) return;
    this.grip = null;
    this.source.hold(null);
    this.line.visible = false;
  }

  private draw(end: THREE.Vector3): void {
    const from = this.director.partPoint(this.grip!.body, this.grip!.point);
    this.line.geometry.setFromPoints([from, end]);
    this.line.visible = true;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies that are gripped in the scene and drawn along by the pointer, while the camera stands still.
import type { Stage } from "./stage";

/** Events of a body under the hand; places are pixels of the canvas. */
export interface Hand {
  /** Grip what is there; false where nothing is. */
  gripAt(x: number, y: number): boolean;
  pullTo(x: number, y: number): void;
  letGo(): void;
}

/** Listen to the pointer of a stage; `wanted` says whether a press grips bodies at all. */
export function listenToHand(stage: Stage, hand: Hand, wanted: (event: PointerEvent) => boolean): void {
  const canvas = stage.renderer.domElement;
  let holds = false;
  const take = (event: PointerEvent): void => {
    if (!wanted(event) || !event.isPrimary || event.button !== 0 || !hand.gripAt(event.offsetX, event.offsetY)) return;
    holds = true;
    stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const letGo = (): void => {
    if (!holds) return;
    holds = false;
    stage.controls.enabled = true;
    hand.letGo();
  };
  canvas.addEventListener("pointerdown", take, { capture: true });
  canvas.addEventListener("pointermove", (event) => holds && hand.pullTo(event.offsetX, event.offsetY));
  for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, letGo);
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A body of a machine before any run, drawn along by hand: the point that was gripped stays below the pointer as far as
// joints let it.
import type { Director } from "../scene/director";
import { listenToHand, type Hand } from "../scene/grips";
import type { Session } from "../view/session";
import type { BodyPoint } from "../view/state";
import type { JointsPanel } from "./joints-panel";

export class JointDragger implements Hand {
  private grip: BodyPoint | null = null;

  constructor(
    { store }: Session,
    private readonly director: Director,
    private readonly panel: JointsPanel,
  ) {
    listenToHand(director.stage, this, (event) => event.shiftKey || store.state.tool === "pull");
  }

  gripAt(x: number, y: number): boolean {
    const found = this.director.stage.pick(x, y);
    const selection = found && found.view.selectionOf(found.hit);
    if (!found || selection?.kind !== "body" || found.view.run.index > 0) return false;
    this.grip = this.director.pointOf(found.view, selection.index, found.hit.point);
    return true;
  }

  pullTo(x: number, y: number): void {
    if (!this.grip) return;
    const { origin, direction } = this.director.stage.ray(x, y);
    this.panel.pull({ ...this.grip, origin: this.director.inGround(origin), direction: this.director.inGround(direction) });
  }

  letGo(): void {
    this.grip = null;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Switches over the scene: what is drawn besides the bodies, and the ways to look.
import { h } from "../view/dom";
import { referenceRun, type Session } from "../view/session";
import type { Overlay } from "../view/state";

export type ViewName = "corner" | "front" | "side" | "top";

const SWITCHES: [Overlay, string, string][] = [
  ["axes", "Axes", "Joint axes (A)"],
  ["frames", "Frames", "Frames of the bodies (B)"],
  ["com", "Centres", "Centres of mass (C)"],
  ["forces", "Forces", "Forces, torques and contacts (V)"],
  ["reactions", "Reactions", "Reactions of the joints (R)"],
  ["trails", "Trails", "Paths of points (T)"],
  ["ground", "Ground", "Ground and road (G)"],
  ["shadows", "Shadows", "Shadows where pictures come fast enough (H)"],
];

const VIEWS: [ViewName, string, string][] = [
  ["corner", "Corner", "From the corner (1)"],
  ["front", "Front", "From the front, along x (2)"],
  ["side", "Side", "From the side, along y (3)"],
  ["top", "Top", "From above (4)"],
];

export class OverlayBar {
  readonly element: HTMLElement;
  private readonly switches = new Map<Overlay, HTMLElement>();
  private readonly scale: HTMLElement;

  constructor(
    private readonly session: Session,
    onView: (view: ViewName) => void,
    onFit: () => void,
  ) {
    const { store } = session;
    const has = referenceRun(session).header.vectors.map((vector) => vector.kind);
    for (const [overlay, text, title] of SWITCHES) {
      const button = h("button", { class: "switch", id: `show-${overlay}`, title, onclick: () => store.toggleOverlay(overlay) }, text);
      if (overlay === "forces" && !has.some((kind) => kind !== "reaction")) button.hidden = true;
      if (overlay === "reactions" && !has.includes("reaction")) button.hidden = true;
      this.switches.set(overlay, button);
    }
    this.scale = this.arrowScale();
    this.element = h(
      "div",
      { class: "overlay-bar" },
      h("div", { class: "group" }, ...this.switches.values()),
      this.scale,
      h(
        "div",
        { class: "group" },
        h("button", { class: "switch", id: "fit", title: "Whole machine (0)", onclick: onFit }, "Fit"),
        ...VIEWS.map(([view, text, title]) => h("button", { class: "switch", id: `view-${view}`, title, onclick: () => onView(view) }, text)),
      ),
    );
    store.on(["overlays", "arrowScale"], () => this.show());
    this.show();
  }

  private show(): void {
    const { overlays } = this.session.store.state;
    for (const [overlay, button] of this.switches) button.setAttribute("aria-pressed", String(overlays.has(overlay)));
    this.scale.hidden = !overlays.has("forces") && !overlays.has("reactions");
  }

  private arrowScale(): HTMLElement {
    const { store } = this.session;
    const value = Math.log10(store.state.arrowScale);
    const slider = h("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value, "aria-label": "Length of the arrows" });
    slider.addEventListener("input", () => store.update({ arrowScale: 10 ** Number(slider.value) }));
    return h("label", { class: "group arrow-scale", title: "Length of the arrows" }, "Arrows", slider);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Switches over the scene: what is drawn besides the bodies, and the ways to look.
import { h } from "../view/dom";
import { canMove, computed, referenceRun, type Session } from "../view/session";
import type { Overlay, Tool } from "../view/state";

export type ViewName = "corner" | "front" | "side" | "top";

const SWITCHES: [Overlay, string, string][] = [
  ["axes", "Axes", "Joint axes (A)"],
  ["frames", "Frames", "Frames of the bodies (B)"],
  ["com", "Centres", "Centres of mass (C)"],
  ["forces", "Forces", "Forces and torques (V)"],
  ["contacts", "Contacts", "Contact points and their forces (Y)"],
  ["reactions", "Reactions", "Reactions of the joints (R)"],
  ["trails", "Trails", "Paths of points (T)"],
  ["ground", "Ground", "Ground and road (G)"],
  ["shadows", "Shadows", "Shadows where pictures come fast enough (H)"],
];

const VIEWS: [ViewName, string, string][] = [
  ["corner", "Corner", "From the corner, with perspective (1)"],
  ["front", "Front", "From the front, along x, without perspective (2)"],
  ["side", "Side", "From the side, along y, without perspective (3)"],
  ["top", "Top", "From above, without perspective (4)"],
];

export class OverlayBar {
  readonly element: HTMLElement;
  private readonly switches = new Map<Overlay, HTMLElement>();
  private readonly path: HTMLElement;
  private readonly flat: HTMLElement;
  private readonly tools: Map<Tool, HTMLElement>;

  constructor(
    private readonly session: Session,
    onView: (view: ViewName) => void,
    onFit: () => void,
    onPath: () => void,
  ) {
    const { store } = session;
    const has = referenceRun(session).header.vectors.map((vector) => vector.kind);
    for (const [overlay, text, title] of SWITCHES) {
      const button = h("button", { class: "switch", id: `show-${overlay}`, title, onclick: () => store.toggleOverlay(overlay) }, text);
      if (overlay === "forces" && !has.some((kind) => kind === "force" || kind === "torque")) button.hidden = true;
      if (overlay === "contacts" && !has.includes("contact")) button.hidden = true;
      if (overlay === "reactions" && !has.includes("reaction")) button.hidden = true;
      this.switches.set(overlay, button);
    }
    this.path = h("button", { class: "switch", id: "path", hidden: true, title: "Whole path of a machine that drives (5)", onclick: onPath }, "Path");
    this.flat = h("button", { class: "switch", id: "flat", title: "Without perspective (O)", onclick: () => store.update({ flat: !store.state.flat }) }, "Flat");
    this.tools = new Map([["measure", this.tool("measure", "Measure", "Distance of two points (M)")]]);
    if (computed(session)) this.tools.set("pull", this.tool("pull", "Pull", "Drag bodies by a spring (Q), or hold shift"));
    if (canMove(session)) this.tools.set("pull", this.tool("pull", "Move", "Drag bodies along their joints (Q), or hold shift"));
    this.element = h(
      "div",
      { class: "overlay-bar" },
      h("div", { class: "group" }, ...this.switches.values()),
      h("div", { class: "group" }, ...this.tools.values()),
      h(
        "div",
        { class: "group" },
        h("button", { class: "switch", id: "fit", title: "Whole machine (0)", onclick: onFit }, "Fit"),
        this.path,
        ...VIEWS.map(([view, text, title]) => h("button", { class: "switch", id: `view-${view}`, title, onclick: () => onView(view) }, text)),
        this.flat,
      ),
    );
    store.on(["overlays", "flat", "tool"], () => this.show());
    this.show();
  }

  /** Whether the machine goes a way that can be seen as a whole. */
  showPath(on: boolean): void {
    this.path.hidden = !on;
  }

  private show(): void {
    const { overlays, flat, tool } = this.session.store.state;
    this.flat.setAttribute("aria-pressed", String(flat));
    for (const [name, button] of this.tools) button.setAttribute("aria-pressed", String(name === tool));
    for (const [overlay, button] of this.switches) button.setAttribute("aria-pressed", String(overlays.has(overlay)));
  }

  private tool(name: Tool, text: string, title: string): HTMLElement {
    return h("button", { class: "switch", id: `tool-${name}`, title, onclick: () => this.session.store.toggleTool(name) }, text);
  }
}

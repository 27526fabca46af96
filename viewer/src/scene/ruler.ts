// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The distance of two points, each fixed in a body: a line in the scene, and its length and components while they move.
import * as THREE from "three";
import { h, replace } from "../view/dom";
import { icon } from "../view/icons";
import { steady } from "../view/numbers";
import { referenceRun, type Session } from "../view/session";
import type { BodyPoint } from "../view/state";
import { placeOf } from "./place";

const COLOUR = "#e8590c";

export class Ruler {
  readonly element = h("div", { class: "ruler", id: "ruler", hidden: true });
  readonly group = new THREE.Group();
  private readonly line = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
  private cells: HTMLElement[] = [];

  constructor(
    private readonly session: Session,
    private readonly placeInScene: (end: BodyPoint) => THREE.Vector3,
  ) {
    const shared = { color: COLOUR, depthTest: false, transparent: true };
    const parts = [new THREE.Line(this.line, new THREE.LineBasicMaterial(shared)), new THREE.Points(this.line, new THREE.PointsMaterial({ ...shared, size: 7, sizeAttenuation: false }))];
    for (const part of parts) Object.assign(part, { renderOrder: 8, frustumCulled: false, raycast: () => {} });
    this.group.add(...parts);
    session.store.on(["measure", "tool", "reference"], () => this.draw());
    this.draw();
  }

  /** Take a point: the first, the second, or the first of the next pair. */
  take(end: BodyPoint): void {
    const { store } = this.session;
    const { measure } = store.state;
    store.update({ measure: measure.length === 1 ? [...measure, end] : [end] });
  }

  /** Put the line where the points are. */
  place(): void {
    const ends = this.ends;
    this.group.visible = ends.length > 0;
    if (ends.length === 0) return;
    const places = ends.map(this.placeInScene);
    this.line.setFromPoints([places[0], places[places.length - 1]]);
  }

  /** Write the numbers of this instant. */
  refresh(): void {
    const run = referenceRun(this.session);
    const { ends } = this;
    if (ends.length < 2 || this.cells.length === 0) return;
    const [a, b] = ends.map(({ body, point }) => placeOf(run, body, point));
    const apart = [0, 1, 2].map((c) => b[c] - a[c]);
    [Math.hypot(...apart), ...apart].forEach((value, k) => (this.cells[k].textContent = steady(value, 4)));
  }

  // points of bodies that the run has
  private get ends(): BodyPoint[] {
    const { bodies } = referenceRun(this.session).header;
    return this.session.store.state.measure.filter(({ body }) => body < bodies.length);
  }

  private draw(): void {
    const { tool } = this.session.store.state;
    const { ends } = this;
    this.element.hidden = tool !== "measure" && ends.length < 2;
    this.cells = ends.length < 2 ? [] : [0, 1, 2, 3].map(() => h("td", { class: "number" }));
    const title = "Stop measuring";
    replace(
      this.element,
      h("header", {}, h("b", {}, ends.length < 2 ? "Measure" : ends.map(({ body }) => this.nameOf(body)).join(" → ")), h("button", { class: "tool small", title, "aria-label": title, onclick: () => this.close() }, icon("close"))),
      ends.length < 2 ? h("p", { class: "hint" }, ends.length === 0 ? "Click the first point. Joints and mass centres attract." : `From ${this.nameOf(ends[0].body)}. Click the second point.`) : this.table(),
    );
    this.refresh();
  }

  private table(): HTMLElement {
    const row = (name: string, k: number): HTMLElement => h("tr", {}, h("th", {}, name), this.cells[k], h("td", { class: "unit" }, "m"));
    return h("table", {}, h("tbody", {}, ...["distance", "along x", "along y", "along z"].map(row)));
  }

  private nameOf(body: number): string {
    return body < 0 ? "ground" : referenceRun(this.session).header.bodies[body].name;
  }

  private close(): void {
    this.session.store.update({ tool: "look", measure: [] });
  }
}

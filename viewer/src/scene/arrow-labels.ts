// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers at the tips of arrows: of the largest ones, so that they can be read.
import { h } from "../view/dom";
import { withUnit } from "../view/numbers";
import type { RunView } from "./run-view";
import type { Stage } from "./stage";

const MOST = 10;

// px between two numbers of which the smaller is left out
const APART = 18;

export class ArrowLabels {
  readonly element = h("div", { class: "arrow-labels", "aria-hidden": "true" });
  private readonly labels: HTMLElement[] = Array.from({ length: MOST }, () => h("span", { hidden: true }));

  constructor() {
    this.element.append(...this.labels);
  }

  /** Write the values of the arrows of a run where their tips are. */
  place(view: RunView, stage: Stage): void {
    const places: { x: number; y: number }[] = [];
    for (const { tip, value, unit, colour } of view.arrowTips()) {
      if (places.length === MOST) break;
      const at = stage.project(tip);
      if (!at || places.some(({ x, y }) => Math.abs(x - at.x) < 3 * APART && Math.abs(y - at.y) < APART)) continue;
      const label = this.labels[places.length];
      const text = withUnit(value, unit);
      if (label.textContent !== text) label.textContent = text;
      label.style.color = colour;
      label.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
      label.hidden = false;
      places.push(at);
    }
    for (let k = places.length; k < MOST; k++) this.labels[k].hidden = true;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The legend of arrows: their colours, the largest of the run, and how long they are drawn.
import type { ArrowKind } from "../scene/arrows";
import { h, replace } from "../view/dom";
import { withUnit } from "../view/numbers";
import type { Session } from "../view/session";

export class ArrowLegend {
  readonly element: HTMLElement;
  private readonly entries = h("div", { class: "entries" });

  constructor(session: Session) {
    const { store } = session;
    const slider = h("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: Math.log10(store.state.arrowScale), "aria-label": "Length of the arrows" });
    slider.addEventListener("input", () => store.update({ arrowScale: 10 ** Number(slider.value) }));
    this.element = h("div", { class: "arrow-legend", id: "arrow-legend", hidden: true }, this.entries, h("label", { title: "Length of the arrows" }, "Length", slider));
  }

  /** Say which kinds are drawn. */
  show(kinds: ArrowKind[]): void {
    this.element.hidden = kinds.length === 0;
    const entry = ({ title, unit, colour, largest }: ArrowKind): HTMLElement =>
      h("div", {}, h("i", { class: "stroke", style: `--colour:${colour}` }), h("span", {}, title), h("span", { class: "note" }, `up to ${withUnit(largest, unit)}`));
    replace(this.entries, ...kinds.map(entry));
  }
}

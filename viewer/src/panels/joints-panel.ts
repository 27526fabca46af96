// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine before any run: its independent coordinates by sliders, or its bodies by hand; the program closes the loops.
import type { Run } from "../data/run";
import { MovedTooFar, type JointCoordinate, type JointMover, type Moved, type Pull } from "../data/joint-mover";
import { h, replace } from "../view/dom";
import { readable } from "../view/numbers";

const HINT = "Drag bodies in the scene, or set the independent coordinates here; loops close by the others.";

export class JointsPanel {
  readonly element = h("div", { class: "panel machine", id: "joints" });
  private readonly note = h("p", { class: "hint", id: "joints-note", role: "status" });
  private readonly rows: { slider: HTMLInputElement; value: HTMLElement; reached: number }[] = [];
  private busy = false;
  private wish: (() => Promise<Moved>) | null = null;

  constructor(
    private readonly run: Run,
    private readonly source: JointMover,
    private readonly coordinates: JointCoordinate[],
    private readonly onMove: () => void,
    reason = "",
  ) {
    const reset = (): void => this.move(() => source.moveToStart(coordinates));
    const copy = (): void => {
      const lines = coordinates.map(({ name }, i) => `  ${name}: ${Number(this.rows[i].reached.toPrecision(8))}`);
      void navigator.clipboard?.writeText(`initial:\n${lines.join("\n")}\n`).then(
        () => this.say("The positions are on the clipboard, as a section of a model file.", false),
        () => this.say("The browser does not let this page write to the clipboard.", true),
      );
    };
    const rows = coordinates.map((coordinate) => this.row(coordinate));
    replace(
      this.element,
      h("div", { class: "actions" }, h("button", { class: "action", id: "joints-reset", onclick: reset }, "As in the file"), h("button", { class: "action", onclick: copy }, "Copy positions")),
      this.note,
      ...rows,
      rows.length === 0 && !reason && h("p", { class: "hint" }, "This machine has no coordinate that could be set by a number."),
    );
    this.say(reason ? `This page cannot move the machine: ${reason}. 'articula view' with the model file can.` : HINT, false);
  }

  /** Draw a body along by hand. */
  pull(wish: Pull): void {
    this.move(() => this.source.pull(wish, this.coordinates.length));
  }

  private row({ name, unit, value, lower, upper }: JointCoordinate): HTMLElement {
    // to the limits, else a turn or half the machine to both sides; a start beyond a limit is kept
    const reach = unit === "rad" ? Math.PI : 0.5 * (this.run.header.size ?? 1);
    const slider = h("input", { type: "range", min: Math.min(value, lower ?? value - reach), max: Math.max(value, upper ?? value + reach), step: "any", value, "aria-label": name });
    const shown = h("output", { class: "number" }, readable(value, 4));
    slider.value = String(value);
    slider.addEventListener("input", () => this.move(() => this.source.moveTo(this.rows.map((row) => Number(row.slider.value)))));
    this.rows.push({ slider, value: shown, reached: value });
    return h("label", { class: "slide", "data-name": name }, h("span", { class: "name", title: name }, name), shown, h("span", { class: "unit" }, unit), slider);
  }

  // one question at a time; the latest wish is asked next
  private move(wish: () => Promise<Moved>): void {
    this.wish = wish;
    if (!this.busy) void this.ask();
  }

  private async ask(): Promise<void> {
    this.busy = true;
    while (this.wish) {
      const { wish } = this;
      this.wish = null;
      try {
        const { values, poses } = await wish();
        this.run.posed = poses;
        values.forEach((value, i) => this.reach(i, value));
        this.say(HINT, false);
      } catch (error) {
        const { message } = error as Error;
        this.say(error instanceof MovedTooFar ? `It does not go there: ${message}` : message, true);
      }
      // where nothing else is wanted the sliders show what was reached
      if (!this.wish) this.rows.forEach(({ slider, reached }) => (slider.value = String(reached)));
      this.onMove();
    }
    this.busy = false;
  }

  private reach(i: number, value: number): void {
    this.rows[i].reached = value;
    this.rows[i].value.textContent = readable(value, 4);
  }

  private say(text: string, bad: boolean): void {
    this.note.textContent = text;
    this.note.classList.toggle("bad", bad);
  }
}

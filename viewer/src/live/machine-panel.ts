// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Controls of a machine that the page computes: inputs, parameters, initial values, beginning again, keeping runs.
import { searchBox } from "../panels/search-box";
import { curvesToCsv } from "../plots/csv";
import { h, replace, saveFile } from "../view/dom";
import { icon } from "../view/icons";
import { readable } from "../view/numbers";
import type { ModelFile } from "./embedded-machine";
import type { LiveSource } from "./live-source";
import type { Quantity, VectorName } from "./machine";

export interface MachineActions {
  /** Begin again, at other positions and velocities where they are given; false when loops do not close there. */
  begin(positions?: ArrayLike<number>, velocities?: ArrayLike<number>): boolean;
  /** Keep the run so far beside the next one; forget those that were kept. */
  keep(): void;
  forget(): void;
  kept: number;
  model: ModelFile | null;
  /** Names of the quantities that have sliders; none: all. */
  sliders: string[];
}

// ms that a message stays
const MESSAGE = 6000;

const plain = (x: number): string => readable(x, 6).replaceAll("−", "-");

export class MachinePanel {
  readonly element = h("div", { class: "panel machine", id: "machine" });
  private readonly note = h("p", { class: "hint", id: "machine-note", role: "status" });
  private readonly rows: HTMLElement[] = [];
  private quiet = 0;
  private readonly search = searchBox("Parameters and inputs", "parameter-filter", () => this.filter());

  constructor(
    private readonly source: LiveSource,
    private readonly actions: MachineActions,
  ) {
    const { machine } = source;
    const chosen = new Set(actions.sliders);
    const parts = (["inputs", "parameters"] as const).map((vector) => this.section(vector, machine.quantities(vector), chosen));
    replace(
      this.element,
      this.buttons(),
      this.note,
      machine.quantities("parameters").length > 12 && chosen.size === 0 && this.search.box,
      ...parts,
      this.initial(),
      h("p", { class: "hint" }, "Shift and drag pulls a body by a spring; with the switch Pull above the scene, drag alone."),
    );
    this.refresh();
  }

  /** Say how the machine does. */
  refresh(): void {
    const { failure, pace } = this.source;
    if (performance.now() < this.quiet) return;
    const going = pace > 0 ? `Computed in this page, ${readable(pace, 2)} times faster than real time.` : "Computed in this page.";
    const text = failure ? `The machine stopped: ${failure}. Begin again, or change what made it stop.` : going;
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.classList.toggle("bad", failure !== "");
  }

  private buttons(): HTMLElement {
    const { actions } = this;
    const button = (id: string, text: string, title: string, onclick: () => void): HTMLElement => h("button", { class: "action", id, title, onclick }, text);
    return h(
      "div",
      { class: "actions" },
      h("button", { class: "action", id: "begin", title: "Begin again with these parameters and inputs", onclick: () => actions.begin() }, icon("first"), "Begin again"),
      button("keep", "Keep run", "Keep this run to compare the next one with", actions.keep),
      actions.kept > 0 && button("forget", `Forget ${actions.kept}`, "Forget the runs that were kept", actions.forget),
      button("save-results", "Save results", "Save all channels, as far as frames are kept", () => void this.saveResults()),
      actions.model && button("save-model", "Save model", `Save ${actions.model.name}`, () => saveFile(actions.model!.name, new Blob([actions.model!.text]))),
    );
  }

  private async saveResults(): Promise<void> {
    const { source } = this;
    const times = source.times.slice();
    const columns = await Promise.all(source.header.channels.map(async ({ name, unit }, k) => ({ name, unit, times, values: await source.readChannel(k) })));
    saveFile("results.csv", new Blob([curvesToCsv(columns)], { type: "text/csv" }));
  }

  //---- sliders

  private section(vector: VectorName, quantities: Quantity[], chosen: ReadonlySet<string>): HTMLElement | null {
    const rows = quantities.flatMap((quantity, index) => (chosen.size === 0 || chosen.has(quantity.name) ? [this.row(vector, index, quantity)] : []));
    if (rows.length === 0) return null;
    const title = vector === "inputs" ? "Inputs" : "Parameters";
    return h("section", {}, h("h3", {}, title), ...rows);
  }

  private row(vector: VectorName, index: number, quantity: Quantity): HTMLElement {
    const { name, unit } = quantity;
    const value = this.source.machine.values(vector)[index];
    const [low, high] = reach(quantity);
    const slider = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": name });
    const field = h("input", { type: "text", inputmode: "decimal", class: "value", "aria-label": `${name}, value` });
    const show = (x: number): void => {
      slider.value = String(x);
      field.value = plain(x);
    };
    const take = (x: number): void => {
      const wrong = Number.isFinite(x) ? limitCrossed(quantity, x) : "is no number";
      if (wrong) this.say(`${name} ${wrong}.`);
      else if (!this.source.set(vector, index, x)) this.say(`${name} cannot be ${plain(x)} here: ${this.source.machine.reason || "the loops do not close"}.`);
      else this.forgetRefusal();
      show(this.source.machine.values(vector)[index]);
    };
    slider.addEventListener("input", () => take(Number(slider.value)));
    field.addEventListener("change", () => take(Number(field.value)));
    show(value);
    const row = h("label", { class: "slide", "data-name": name }, h("span", { class: "name", title: name }, name), field, h("span", { class: "unit" }, unit === "1" ? "" : unit), slider);
    this.rows.push(row);
    return row;
  }

  private filter(): void {
    const words = this.search.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.rows) row.hidden = !words.every((word) => row.dataset["name"]!.toLowerCase().includes(word));
  }

  //---- initial values

  private initial(): HTMLElement {
    const { machine } = this.source;
    const lists = (["positions", "velocities"] as const).map((vector) => machine.quantities(vector));
    const fields = lists.map((list) => list.map(({ value, name }) => h("input", { type: "text", inputmode: "decimal", class: "value", value: plain(value), "aria-label": `${name} at the start` })));
    const rows = lists.flatMap((list, k) =>
      list.map(({ name, unit }, i) => h("label", { class: "start" }, h("span", { class: "name", title: name }, name), fields[k][i], h("span", { class: "unit" }, unit === "1" ? "" : unit))),
    );
    const begin = (): void => {
      const [positions, velocities] = fields.map((list) => list.map((field) => Number(field.value)));
      if (![...positions, ...velocities].every(Number.isFinite)) return this.say("An initial value is no number.");
      this.quiet = 0;
      this.actions.begin(positions, velocities);
      // dependent coordinates follow from the others
      fields.forEach((list, k) => list.forEach((field, i) => (field.value = plain(machine.values(k === 0 ? "positions" : "velocities")[i]))));
      this.refresh();
    };
    return h("details", { id: "initial" }, h("summary", {}, "Initial values"), ...rows, h("div", { class: "actions" }, h("button", { class: "action", id: "begin-there", onclick: begin }, "Begin there")));
  }

  // a value that was taken leaves nothing to complain of
  private forgetRefusal(): void {
    this.quiet = 0;
    this.refresh();
  }

  // a word to the user stays for a while
  private say(text: string): void {
    this.quiet = performance.now() + MESSAGE;
    this.note.textContent = text;
    this.note.classList.add("bad");
  }
}

/** Between which values a slider moves: the limits, or from nothing to twice the value. */
export function reach({ value, lower, upper }: Quantity): [number, number] {
  const size = value === 0 ? 1 : Math.abs(value);
  const low = Number.isFinite(lower) ? lower : Math.min(value - size, Number.isFinite(upper) ? upper - size : Infinity);
  return [low, Number.isFinite(upper) ? upper : Math.max(value + size, low + size)];
}

function limitCrossed({ lower, upper, unit }: Quantity, x: number): string {
  if (x < lower) return `is at least ${plain(lower)} ${unit}`;
  return x > upper ? `is at most ${plain(upper)} ${unit}` : "";
}

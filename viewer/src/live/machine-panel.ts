// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Controls of a machine that the page computes: inputs, parameters, initial values, beginning again, keeping runs.
import { searchBox } from "../panels/search-box";
import { curvesToCsv } from "../plots/csv";
import { h, replace, saveFile } from "../view/dom";
import { icon } from "../view/icons";
import { readable } from "../view/numbers";
import type { ModelFile, SliderWish } from "./embedded-machine";
import type { LiveSource } from "./live-source";
import type { Machine, Quantity, VectorName } from "./machine";
import { reach } from "./reach";

export interface MachineActions {
  /** Begin again, at other positions and velocities where they are given; false when loops do not close there. */
  begin(positions?: ArrayLike<number>, velocities?: ArrayLike<number>): boolean;
  /** Keep the run so far next to the next one; forget those that were kept. */
  keep(): void;
  forget(): void;
  kept: number;
  model: ModelFile | null;
  /** Which quantities have sliders; none: all. */
  sliders: SliderWish[];
  /** What parameters are, in words, by their names. */
  help: Record<string, string>;
}

/** A quantity that has a slider. */
interface Slider extends SliderWish {
  title: string;
  vector: VectorName;
  index: number;
  quantity: Quantity;
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
    const sliders = chosenSliders(machine, actions.sliders, actions.help);
    replace(
      this.element,
      this.buttons(),
      this.note,
      sliders.length > 12 && this.search.box,
      ...grouped(sliders).map(([title, group]) => h("section", {}, h("h3", {}, title), ...group.map((slider) => this.row(slider)))),
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

  private row({ vector, index, quantity, title: label, ...limits }: Slider): HTMLElement {
    const { name, unit } = quantity;
    const value = this.source.machine.values(vector)[index];
    const [low, high] = reach(quantity, limits);
    const slider = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": label });
    const field = h("input", { type: "text", inputmode: "decimal", class: "value", "aria-label": `${label}, value` });
    const reset = h("button", { class: "reset", title: `Back to ${plain(quantity.value)}`, "aria-label": `Reset ${label}`, onclick: () => take(quantity.value) }, icon("reset"));
    const show = (x: number): void => {
      slider.value = String(x);
      field.value = plain(x);
      reset.style.visibility = x === quantity.value ? "hidden" : "";
    };
    const take = (x: number): void => {
      const wrong = Number.isFinite(x) ? limitCrossed(quantity, x) : "is not a number";
      if (wrong) this.say(`${label} ${wrong}.`);
      else if (!this.source.set(vector, index, x)) this.say(`${label} cannot be ${plain(x)} here: ${this.source.machine.reason || "the loops do not close"}.`);
      else this.forgetRefusal();
      show(this.source.machine.values(vector)[index]);
    };
    slider.addEventListener("input", () => take(Number(slider.value)));
    slider.addEventListener("dblclick", () => take(quantity.value));
    field.addEventListener("change", () => take(Number(field.value)));
    show(value);
    const hint = label === name ? name : `${label}: ${name}`;
    const row = h("div", { class: "slide has-reset", "data-name": name }, h("span", { class: "name", title: hint }, label), reset, field, h("span", { class: "unit" }, unit === "1" ? "" : unit), slider);
    this.rows.push(row);
    return row;
  }

  private filter(): void {
    const words = this.search.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.rows) row.hidden = !words.every((word) => `${row.dataset["name"]} ${row.textContent}`.toLowerCase().includes(word));
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
      if (![...positions, ...velocities].every(Number.isFinite)) return this.say("An initial value is not a number.");
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

function chosenSliders(machine: Machine, wishes: SliderWish[], help: Record<string, string>): Slider[] {
  const all = (["inputs", "parameters"] as const).flatMap((vector) => machine.quantities(vector).map((quantity, index) => ({ name: quantity.name, title: titleOf(quantity.name, help), vector, index, quantity })));
  if (wishes.length === 0) return all;
  return wishes.flatMap((wish) => all.filter(({ name }) => name === wish.name).map((own) => ({ ...own, ...wish })));
}

// the help of the file, which says nothing of the part that includes it: "front: spring rate"
function titleOf(name: string, help: Record<string, string>): string {
  const part = name.split("/").slice(0, -1).join("/");
  return help[name] ? (part ? `${part}: ${help[name]}` : help[name]) : name;
}

// by the groups of the model file, else inputs before parameters
function grouped(sliders: Slider[]): [string, Slider[]][] {
  const groups = new Map<string, Slider[]>();
  for (const slider of sliders) {
    const title = slider.group ?? (slider.vector === "inputs" ? "Inputs" : "Parameters");
    groups.set(title, [...(groups.get(title) ?? []), slider]);
  }
  return [...groups];
}

function limitCrossed({ lower, upper, unit }: Quantity, x: number): string {
  if (x < lower) return `is at least ${plain(lower)} ${unit}`;
  return x > upper ? `is at most ${plain(upper)} ${unit}` : "";
}

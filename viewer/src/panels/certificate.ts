// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificates of the runs side by side: what matters first, then every field as it is.
import type { Run } from "../data/run";
import { ON_PAGE } from "../live/balance";
import { curveColour } from "../scene/palette";
import { h, replace } from "../view/dom";
import { readable } from "../view/numbers";
import { shownRuns, type Session } from "../view/session";

type Json = unknown;

export interface Line {
  label: string;
  /** What it is, in a line. */
  says: string;
  path: string;
  /** Where certificates without that field have it. */
  otherwise?: string;
  unit?: string;
}

export const SECTIONS: { title: string; lines: Line[] }[] = [
  {
    title: "Energy balance",
    lines: [
      { label: "Relative error", says: "largest error of the balance over the largest energy that the machine had: below 0.001 counts as closed", path: "energy.relative_error" },
      { label: "Largest error", says: "most that energy minus start minus work done ever was off zero", path: "energy.error", unit: "J" },
      { label: "Scale", says: "largest kinetic energy or change of potential energy, against which the error is measured", path: "energy.scale", unit: "J" },
      { label: "At the start", says: "kinetic and potential energy at the start", path: "energy.start", unit: "J" },
      { label: "At the end", says: "kinetic and potential energy at the end", path: "energy.end", unit: "J" },
      { label: "Work done", says: "by drives, and by forces without a potential", path: "energy.work", unit: "J" },
    ],
  },
  {
    title: "Constraints",
    lines: [
      { label: "Rows", says: "conditions that close the loops", path: "constraints.rows" },
      { label: "Rank", says: "how many of these are independent; the others follow from them", path: "constraints.rank" },
      { label: "Position residual", says: "largest gap of a closed loop, m or rad", path: "constraints.position_residual" },
      { label: "Velocity residual", says: "largest rate at which a loop opens, per second", path: "constraints.velocity_residual" },
      { label: "Acceleration residual", says: "largest second rate at which a loop opens, per second squared", path: "constraints.acceleration_residual" },
      { label: "Quaternion error", says: "how far orientations were off unit length", path: "constraints.quaternion_error" },
      { label: "Repartitions", says: "how often other independent coordinates were chosen", path: "constraints.repartitions" },
      { label: "Weakest pivot", says: "how firmly the independent coordinates determine the others: 0 at a dead centre", path: "constraints.weakest_pivot" },
      { label: "Singular passages", says: "positions where the number of freedoms changes, and that were passed", path: "constraints.singular_passages" },
    ],
  },
  {
    title: "Steps",
    lines: [
      { label: "Accepted", says: "steps that met the tolerance", path: "steps.accepted" },
      { label: "Rejected", says: "steps that were repeated with a shorter length", path: "steps.rejected" },
      { label: "Evaluations", says: "how often accelerations were computed", path: "steps.evaluations" },
      { label: "Events", says: "instants at which something switched, each located", path: "steps.events" },
      { label: "Shortest", says: "length of the shortest step", path: "steps.shortest", unit: "s" },
      { label: "Longest", says: "length of the longest step", path: "steps.longest", unit: "s" },
    ],
  },
  {
    title: "Computing",
    lines: [
      { label: "Method", says: "how the equations of motion are set up and solved", path: "study.method" },
      { label: "Integrator", says: "how they are taken from one instant to the next", path: "steps.integrator", otherwise: "study.integrator" },
      { label: "Tolerance", says: "error that a step may have, relative and absolute", path: "study.tolerance" },
      { label: "Step", says: "length of the step where it is fixed", path: "study.step", unit: "s" },
      { label: "Wall clock", says: "time of computing", path: "wall_clock.total", unit: "s" },
    ],
  },
];

export class CertificatePanel {
  readonly element = h("div", { class: "panel certificate", id: "certificate" });

  constructor(private readonly session: Session) {
    session.store.on(["hiddenRuns", "tab"], () => this.draw());
    this.draw();
  }

  draw(): void {
    const runs = shownRuns(this.session);
    if (runs.every((run) => !isObject(run.certificate)))
      return replace(this.element, h("p", { class: "hint" }, "This result has no certificate yet. A run writes it when it ends."));
    const isOpen = [...this.element.querySelectorAll("details")].map((part) => part.open);
    replace(
      this.element,
      runHeads(runs),
      ...SECTIONS.map((section) => sectionTable(section, runs)),
      ...redundantRows(runs),
      h("h3", {}, "All fields"),
      ...runs.map((run) => wholeText(run, runs.length > 1)),
    );
    this.element.querySelectorAll("details").forEach((part, i) => (part.open = isOpen[i] ?? false));
  }
}

const isObject = (value: Json): value is Record<string, Json> => typeof value === "object" && value !== null && !Array.isArray(value);

export function fieldAt(value: Json, path: string): Json {
  return path.split(".").reduce<Json>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

function runHeads(runs: Run[]): HTMLElement {
  const head = (run: Run): HTMLElement => {
    const status = fieldAt(run.certificate, "status");
    const verdict = fieldAt(run.certificate, "verdict");
    const good = isWhole(run) && (verdict === undefined || verdict === "good");
    const words = verdict === undefined ? status : `${status}, ${verdict}`;
    return h(
      "div",
      { class: "run-head" },
      runs.length > 1 ? h("span", { class: "swatch", style: `background:${curveColour(run.index)}` }) : null,
      h("b", {}, run.name),
      h("span", { class: `badge ${good ? "good" : "bad"}` }, String(words ?? "no certificate")),
      errorText(run),
      ...reasons(run),
    );
  };
  return h("div", { class: "run-heads" }, ...runs.map(head));
}

// that came to its end, or has none
export const isWhole = (run: Run): boolean => ["finished", ON_PAGE].includes(String(fieldAt(run.certificate, "status")));

function errorText(run: Run): HTMLElement | null {
  const message = fieldAt(run.certificate, "error.message");
  return typeof message === "string" ? h("p", { class: "error" }, message) : null;
}

// why a run that finished is not good; one that failed has its error already
function reasons(run: Run): HTMLElement[] {
  const list = fieldAt(run.certificate, "reasons");
  if (!Array.isArray(list) || !isWhole(run)) return [];
  return list.map((text) => h("p", { class: "error" }, String(text)));
}

function sectionTable({ title, lines }: (typeof SECTIONS)[number], runs: Run[]): HTMLElement | null {
  const value = (run: Run, { path, otherwise }: Line): Json => fieldAt(run.certificate, path) ?? (otherwise && fieldAt(run.certificate, otherwise));
  const present = lines.filter((line) => runs.some((run) => value(run, line) !== undefined));
  if (present.length === 0) return null;
  const row = (line: Line): HTMLElement =>
    h(
      "tr",
      {},
      h("th", { title: line.says }, line.label),
      ...runs.map((run) => h("td", { class: "number" }, valueText(value(run, line), line.unit))),
    );
  const note = runs.map((run) => fieldAt(run.certificate, `${title.toLowerCase()}.note`)).find((text) => typeof text === "string");
  return h(
    "section",
    {},
    h("h3", {}, title),
    h("div", { class: "wide" }, h("table", { class: "facts" }, runs.length > 1 ? columnHeads(runs) : null, h("tbody", {}, ...present.map(row)))),
    note ? h("p", { class: "hint" }, String(note)) : null,
  );
}

function columnHeads(runs: Run[]): HTMLElement {
  return h("thead", {}, h("tr", {}, h("th"), ...runs.map((run) => h("th", { class: "number", style: `color:${curveColour(run.index)}`, title: run.name }, run.name))));
}

export function valueText(value: Json, unit = ""): string {
  if (value === undefined || value === null) return "–";
  const text = typeof value === "number" ? readable(value, Number.isInteger(value) ? 9 : 4) : String(value);
  return unit ? `${text} ${unit}` : text;
}

// runs that agree on them share a list
function redundantRows(runs: Run[]): HTMLElement[] {
  const lists = new Map<string, { rows: Json[]; names: string[] }>();
  for (const run of runs) {
    const rows = fieldAt(run.certificate, "constraints.redundant");
    if (!Array.isArray(rows) || rows.length === 0) continue;
    const list = lists.get(JSON.stringify(rows)) ?? { rows, names: [] };
    lists.set(JSON.stringify(rows), { rows, names: [...list.names, run.name] });
  }
  return [...lists.values()].flatMap(({ rows, names }) => [
    h("h3", {}, `Redundant constraints of ${names.join(", ")}`),
    h("ul", { class: "redundant" }, ...rows.map((row) => h("li", {}, rowText(row)))),
  ]);
}

const rowText = (row: Json): string => (typeof row === "string" ? row : JSON.stringify(row));

function wholeText(run: Run, named: boolean): HTMLElement {
  return h(
    "details",
    { class: "whole" },
    h("summary", {}, named ? run.name : "certificate.json"),
    h("pre", {}, JSON.stringify(run.certificate, null, 2)),
  );
}

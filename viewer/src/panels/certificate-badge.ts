// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The verdict on the run in a corner of the scene; open, it says what its figures are.
import type { Run } from "../data/run";
import { h, replace } from "../view/dom";
import { referenceRun, type Session } from "../view/session";
import { fieldAt, isWhole, SECTIONS, valueText, type Line } from "./certificate";

// the figures on which a verdict rests, as far as a certificate has them
const FIGURES = ["energy.relative_error", "constraints.position_residual", "constraints.velocity_residual", "constraints.rank", "steps.accepted"];
const LINES = FIGURES.map((path) => SECTIONS.flatMap(({ lines }) => lines).find((line) => line.path === path) as Line);

const VERDICTS: Record<string, string> = {
  good: "the energy balance closes and loops stay closed, within the limits of the program",
  doubtful: "a check failed; the reasons are below",
  failed: "the run did not come to its end",
};

export class CertificateBadge {
  private readonly summary = h("summary", { class: "badge" });
  private readonly list = h("dl");
  readonly element = h("details", { class: "verdict", id: "verdict", hidden: true }, this.summary, this.list);
  private written = "";

  constructor(private readonly session: Session) {
    session.store.on(["hiddenRuns", "reference"], () => this.refresh());
    this.refresh();
  }

  /** Show the certificate as it is now. */
  refresh(): void {
    const run = referenceRun(this.session);
    const verdict = fieldAt(run.certificate, "verdict");
    this.element.hidden = typeof verdict !== "string";
    const text = JSON.stringify([verdict, LINES.map((line) => figure(run, line)), fieldAt(run.certificate, "reasons")]);
    if (typeof verdict !== "string" || text === this.written) return;
    this.written = text;
    const good = verdict === "good" && isWhole(run);
    this.summary.className = `badge ${good ? "good" : "bad"}`;
    this.summary.textContent = `certificate: ${verdict}`;
    this.summary.title = "What the figures of this run are worth";
    replace(this.list, ...entry(verdict, VERDICTS[verdict] ?? ""), ...reasons(run), ...LINES.flatMap((line) => (figure(run, line) === undefined ? [] : entry(`${line.label}: ${valueText(figure(run, line), line.unit)}`, line.says))));
  }
}

const figure = (run: Run, line: Line): unknown => fieldAt(run.certificate, line.path);

const entry = (term: string, words: string): HTMLElement[] => [h("dt", {}, term), h("dd", {}, words)];

function reasons(run: Run): HTMLElement[] {
  const list = fieldAt(run.certificate, "reasons");
  return Array.isArray(list) ? list.map((text) => h("dd", { class: "reason" }, String(text))) : [];
}

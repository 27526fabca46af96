// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All panes side by side, kept in step with the state of the view.
import { h } from "../view/dom";
import { icon } from "../view/icons";
import type { Player } from "../view/player";
import { addPane, type Session } from "../view/session";
import type { PaneState } from "../view/state";
import { PlotPane } from "./pane";

export class Plots {
  readonly element: HTMLElement;
  private readonly row = h("div", { class: "panes" });
  private panes: PlotPane[] = [];
  // a plot that is added later is brought into view; a page opens at its top
  private isStarted = false;

  constructor(
    private readonly session: Session,
    private readonly player: Player,
  ) {
    const { store } = session;
    const onclick = (): void => addPane(session);
    const add = h("button", { class: "add-pane", id: "add-pane", title: "Another plot (P)", "aria-label": "Another plot", onclick }, icon("plus"));
    this.element = h("div", { class: "plots", id: "plots" }, this.row, add);
    this.row.addEventListener("dblclick", () => store.update({ range: null }));
    store.on(["panes", "activePane"], () => this.arrange());
    store.on(["range"], () => this.panes.forEach((pane) => pane.showRange()));
    store.on(["time"], () => this.panes.forEach((pane) => pane.showTime()));
    store.on(["hiddenRuns", "reference"], () => this.reload());
  }

  /** Draw the panes of the view for the first time. */
  start(): void {
    this.arrange();
    this.isStarted = true;
  }

  showValues(): void {
    for (const pane of this.panes) pane.showValues();
  }

  reload(): void {
    for (const pane of this.panes) void pane.load();
  }

  recolour(): void {
    for (const pane of this.panes) pane.recolour();
  }

  /** Give back all charts. */
  stop(): void {
    for (const pane of this.panes.splice(0)) pane.remove();
  }

  saveCsv(): void {
    this.panes[Math.min(this.session.store.state.activePane, this.panes.length - 1)]?.saveCsv();
  }

  private arrange(): void {
    const { panes, activePane } = this.session.store.state;
    while (this.panes.length > panes.length) this.panes.pop()?.remove();
    panes.forEach((state, index) => {
      if (this.panes[index]) return this.panes[index].set(state);
      this.panes[index] = this.makePane(state, index);
      this.row.append(this.panes[index].element);
      if (this.isStarted && index === activePane) this.panes[index].element.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    this.panes.forEach((pane, index) => pane.setActive(panes.length > 1 && index === activePane));
  }

  private makePane(state: PaneState, index: number): PlotPane {
    const { store } = this.session;
    return new PlotPane(this.session, state, {
      change: (pane) => store.update({ panes: store.state.panes.map((other, k) => (k === index ? pane : other)) }),
      close: () => store.update({ panes: store.state.panes.filter((_, k) => k !== index), activePane: Math.max(0, index - 1) }),
      activate: () => store.update({ activePane: index }),
      seek: (time) => this.player.seek(time),
    });
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All channels in their groups; a click puts one into the active plot.
import type { Channel } from "../data/header";
import { h, replace } from "../view/dom";
import { referenceRun, togglePlot, type Session } from "../view/session";
import { marked, searchBox } from "./search-box";

export class ChannelList {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tree channels" });
  private readonly search: HTMLInputElement;

  constructor(private readonly session: Session) {
    const { box, input } = searchBox("Search channels", "search-channels", () => this.draw());
    this.search = input;
    this.element = h("div", { class: "side-page" }, box, this.list);
    this.list.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>(".row");
      if (row) togglePlot(session, row.dataset["channel"] ?? "");
    });
    session.store.on(["panes", "activePane"], () => this.showPlotted());
    this.draw();
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  private draw(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const groups = new Map<string, Channel[]>();
    for (const channel of referenceRun(this.session).header.channels) {
      if (!channel.name.toLowerCase().includes(wanted)) continue;
      const group = channel.group || "general";
      groups.set(group, [...(groups.get(group) ?? []), channel]);
    }
    replace(this.list, ...[...groups].map(([name, channels]) => channelGroup(name, channels, wanted)));
    if (groups.size === 0) this.list.append(h("p", { class: "empty" }, "No such channel."));
    this.showPlotted();
  }

  private showPlotted(): void {
    const { panes, activePane } = this.session.store.state;
    const plotted = new Set(panes[Math.min(activePane, panes.length - 1)]?.channels ?? []);
    for (const row of this.list.querySelectorAll<HTMLElement>(".row")) {
      const isPlotted = plotted.has(row.dataset["channel"] ?? "");
      row.classList.toggle("plotted", isPlotted);
      row.setAttribute("aria-pressed", String(isPlotted));
    }
  }
}

function channelGroup(name: string, channels: Channel[], wanted: string): HTMLElement {
  const section = h("details", {}, h("summary", {}, name, h("span", { class: "count" }, String(channels.length))));
  section.open = true;
  section.append(
    ...channels.map((channel) =>
      h(
        "div",
        { class: "row", role: "button", tabindex: 0, "data-channel": channel.name, title: `Plot ${channel.name}` },
        h("span", { class: "tick" }),
        h("span", { class: "name" }, ...marked(channel.name, wanted)),
        h("span", { class: "note" }, channel.unit),
      ),
    ),
  );
  return section;
}

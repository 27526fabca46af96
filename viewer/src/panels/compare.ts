// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Several runs next to one another: which are shown, how, and how far their channels are apart.
import { distance, type Distance } from "../data/difference";
import type { Channel } from "../data/header";
import type { Run } from "../data/run";
import { curveColour } from "../scene/palette";
import { h, replace } from "../view/dom";
import { icon } from "../view/icons";
import { readable } from "../view/numbers";
import { addPane, channelIndex, referenceRun, type Session } from "../view/session";
import { toggled, type Layout } from "../view/state";
import { searchBox } from "./search-box";

interface Row {
  channel: string;
  unit: string;
  run: Run;
  distance: Distance;
}

// only so many channels are read for the table at once: large results have thousands
const MOST_CHANNELS = 200;

interface Choice {
  channels: [Channel, number][]; // with their places in the reference run
  left: number; // channels that answer to the words but are too many
}

export class ComparePanel {
  readonly element = h("div", { class: "panel compare", id: "compare" });
  private readonly table = h("div", { class: "differences" });
  private readonly search = searchBox("Channels to compare", "compare-filter", () => void this.measure());
  private wanted = 0;
  private most = MOST_CHANNELS;

  constructor(private readonly session: Session) {
    session.store.on(["hiddenRuns", "reference", "layout", "tab"], () => this.draw());
    this.draw();
  }

  draw(): void {
    if (this.session.runs.length < 2)
      return replace(this.element, h("p", { class: "hint" }, "There is one run here. Open several to compare them: articula view RESULT RESULT …"));
    replace(this.element, h("h3", {}, "Runs"), this.runList(), h("h3", {}, "Scene"), this.layouts(), h("h3", {}, "Largest differences"), this.search.box, this.table);
    if (this.session.store.state.tab === "compare") void this.measure();
  }

  private runList(): HTMLElement {
    const { store } = this.session;
    const { hiddenRuns, reference } = store.state;
    const row = (run: Run): HTMLElement =>
      h(
        "div",
        { class: "run-row" },
        h("input", {
          type: "checkbox",
          checked: !hiddenRuns.has(run.index),
          "aria-label": `Show ${run.name}`,
          onchange: () => store.update({ hiddenRuns: toggled(store.state.hiddenRuns, run.index) }),
        }),
        h("span", { class: "swatch", style: `background:${curveColour(run.index)}` }),
        h("span", { class: "name" }, run.name),
        h("span", { class: "note" }, run.header.method ?? ""),
        h(
          "label",
          { class: "reference", title: "Differences are taken from this run" },
          h("input", { type: "radio", name: "reference", checked: run.index === reference, onchange: () => store.update({ reference: run.index }) }),
          "reference",
        ),
      );
    return h("div", { class: "run-list" }, ...this.session.runs.map(row));
  }

  private layouts(): HTMLElement {
    const { store } = this.session;
    const choice = (layout: Layout, sign: "layers" | "sides", text: string): HTMLElement =>
      h(
        "button",
        { class: "action", id: `layout-${layout}`, "aria-pressed": String(store.state.layout === layout), onclick: () => store.update({ layout }) },
        icon(sign),
        text,
      );
    return h("div", { class: "actions" }, choice("overlay", "layers", "Laid over"), choice("side", "sides", "Side by side"));
  }

  private async measure(): Promise<void> {
    const turn = ++this.wanted;
    replace(this.table, h("p", { class: "hint" }, "Comparing …"));
    const choice = choose(referenceRun(this.session).header.channels, this.search.input.value, this.most);
    const rows = await measureAll(this.session, choice.channels).catch((error: Error) => error);
    if (turn !== this.wanted) return;
    if (rows instanceof Error) return replace(this.table, h("p", { class: "hint" }, rows.message));
    rows.sort((a, b) => relative(b.distance) - relative(a.distance));
    const none = this.search.input.value ? "No common channel has such a name." : "The runs have no channel in common.";
    replace(this.table, rows.length > 0 ? this.differences(rows) : h("p", { class: "hint" }, none), ...this.rest(choice));
  }

  /** Names the curves that are left out, and how to see them. */
  private rest({ channels, left }: Choice): HTMLElement[] {
    if (left === 0) return [];
    const all = (): void => {
      this.most = Infinity;
      void this.measure();
    };
    const text = `${channels.length} channels are compared, ${left} are left out: write a part of their names above, or `;
    return [h("p", { class: "hint", id: "compare-rest" }, text, h("button", { class: "action", id: "compare-all", onclick: all }, `compare all ${channels.length + left}`))];
  }

  private differences(rows: Row[]): HTMLElement {
    const line = (row: Row): HTMLElement =>
      h(
        "tr",
        { tabindex: 0, title: `Plot the difference of ${row.channel}`, onclick: () => addPane(this.session, [row.channel], true) },
        h("th", {}, h("span", { class: "swatch", style: `background:${curveColour(row.run.index)}` }), row.channel),
        h("td", { class: "number" }, readable(row.distance.largest, 3)),
        h("td", { class: "unit" }, row.unit),
        h("td", { class: "number" }, readable(relative(row.distance), 2)),
        h("td", { class: "number" }, readable(row.distance.at, 4)),
      );
    const head = h("tr", {}, h("th", {}, "channel"), h("th", {}, "largest"), h("th"), h("th", {}, "relative"), h("th", {}, "at, s"));
    return h("table", { class: "differences" }, h("thead", {}, head), h("tbody", {}, ...rows.map(line)));
  }
}

const relative = (distance: Distance): number => (distance.scale > 0 ? distance.largest / distance.scale : distance.largest);

/** Channels whose names hold all words, the first so many of them. */
function choose(all: Channel[], words: string, most: number): Choice {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.map((channel, index): [Channel, number] => [channel, index]).filter(([{ name }]) => wanted.every((word) => name.toLowerCase().includes(word)));
  const channels = found.slice(0, most);
  return { channels, left: found.length - channels.length };
}

async function measureAll(session: Session, channels: Choice["channels"]): Promise<Row[]> {
  const reference = referenceRun(session);
  const others = session.runs.filter((run) => run !== reference && !session.store.state.hiddenRuns.has(run.index));
  const measure = async (channel: Channel, index: number, run: Run): Promise<Row[]> => {
    const own = channelIndex(run, channel.name);
    if (own < 0) return [];
    const [values, others] = await Promise.all([reference.column(index), run.column(own)]);
    const apart = distance({ times: run.times, values: others }, { times: reference.times, values });
    return [{ channel: channel.name, unit: channel.unit, run, distance: apart }];
  };
  return (await Promise.all(channels.flatMap(([channel, index]) => others.map((run) => measure(channel, index, run))))).flat();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One plot: its curves, legend, cursor at the animation's time, zoom.
import uPlot from "uplot";
import { valueAt } from "../data/search";
import { h, oncePerFrame, replace, saveFile } from "../view/dom";
import { icon, type Icon } from "../view/icons";
import { readable } from "../view/numbers";
import { timeSpan, type Session } from "../view/session";
import type { PaneState } from "../view/state";
import { axisLabel, axisOffset } from "./axis";
import { curvesToCsv } from "./csv";
import { paneCurves, type PlotCurve } from "./curves";
import { decimate } from "./decimate";

export interface PaneActions {
  change(pane: PaneState): void;
  close(): void;
  activate(): void;
  seek(time: number): void;
}

// px of motion that a click may have
const CLICK = 4;

const AXIS_FONT = '11px "Inter", "Segoe UI", "Noto Sans", "Liberation Sans", system-ui, sans-serif';

export class PlotPane {
  readonly element: HTMLElement;
  private readonly legend = h("div", { class: "legend" });
  private readonly area = h("div", { class: "plot-area" });
  private readonly cursor = h("div", { class: "time-cursor" });
  private readonly differenceButton: HTMLButtonElement;
  private curves: PlotCurve[] = [];
  private values: HTMLElement[] = [];
  private chart: uPlot | null = null;
  private hover: number | null = null;
  private problem = "";
  private turn = 0;
  private readonly observer = new ResizeObserver(() => this.resize());
  private readonly redrawSoon = oncePerFrame(() => this.fillChart());

  constructor(
    private readonly session: Session,
    private pane: PaneState,
    private readonly actions: PaneActions,
  ) {
    this.differenceButton = this.button("delta", "Differences from the reference run", () =>
      actions.change({ ...this.pane, difference: !this.pane.difference }),
    );
    this.differenceButton.hidden = session.runs.length < 2;
    this.element = h(
      "section",
      { class: "pane", onpointerdown: () => actions.activate() },
      h(
        "div",
        { class: "pane-head" },
        this.legend,
        this.differenceButton,
        this.button("table", "Save these curves as CSV", () => this.saveCsv()),
        this.button("close", "Close this plot", () => actions.close()),
      ),
      this.area,
    );
    this.observer.observe(this.area);
    void this.load();
  }

  /** Give back the chart, which listens to the window. */
  remove(): void {
    this.observer.disconnect();
    this.chart?.destroy();
    this.chart = null;
    this.element.remove();
    this.turn++;
  }

  /** Show another choice of channels. */
  set(pane: PaneState): void {
    if (pane === this.pane) return;
    this.pane = pane;
    void this.load();
  }

  /** Read the curves again and draw them. */
  async load(): Promise<void> {
    const turn = ++this.turn;
    this.differenceButton.setAttribute("aria-pressed", String(this.pane.difference));
    const curves = await paneCurves(this.session, this.pane).catch((error: Error) => error);
    if (turn !== this.turn) return;
    const next = curves instanceof Error ? [] : curves;
    const isLonger = this.chart !== null && next.length > 0 && next.length === this.curves.length && next.every((curve, k) => looksLike(curve, this.curves[k]));
    this.problem = curves instanceof Error ? curves.message : "";
    this.curves = next;
    if (isLonger) return this.fillChart();
    this.makeLegend();
    this.makeChart();
  }

  /** Move the cursor to the animation's time and write the values there. */
  showTime(): void {
    if (!this.chart) return;
    const { time } = this.session.store.state;
    const x = this.chart.valToPos(time, "x");
    const inside = x >= 0 && x <= this.chart.over.clientWidth;
    this.cursor.style.display = inside ? "" : "none";
    this.cursor.style.transform = `translateX(${x}px)`;
  }

  showValues(): void {
    const time = this.hover ?? this.session.store.state.time;
    this.curves.forEach((curve, k) => {
      const cell = this.values[k];
      if (cell) cell.textContent = readable(valueAt(curve.times, curve.values, time), 5);
    });
  }

  showRange(): void {
    this.redrawSoon();
  }

  setActive(active: boolean): void {
    this.element.classList.toggle("active", active);
  }

  /** Take the colours of the theme. */
  recolour(): void {
    this.makeChart();
  }

  saveCsv(): void {
    const [t0, t1] = this.range();
    const columns = this.curves.map((curve) => ({ ...curve, name: curve.label }));
    saveFile("articula.csv", new Blob([curvesToCsv(columns, t0, t1)], { type: "text/csv" }));
  }

  private range(): [number, number] {
    return this.session.store.state.range ?? timeSpan(this.session);
  }

  private makeLegend(): void {
    this.values = this.curves.map(() => h("b", { class: "number" }));
    const remove = (name: string): void => this.actions.change({ ...this.pane, channels: this.pane.channels.filter((other) => other !== name) });
    const entry = (curve: PlotCurve, k: number): HTMLElement =>
      h(
        "span",
        { class: "entry" },
        h("i", { class: "stroke", style: `--colour:${curve.colour};--dash:${curve.dash.length > 0 ? "dashed" : "solid"}` }),
        h("span", { class: "name", title: curve.label }, curve.label),
        this.values[k],
        h("span", { class: "unit" }, shownUnit(curve.unit)),
        h("button", { class: "remove", title: `Take ${curve.channel} out`, "aria-label": `Take ${curve.channel} out`, onclick: () => remove(curve.channel) }, "×"),
      );
    const hint = this.problem ? this.problem : this.pane.channels.length === 0 ? "Choose channels on the left." : this.pane.difference ? "No other run is shown." : "";
    replace(this.legend, ...this.curves.map(entry), this.curves.length === 0 ? h("span", { class: "hint" }, hint) : null);
    this.showValues();
  }

  private makeChart(): void {
    this.chart?.destroy();
    this.chart = null;
    if (this.area.clientWidth < 40 || this.area.clientHeight < 30) return;
    this.chart = new uPlot(this.options(), [[]], this.area);
    this.chart.over.append(this.cursor);
    this.listenToClicks(this.chart);
    this.chart.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.fillChart();
  }

  private fillChart(): void {
    if (!this.chart) return;
    const [t0, t1] = this.range();
    const buckets = Math.max(100, Math.round(this.chart.over.clientWidth * devicePixelRatio));
    const tables = this.curves.map((curve) => {
      const points = decimate(curve.times, curve.values, t0, t1, buckets);
      return [points.t, points.y] as uPlot.AlignedData;
    });
    this.chart.batch(() => {
      this.chart?.setData(tables.length > 0 ? uPlot.join(tables) : [[]], true);
      this.chart?.setScale("x", { min: t0, max: t1 });
    });
    this.showTime();
  }

  private options(): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const units = [...new Set(this.curves.map((curve) => curve.unit))];
    const axis = (side: 1 | 2 | 3, scale: string, unit: string): uPlot.Axis => ({
      scale,
      side,
      stroke: colour("--text-soft"),
      font: AXIS_FONT,
      labelFont: AXIS_FONT,
      ...(side === 2 ? { size: 22, space: 70, label: "time, s", labelSize: 15, labelGap: 0 } : { size: widthOf, space: 26, label: (chart) => axisLabel(unit, this.offset(chart, scale)), labelSize: 15, labelGap: 0 }),
      gap: 3,
      grid: { stroke: colour("--line"), width: 1, show: side !== 1 },
      ticks: { show: false },
      values: (chart, ticks, _axis, _space, step) => {
        const offset = side === 2 ? 0 : this.offset(chart, scale);
        const shown = ticks.map((tick) => (Math.abs(tick - offset) < 1e-6 * step ? 0 : tick - offset));
        return shown.map((tick) => readable(tick, tickDigits(shown, step)));
      },
    });
    return {
      width: this.area.clientWidth,
      height: this.area.clientHeight,
      padding: [6, units.length > 1 ? 0 : 12, 0, 0],
      pxAlign: false,
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: true, y: false, setScale: false }, y: false },
      scales: { x: { time: false, range: () => this.range() }, ...Object.fromEntries(units.map((unit) => [`y${unit}`, { range: wholeRange }])) },
      axes: [axis(2, "x", "s"), ...units.slice(0, 2).map((unit, k) => axis(k === 0 ? 3 : 1, `y${unit}`, shownUnit(unit)))],
      series: [{}, ...this.curves.map(seriesOf)],
      hooks: { setSelect: [(chart) => this.select(chart)], setCursor: [(chart) => this.point(chart)] },
    };
  }

  private offset(chart: uPlot, scale: string): number {
    const { min, max } = chart.scales[scale] ?? {};
    return axisOffset(min ?? 0, max ?? 0);
  }

  // a drag zooms
  private select(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width > CLICK) {
      const [a, b] = [left, left + width].map((x) => chart.posToVal(x, "x"));
      this.session.store.update({ range: [a, b] });
    }
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  // a press and release at one place goes to the instant
  private listenToClicks(chart: uPlot): void {
    const { over } = chart;
    let down = NaN;
    over.addEventListener("pointerdown", ({ clientX, button }) => (down = button === 0 ? clientX : NaN));
    over.addEventListener("pointerup", ({ clientX }) => {
      if (Math.abs(clientX - down) <= CLICK) this.actions.seek(chart.posToVal(clientX - over.getBoundingClientRect().left, "x"));
      down = NaN;
    });
  }

  private point(chart: uPlot): void {
    const { left } = chart.cursor;
    this.hover = left !== undefined && left !== null && left >= 0 ? chart.posToVal(left, "x") : null;
    this.showValues();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (!this.chart) return;
    const [start, end] = timeSpan(this.session);
    const [t0, t1] = this.range();
    const centre = this.chart.posToVal(event.offsetX, "x");
    const factor = Math.exp(0.0015 * event.deltaY);
    const a = Math.max(start, centre + (t0 - centre) * factor);
    const b = Math.min(end, centre + (t1 - centre) * factor);
    if (b - a > 1e-9 * (end - start)) this.session.store.update({ range: a <= start && b >= end ? null : [a, b] });
  }

  private resize(): void {
    if (!this.chart) return this.makeChart();
    this.chart.setSize({ width: this.area.clientWidth, height: this.area.clientHeight });
    this.redrawSoon();
  }

  private button(sign: Icon, title: string, onclick: () => void): HTMLButtonElement {
    return h("button", { class: "tool small", title, "aria-label": title, onclick }, icon(sign));
  }
}

// plain numbers have the unit 1, which nobody writes
const shownUnit = (unit: string): string => (unit === "1" ? "" : unit);

// a run that grows has the same curves again, longer
const looksLike = (a: PlotCurve, b: PlotCurve): boolean => a.label === b.label && a.unit === b.unit && a.colour === b.colour && a.dash.join() === b.dash.join();

function seriesOf(curve: PlotCurve): uPlot.Series {
  const { label, unit, colour, dash } = curve;
  return { label, scale: `y${unit}`, stroke: colour, dash, width: 1.5, spanGaps: true, points: { show: false } };
}

// numbers that differ by rounding alone lie in the middle of a range of their own size
function wholeRange(_chart: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min <= 1e-9 * size || max - min < 1e-13) return size > 1e-12 ? [min - 0.5 * size, max + 0.5 * size] : [-1, 1];
  return uPlot.rangeNum(min, max, 0.1, true);
}

// as many digits as tell one tick from the next
function tickDigits(ticks: number[], step: number): number {
  const largest = Math.max(...ticks.map(Math.abs), step);
  return Math.min(15, Math.max(2, Math.ceil(Math.log10(largest / step)) + 2));
}

// room for the longest number next to the axis
function widthOf(_chart: uPlot, values: string[] | null): number {
  return 14 + 6.2 * Math.max(3, ...(values ?? []).map((text) => text.length));
}

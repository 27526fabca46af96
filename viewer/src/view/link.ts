// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A view as the part of an address after #, and back.
import type { Vector3 } from "../data/header";
import { initialState, OVERLAYS, type BodyPoint, type Kind, type Overlay, type PaneState, type Theme, type ViewState } from "./state";

const number = (x: number): string => String(Number(x.toPrecision(7)));
const numbers = (list: readonly number[]): string => list.map(number).join(",");

/** The fragment that leads to this view. */
export function encodeView(state: ViewState): string {
  const parts = new URLSearchParams();
  const fresh = initialState();
  parts.set("t", number(state.time));
  if (state.speed !== fresh.speed) parts.set("speed", number(state.speed));
  if (!state.loop) parts.set("loop", "0");
  if (state.selection) parts.set("select", `${state.selection.kind}:${state.selection.index}`);
  if (state.follow !== null) parts.set("follow", String(state.follow));
  parts.set("show", [...state.overlays].join(","));
  if (state.arrowScale !== 1) parts.set("arrows", number(state.arrowScale));
  for (const trail of state.trails) parts.append("trail", numbers([trail.body, ...trail.point]));
  for (const end of state.measure) parts.append("measure", numbers([end.body, ...end.point]));
  if (state.hiddenBodies.size > 0) parts.set("without", [...state.hiddenBodies].join(","));
  if (state.clearBodies.size > 0) parts.set("through", [...state.clearBodies].join(","));
  if (state.flat) parts.set("flat", "1");
  for (const pane of state.panes) parts.append("plot", (pane.difference ? "difference:" : "") + pane.channels.join("|"));
  if (state.range) parts.set("range", numbers(state.range));
  if (state.hiddenRuns.size > 0) parts.set("hide", [...state.hiddenRuns].join(","));
  if (state.reference !== 0) parts.set("reference", String(state.reference));
  if (state.layout !== fresh.layout) parts.set("layout", state.layout);
  if (state.theme !== "auto") parts.set("theme", state.theme);
  if (state.tab !== fresh.tab) parts.set("tab", state.tab);
  if (state.embed) parts.set("embed", "1");
  for (const name of state.sliders) parts.append("slider", name);
  if (state.camera) parts.set("camera", numbers([...state.camera.position, ...state.camera.target]));
  return parts.toString();
}

/** The view that a fragment asks for; words that are not understood are left out. */
export function decodeView(fragment: string): Partial<ViewState> {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const view: Partial<ViewState> = {};
  const time = readNumber(parts.get("t"));
  if (time !== null) view.time = time;
  const speed = readNumber(parts.get("speed"));
  if (speed !== null && speed > 0) view.speed = speed;
  if (parts.get("loop") === "0") view.loop = false;
  const selection = /^(body|joint|force|loop):(\d+)$/.exec(parts.get("select") ?? "");
  if (selection) view.selection = { kind: selection[1] as Kind, index: Number(selection[2]) };
  const follow = readNumber(parts.get("follow"));
  if (follow !== null) view.follow = follow;
  if (parts.has("show")) view.overlays = new Set(words(parts, "show").filter(isOverlay));
  const arrows = readNumber(parts.get("arrows"));
  if (arrows !== null && arrows > 0) view.arrowScale = arrows;
  if (parts.has("trail")) view.trails = readPoints(parts, "trail");
  if (parts.has("measure")) view.measure = readPoints(parts, "measure").slice(0, 2);
  if (parts.has("without")) view.hiddenBodies = new Set(words(parts, "without").map(Number));
  if (parts.has("through")) view.clearBodies = new Set(words(parts, "through").map(Number));
  if (parts.get("flat") === "1") view.flat = true;
  if (parts.has("plot")) view.panes = parts.getAll("plot").map(readPane);
  const range = readNumbers(parts.get("range"), 2);
  if (range && range[0] < range[1]) view.range = range as [number, number];
  if (parts.has("hide")) view.hiddenRuns = new Set(words(parts, "hide").map(Number));
  const reference = readNumber(parts.get("reference"));
  if (reference !== null) view.reference = reference;
  if (parts.get("layout") === "side") view.layout = "side";
  const theme = parts.get("theme");
  if (theme === "light" || theme === "dark") view.theme = theme as Theme;
  const tab = parts.get("tab");
  if (tab === "machine" || tab === "certificate" || tab === "compare") view.tab = tab;
  if (parts.get("embed") === "1") view.embed = true;
  if (parts.has("slider")) view.sliders = parts.getAll("slider").filter(Boolean);
  const camera = readNumbers(parts.get("camera"), 6);
  if (camera) view.camera = { position: camera.slice(0, 3) as Vector3, target: camera.slice(3) as Vector3 };
  return view;
}

const isOverlay = (word: string): word is Overlay => (OVERLAYS as readonly string[]).includes(word);

const words = (parts: URLSearchParams, key: string): string[] => (parts.get(key) ?? "").split(",").filter(Boolean);

function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function readNumbers(text: string | null, count: number): number[] | null {
  const list = (text ?? "").split(",").map(readNumber);
  return list.length === count && list.every((x) => x !== null) ? (list as number[]) : null;
}

const readPoints = (parts: URLSearchParams, key: string): BodyPoint[] => parts.getAll(key).map(readPoint).filter((point) => point !== null);

function readPoint(text: string): BodyPoint | null {
  const list = readNumbers(text, 4);
  return list && Number.isInteger(list[0]) && list[0] >= -1 ? { body: list[0], point: list.slice(1) as Vector3 } : null;
}

function readPane(text: string): PaneState {
  const difference = text.startsWith("difference:");
  const names = difference ? text.slice("difference:".length) : text;
  return { difference, channels: names.split("|").filter(Boolean) };
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Everything that makes a view what it is, and who wants to hear of changes.
import type { Vector3 } from "../data/header";

export type Kind = "body" | "joint" | "force" | "loop";

export interface Selection {
  kind: Kind;
  index: number;
}

/** A point fixed in a body, -1 for ground: one that draws its path, or an end of what is measured. */
export interface BodyPoint {
  body: number;
  point: Vector3;
}

/** Layers that can be switched on in the scene. */
export const OVERLAYS = ["ground", "shadows", "axes", "frames", "com", "forces", "contacts", "reactions", "trails"] as const;
export type Overlay = (typeof OVERLAYS)[number];

export interface PaneState {
  channels: string[];
  difference: boolean;
}

export interface CameraState {
  position: Vector3;
  target: Vector3;
}

export type Layout = "overlay" | "side";
export type Theme = "auto" | "light" | "dark";
/** The action of a drag or a click in the scene besides looking around: measure between points, pull a body. */
export type Tool = "look" | "measure" | "pull";

export type Tab = "machine" | "joints" | "inspect" | "certificate" | "compare";

export interface ViewState {
  time: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  selection: Selection | null;
  follow: number | null;
  overlays: ReadonlySet<Overlay>;
  arrowScale: number;
  trails: BodyPoint[];
  /** Bodies that are not drawn, and those that one looks through. */
  hiddenBodies: ReadonlySet<number>;
  clearBodies: ReadonlySet<number>;
  tool: Tool;
  /** Two points at most, the distance of which is shown. */
  measure: BodyPoint[];
  panes: PaneState[];
  activePane: number;
  range: [number, number] | null;
  hiddenRuns: ReadonlySet<number>;
  reference: number;
  layout: Layout;
  theme: Theme;
  tab: Tab;
  camera: CameraState | null;
  /** Without perspective. */
  flat: boolean;
  /** Part of another page: the scene, its time, and sliders alone. */
  embed: boolean;
  /** Parameters and inputs that have sliders; none: all. */
  sliders: string[];
}

export function initialState(): ViewState {
  return {
    time: 0,
    playing: false,
    speed: 1,
    loop: true,
    selection: null,
    follow: null,
    overlays: new Set<Overlay>(["ground", "shadows"]),
    arrowScale: 1,
    trails: [],
    hiddenBodies: new Set(),
    clearBodies: new Set(),
    tool: "look",
    measure: [],
    panes: [],
    activePane: 0,
    range: null,
    hiddenRuns: new Set(),
    reference: 0,
    layout: "overlay",
    theme: "auto",
    tab: "inspect",
    camera: null,
    flat: false,
    embed: false,
    sliders: [],
  };
}

type Listener = (state: ViewState) => void;

export class Store {
  state = initialState();
  private readonly listeners: { keys: (keyof ViewState)[]; listener: Listener }[] = [];

  /** Call the listener when one of the keys changes. */
  on(keys: (keyof ViewState)[], listener: Listener): void {
    this.listeners.push({ keys, listener });
  }

  update(change: Partial<ViewState>): void {
    const keys = (Object.keys(change) as (keyof ViewState)[]).filter((key) => change[key] !== this.state[key]);
    if (keys.length === 0) return;
    this.state = { ...this.state, ...change };
    for (const entry of this.listeners) {
      if (entry.keys.some((key) => keys.includes(key))) entry.listener(this.state);
    }
  }

  /** Take a tool, or lay it down. */
  toggleTool(tool: Tool): void {
    this.update({ tool: this.state.tool === tool ? "look" : tool });
  }

  toggleOverlay(overlay: Overlay): void {
    this.update({ overlays: toggled(this.state.overlays, overlay) });
  }
}

/** The set with an element put in or taken out. */
export function toggled<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(element)) next.add(element);
  return next;
}

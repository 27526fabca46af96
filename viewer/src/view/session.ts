// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// State that all parts of the page share: the runs, the state of the view and a few questions about them.
import type { Run } from "../data/run";
import type { LiveSource } from "../live/live-source";
import { Store, type PaneState, type Selection } from "./state";

export interface Session {
  runs: Run[];
  store: Store;
  /** Point of a body that was clicked last, in the axes of the body. */
  picked: { body: number; point: [number, number, number] } | null;
}

export function shownRuns(session: Session): Run[] {
  return session.runs.filter((run) => !session.store.state.hiddenRuns.has(run.index));
}

export function referenceRun(session: Session): Run {
  return session.runs[session.store.state.reference] ?? session.runs[0];
}

/** The run that this page computes, if it does. */
export function computed(session: Session): LiveSource | null {
  return session.runs[0].machine;
}

/** Whether it is a model before any run, whose bodies can be drawn along. */
export function canMove(session: Session): boolean {
  return session.runs[0].source.canMove ?? false;
}

/** From the earliest start to the latest end. */
export function timeSpan(session: Session): [number, number] {
  const runs = session.runs.filter((run) => run.times.length > 0);
  if (runs.length === 0) return [0, 1];
  const start = Math.min(...runs.map((run) => run.start));
  const end = Math.max(...runs.map((run) => run.end));
  return [start, end > start ? end : start + 1];
}

export const channelIndex = (run: Run, name: string): number => run.header.channels.findIndex((channel) => channel.name === name);

export function machineTitle(run: Run): string {
  const { title, name, file } = run.header.model;
  return title || name || file || run.name;
}

/** The name of what is selected. */
export function selectedName(run: Run, selection: Selection): string {
  const { bodies, joints, forces, loops } = run.header;
  const list = { body: bodies, joint: joints, force: forces, loop: loops }[selection.kind];
  return list[selection.index]?.name ?? "";
}

/** Channels that belong to something: those whose name begins with its name. */
export function channelsOf(run: Run, name: string): string[] {
  return run.header.channels.map((channel) => channel.name).filter((channel) => channel === name || channel.startsWith(`${name}.`));
}

/** Put a channel into the active pane, or take it out again. */
export function togglePlot(session: Session, name: string): void {
  const { panes, activePane } = session.store.state;
  if (panes.length === 0) return session.store.update({ panes: [{ channels: [name], difference: false }], activePane: 0 });
  const change = (pane: PaneState, index: number): PaneState => {
    if (index !== Math.min(activePane, panes.length - 1)) return pane;
    const has = pane.channels.includes(name);
    return { ...pane, channels: has ? pane.channels.filter((channel) => channel !== name) : [...pane.channels, name] };
  };
  session.store.update({ panes: panes.map(change) });
}

export function addPane(session: Session, channels: string[] = [], difference = false): void {
  const { panes } = session.store.state;
  session.store.update({ panes: [...panes, { channels, difference }], activePane: panes.length });
}

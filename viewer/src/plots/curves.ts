// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The curves of a pane: channels of the shown runs, or their differences from the reference.
import { difference } from "../data/difference";
import type { Run } from "../data/run";
import { curveColour } from "../scene/palette";
import { channelIndex, referenceRun, shownRuns, type Session } from "../view/session";
import type { PaneState } from "../view/state";

export interface PlotCurve {
  channel: string;
  label: string;
  unit: string;
  colour: string;
  dash: number[];
  times: Float64Array;
  values: Float64Array;
}

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

// the first curve of a channel is a whole line: that of the first run, or the first difference
function dashOf(run: Run, reference: Run, isDifference: boolean): number {
  return isDifference && run.index > reference.index ? run.index - 1 : run.index;
}

/** Read what a pane shows. */
export async function paneCurves(session: Session, pane: PaneState): Promise<PlotCurve[]> {
  const runs = shownRuns(session);
  const all = pane.channels.flatMap((name, place) => runs.map((run) => paneCurve(session, pane, name, place, run, runs.length)));
  return (await Promise.all(all)).filter((curve) => curve !== null);
}

async function paneCurve(session: Session, pane: PaneState, name: string, place: number, run: Run, runCount: number): Promise<PlotCurve | null> {
  const index = channelIndex(run, name);
  const reference = referenceRun(session);
  if (index < 0 || (pane.difference && run === reference)) return null;
  const byRun = pane.channels.length === 1 && runCount > 1;
  const own = { times: run.times, values: await run.column(index) };
  const shared = {
    channel: name,
    label: (pane.difference ? "Δ " : "") + (runCount > 1 ? `${name} · ${run.name}` : name),
    unit: run.header.channels[index].unit,
    colour: curveColour(byRun ? run.index : place),
    dash: byRun ? [] : DASHES[dashOf(run, reference, pane.difference) % DASHES.length],
  };
  if (!pane.difference) return { ...shared, ...own };
  const other = channelIndex(reference, name);
  if (other < 0) return null;
  return { ...shared, ...difference(own, { times: reference.times, values: await reference.column(other) }) };
}

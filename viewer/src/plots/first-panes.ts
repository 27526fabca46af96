// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The curves that an engineer looks at first: moving ones, grouped by their meaning.
import type { Channel } from "../data/header";
import type { Run } from "../data/run";
import type { PaneState } from "../view/state";

const MOST_PANES = 3;
const MOST_CURVES = 4;

// columns are read to see which of them stand still, as many numbers as this at most
const MOST_NUMBERS = 400_000;

/** A pane by the names and units of its channels; the earlier of two is the more telling. */
interface Meaning {
  names: RegExp;
  units?: RegExp;
}

const ANGLE = /^(rad|deg|°)$/;
const FORCE = /^(N|kN|N m)$/;

// of vehicles: how they turn, how they lean, what their wheels carry, how they go
const VEHICLE: Meaning[] = [
  { names: /(^|[._/])(yaw[_.]?rate|ay|lateral_acceleration|across)$/i },
  { names: /(^|[._/])(roll|pitch|lean|heel|steer|steering|sideslip)(\.angle)?$/i, units: ANGLE },
  { names: /load|(^|[._/])fz/i, units: FORCE },
  { names: /(^|[._/])(dz|heave|bounce|z|height|deflection|travel)/i, units: /^m$/ },
  { names: /(^|[._/])(vx|v|speed|forward|velocity)$/i, units: /^m\/s$/ },
];

// of other machines: where they are, how fast, by which forces
const MACHINE: Meaning[] = [
  { names: /./, units: ANGLE },
  { names: /./, units: /^(m|mm)$/ },
  { names: /./, units: FORCE },
  { names: /./, units: /^(rad\/s|m\/s)$/ },
  { names: /./, units: /^(A|V|W|Pa|bar)$/ },
];

const ENERGY = /energy|power|dissipat/i;
// how exact a run is, which its certificate tells
const CHECK = /balance|residual|gap/i;

/** The panes of a fresh view. */
export function firstPanes(channels: Channel[], isVehicle: boolean, stands: ReadonlySet<string> = new Set()): PaneState[] {
  const moving = channels.filter(({ name }) => !stands.has(name) && !CHECK.test(name));
  const left = new Set(moving.filter(({ name }) => !ENERGY.test(name)));
  const panes: string[][] = [];
  for (const { names, units } of [...(isVehicle ? VEHICLE : []), ...MACHINE]) {
    if (panes.length === MOST_PANES) break;
    const found = [...left].filter((channel) => names.test(channel.name) && (units?.test(channel.unit) ?? true)).slice(0, MOST_CURVES);
    if (found.length === 0 || new Set(found.map(({ unit }) => unit)).size > 2) continue;
    panes.push(found.map(({ name }) => name));
    for (const channel of left) if (found.some(({ unit }) => unit === channel.unit && !isVehicle) || found.includes(channel)) left.delete(channel);
  }
  const energy = moving.filter(({ name }) => ENERGY.test(name)).slice(0, MOST_CURVES);
  if (panes.length < MOST_PANES && energy.length > 0) panes.push(energy.filter(({ unit }) => unit === energy[0].unit).map(({ name }) => name));
  if (panes.length === 0 && moving.length > 0) panes.push([moving[0].name]);
  return panes.map((names) => ({ channels: names, difference: false }));
}

/** Channels that do not change in a run, as far as reading them is quick. */
export async function standingChannels(run: Run): Promise<Set<string>> {
  const { channels } = run.header;
  if (run.machine || run.times.length < 2 || run.times.length * channels.length > MOST_NUMBERS) return new Set();
  const columns = await Promise.all(channels.map((_, index) => run.column(index)));
  return new Set(channels.filter((_, index) => standsStill(columns[index])).map(({ name }) => name));
}

/** Whether numbers are the same but for rounding, of theirs or of a machine a metre large. */
export function standsStill(values: Float64Array): boolean {
  let [least, most] = [Infinity, -Infinity];
  for (const x of values) [least, most] = [Math.min(least, x), Math.max(most, x)];
  return !(most - least > 1e-9 * Math.max(Math.abs(least), Math.abs(most)) + 1e-13);
}

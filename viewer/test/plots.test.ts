// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves keep their extremes when thinned out; differences and tables are exact.
import assert from "node:assert/strict";
import test from "node:test";
import { difference, distance } from "../src/data/difference";
import { frameBefore, valueAt } from "../src/data/search";
import type { Channel } from "../src/data/header";
import { axisOffset } from "../src/plots/axis";
import { curvesToCsv } from "../src/plots/csv";
import { decimate } from "../src/plots/decimate";
import { firstPanes, standsStill } from "../src/plots/first-panes";

const times = Float64Array.from({ length: 100_000 }, (_, k) => 0.001 * k);
const wave = times.map((t) => Math.sin(t));

test("a thinned curve keeps a spike of one sample and both ends", () => {
  const values = wave.slice();
  values[54_321] = 40;
  values[777] = -40;
  const curve = decimate(times, values, 0, 100, 500);
  assert.ok(curve.t.length <= 1002);
  assert.equal(Math.max(...curve.y), 40);
  assert.equal(Math.min(...curve.y), -40);
  assert.equal(curve.t[curve.y.indexOf(40)], times[54_321]);
  assert.equal(curve.t[0], 0);
  assert.equal(curve.t[curve.t.length - 1], times[99_999]);
});

test("times of a thinned curve grow", () => {
  const { t } = decimate(times, wave, 10, 60, 300);
  for (let k = 1; k < t.length; k++) assert.ok(t[k] > t[k - 1]);
  assert.ok(t[0] <= 10 && t[t.length - 1] >= 60);
});

test("few samples are drawn as they are, one beyond each end", () => {
  const curve = decimate(times, wave, 10.0005, 10.0105, 500);
  assert.deepEqual([curve.t[0], curve.t[curve.t.length - 1], curve.t.length], [times[10_000], times[10_011], 12]);
});

test("nothing is drawn of nothing", () => {
  assert.deepEqual(decimate([], [], 0, 1, 10), { t: [], y: [] });
});

test("instants are found between samples", () => {
  const t = [0, 1, 2, 4];
  assert.deepEqual([-1, 0, 0.5, 2, 3.9, 9].map((x) => frameBefore(t, x)), [0, 0, 0, 2, 2, 3]);
  assert.equal(valueAt(t, [0, 10, 20, 0], 3), 10);
  assert.equal(valueAt(t, [0, 10, 20, 0], 9), 0);
});

test("a run has no distance from itself", () => {
  const column = { times, values: wave };
  assert.deepEqual(distance(column, column).largest, 0);
});

test("differences are exact at shared instants and linear between", () => {
  const reference = { times: [0, 1, 2, 3], values: [0, 0, 0, 0] };
  const other = { times: [0, 2], values: [1, 3] };
  const delta = difference(other, reference);
  assert.deepEqual([...delta.times], [0, 1, 2]);
  assert.deepEqual([...delta.values], [1, 2, 3]);
});

test("a distance knows its size, instant and scale", () => {
  const reference = { times, values: wave };
  const other = { times, values: wave.map((y, k) => (k === 500 ? y + 0.25 : y)) };
  const d = distance(other, reference);
  assert.equal(d.at, times[500]);
  assert.ok(Math.abs(d.largest - 0.25) < 1e-15);
  assert.ok(Math.abs(d.rms - 0.25 / Math.sqrt(100_000)) < 1e-15);
  assert.ok(d.scale > 0.999 && d.scale <= 1);
});

test("tables have quoted names, the range and numbers that read back", () => {
  const t = [0, 0.1, 0.2, 0.3];
  const text = curvesToCsv(
    [
      { name: "a, b", unit: "m", times: t, values: [1 / 3, 2, 3, 4] },
      { name: "c", unit: "", times: [0, 0.3], values: [0, 3] },
    ],
    0,
    0.1,
  );
  const lines = text.trimEnd().split("\n");
  assert.equal(lines[0], 'time [s],"a, b [m]",c');
  assert.equal(lines.length, 3);
  assert.equal(Number(lines[1].split(",")[1]), 1 / 3);
  assert.ok(Math.abs(Number(lines[2].split(",")[2]) - 1) < 1e-15);
});

const channel = (name: string, unit: string): Channel => ({ name, unit, type: "f64" });

test("the first plots are those that tell most", () => {
  const car = ["x:m", "y:m", "dz:m", "roll:rad", "pitch:rad", "yaw:rad", "yaw_rate:rad/s", "ay:m/s^2", "load_fl:N", "load_fr:N", "side_fl:N", "balance:J"].map((text) => channel(...(text.split(":") as [string, string])));
  const names = (panes: { channels: string[] }[]): string[][] => panes.map((pane) => pane.channels);
  assert.deepEqual(names(firstPanes(car, true)), [["yaw_rate", "ay"], ["roll", "pitch"], ["load_fl", "load_fr"]]);
  assert.deepEqual(names(firstPanes(car, true, new Set(["ay", "roll", "pitch"]))), [["yaw_rate"], ["load_fl", "load_fr"], ["dz"]]);
  const linkage = [channel("crank", "rad"), channel("rate", "rad/s"), channel("energy", "J"), channel("rocker", "rad"), channel("torque", "N m")];
  assert.deepEqual(names(firstPanes(linkage, false)), [["crank", "rocker"], ["torque"], ["rate"]]);
  assert.deepEqual(firstPanes([], false), []);
});

test("numbers that differ by rounding alone stand still", () => {
  assert.ok(standsStill(Float64Array.of(9.81, 9.81 + 1e-14, 9.81)));
  assert.ok(standsStill(Float64Array.of(0, 1e-18)));
  assert.ok(!standsStill(Float64Array.of(0, 1e-6)));
  assert.ok(standsStill(new Float64Array(0)));
});

test("axes take off what their numbers share", () => {
  assert.equal(axisOffset(0, 10), 0);
  assert.equal(axisOffset(99, 101), 0);
  assert.equal(axisOffset(101325.1, 101325.9), 101325 + 1);
  assert.equal(axisOffset(-2.00001, -2.00000), -2);
  assert.equal(axisOffset(5, 5), 0);
});

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames of a machine that goes on for hours: the latest stay, and memory does not grow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Balance } from "../src/live/balance";
import { History } from "../src/live/history";
import { reach } from "../src/live/reach";

const frame = (k: number): [number, Float64Array, Float64Array, Float64Array] => [0.01 * k, new Float64Array(14).fill(k), new Float64Array(6).fill(-k), new Float64Array([k, -k])];

test("a history keeps the latest frames in order", () => {
  const history = new History(2, 1, 2);
  for (let k = 0; k < 100_000; k++) history.add(...frame(k));
  assert.ok(history.count <= 24_000 && history.count >= 18_000);
  const times = history.allTimes;
  assert.equal(times[times.length - 1], 0.01 * 99_999);
  assert.ok(times.every((time, i) => i === 0 || Math.abs(time - times[i - 1] - 0.01) < 1e-9));
  const last = history.read(history.count - 1, history.count, 1);
  assert.deepEqual([...last.poses], new Array(14).fill(99_999));
  assert.deepEqual([...last.vectors], new Array(6).fill(-99_999));
  assert.equal(history.channel(1).at(-1), -99_999);
});

test("a copy of a history stays as it is", () => {
  const history = new History(2, 1, 2);
  for (let k = 0; k < 10; k++) history.add(...frame(k));
  const copy = history.copy();
  history.clear();
  history.add(...frame(77));
  assert.equal(copy.count, 10);
  assert.equal(copy.channel(0)[0], 0);
});

test("sliders reach to the limits, or around the value", () => {
  const quantity = { name: "k", unit: "N/m", value: 4, lower: -Infinity, upper: Infinity };
  assert.deepEqual(reach(quantity), [0.4, 8]);
  assert.deepEqual(reach({ ...quantity, value: -4 }), [-8, -0.4]);
  assert.deepEqual(reach(quantity, { lower: 0, upper: 20 }), [0, 20]);
  assert.deepEqual(reach({ ...quantity, lower: 1 }, { upper: 6 }), [1, 6]);
  assert.deepEqual(reach({ ...quantity, value: 0 }), [-1, 1]);
  assert.deepEqual(reach({ ...quantity, lower: 1, upper: 5 }), [1, 5]);
  assert.deepEqual(reach({ ...quantity, lower: 1 }), [1, 8]);
});

test("a balance of energy tells errors from jumps, and what is open", () => {
  interface Certificate { verdict: string; energy: { error: number; work: number } }
  const read = (balance: Balance): Certificate => balance.certificate(1, 10, 1e-3, true, "") as Certificate;
  const balance = new Balance();
  balance.begin(Float64Array.of(0, 10, 3, 0, 0));
  balance.add(Float64Array.of(4, 8, 5, 1e-12, 1e-10));
  assert.deepEqual(read(balance).energy, { start: 10, end: 12, work: 2, error: 0, scale: 4, relative_error: 0 });
  assert.equal(read(balance).verdict, "good");
  balance.jump(Float64Array.of(4, 108, 5, 0, 0));
  balance.add(Float64Array.of(5, 107, 5, 0, 0));
  assert.equal(read(balance).energy.error, 0);
  balance.add(Float64Array.of(6, 107, 5, 0, 0));
  assert.equal(read(balance).verdict, "doubtful");
  balance.begin(Float64Array.of(1, 0, 0, 1e-3, 0));
  assert.equal(read(balance).verdict, "doubtful");
  balance.begin(Float64Array.of(NaN, 0, 0, 0, 0));
  assert.equal(read(balance).verdict, "doubtful");
});

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Links lead back to the view they were made of; numbers are written for people; matrices are right.
import assert from "node:assert/strict";
import test from "node:test";
import { fileName } from "../src/panels/save-dialog";
import { between, BodyMatrices, multiply, poseToMatrix, scaledPose, transform, uprightTurn } from "../src/scene/matrix";
import { decodeView, encodeView } from "../src/view/link";
import { readable, steady, withUnit } from "../src/view/numbers";
import { initialState, Store, type ViewState } from "../src/view/state";

test("a link leads back to its view", () => {
  const view: ViewState = {
    ...initialState(),
    time: 1.25,
    speed: 0.5,
    loop: false,
    selection: { kind: "joint", index: 3 },
    follow: 2,
    overlays: new Set(["axes", "com"]),
    arrowScale: 2,
    trails: [{ body: 1, point: [0.1, -2, 3] }],
    hiddenBodies: new Set([4, 5]),
    clearBodies: new Set([0]),
    measure: [
      { body: -1, point: [1, 0, 0] },
      { body: 3, point: [0, 0.5, 0] },
    ],
    embed: true,
    sliders: ["fl/k leaf", "rack"],
    flat: true,
    panes: [
      { channels: ["a.x", "b & c"], difference: false },
      { channels: ["d"], difference: true },
    ],
    range: [0.5, 2],
    hiddenRuns: new Set([1]),
    reference: 2,
    layout: "side",
    theme: "dark",
    tab: "compare",
    camera: { position: [1, 2, 3], target: [0, 0, 0.5] },
  };
  assert.deepEqual({ ...initialState(), ...decodeView(`#${encodeView(view)}`) }, view);
});

test("words of a link that mean nothing are left out", () => {
  const view = decodeView("#t=soon&select=planet:3&show=axes,wings&camera=1,2&speed=-1&range=3,1&trail=1,2&trail=0.5,0,0,0&theme=pink");
  assert.deepEqual(view, { overlays: new Set(["axes"]), trails: [] });
});

test("listeners hear of what changed and of nothing else", () => {
  const store = new Store();
  const heard: string[] = [];
  store.on(["time"], () => heard.push("time"));
  store.on(["speed", "loop"], () => heard.push("speed"));
  store.update({ time: 1, theme: "dark" });
  store.update({ time: 1 });
  store.update({ loop: false, speed: 3 });
  assert.deepEqual(heard, ["time", "speed"]);
});

test("files have names that every system takes", () => {
  assert.deepEqual(["a/b", "../x", "run.PNG", "  ", "5 s"].map((name) => fileName(name, "png")), ["a-b.png", "x.png", "run.png", "articula.png", "5 s.png"]);
});

test("numbers are written short", () => {
  assert.deepEqual([5234, 0.5, 2.5e6].map((x) => withUnit(x, "N")), ["5.23 kN", "0.5 N", "2.5 MN"]);
  assert.deepEqual([0, 1.5, -0.000123456, 1.5e-9, 123456789, NaN].map((x) => readable(x)), ["0", "1.5", "−0.00012346", "1.5e−9", "1.2346e8", "–"]);
  assert.equal(readable(3e20), "3e20");
  assert.equal(steady(-1.23456), "−1.2346");
  assert.equal(steady(-1e-9), "0.0000");
});

test("a pose turns and moves points", () => {
  const q = Math.SQRT1_2;
  const m = new Float32Array(16);
  poseToMatrix(m, 0, [1, 2, 3, q, 0, 0, q], 0);
  const at = [0, 0, 0];
  transform(at, 0, m, 0, [1, 0, 0]);
  assert.ok(Math.hypot(at[0] - 1, at[1] - 3, at[2] - 3) < 1e-6);
});

test("products of matrices act one after the other", () => {
  const a = scaledPose([0, 0, 1, Math.cos(0.3), Math.sin(0.3), 0, 0], [1, 1, 1]);
  const b = scaledPose([0.5, 0, 0, Math.cos(0.7), 0, Math.sin(0.7), 0], [2, 3, 4]);
  const product = new Float32Array(16);
  multiply(product, 0, a, 0, b, 0);
  const [inner, twice, once] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  transform(inner, 0, b, 0, [0.2, -0.4, 0.6]);
  transform(twice, 0, a, 0, inner);
  transform(once, 0, product, 0, [0.2, -0.4, 0.6]);
  for (let c = 0; c < 3; c++) assert.ok(Math.abs(twice[c] - once[c]) < 1e-5);
});

test("ground stands behind the bodies and never moves", () => {
  const bodies = new BodyMatrices(1);
  bodies.set(Float32Array.from([5, 6, 7, 1, 0, 0, 0]));
  const at = [0, 0, 0];
  transform(at, 0, bodies.values, bodies.at(-1), [1, 2, 3]);
  assert.deepEqual(at, [1, 2, 3]);
  transform(at, 0, bodies.values, bodies.at(0), [1, 2, 3]);
  assert.deepEqual(at, [6, 8, 10]);
});

test("what is stretched between two points reaches from one to the other", () => {
  for (const to of [[1, 2, 3], [0, 0, -2], [4, 0, 0]]) {
    const m = new Float32Array(16);
    between(m, 0, [1, 1, 1], to, 0.1);
    const [start, end, side] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    transform(start, 0, m, 0, [0, 0, 0]);
    transform(end, 0, m, 0, [0, 0, 1]);
    transform(side, 0, m, 0, [1, 0, 0]);
    assert.ok(Math.hypot(...end.map((x, c) => x - to[c])) < 1e-6);
    assert.ok(Math.abs(Math.hypot(...side.map((x) => x - 1)) - 0.1) < 1e-6);
  }
});

test("up is where gravity does not pull", () => {
  for (const gravity of [[0, 0, -9.81], [0, -9.81, 0], [0, 9.81, 0], [-1.6, 0, 0], [3, 0, 0.1], [0, 0, 2], [0, 0, 0]]) {
    const m = new Float32Array(16);
    poseToMatrix(m, 0, [0, 0, 0, ...uprightTurn(gravity)], 0);
    const down = [0, 0, 0];
    transform(down, 0, m, 0, gravity);
    const size = Math.hypot(...gravity);
    assert.ok(down[2] <= -0.99 * size, `${gravity}: ${down}`);
  }
});

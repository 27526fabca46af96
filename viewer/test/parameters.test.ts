// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of a model file that have sliders beside them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parameterNumbers, written } from "../src/play/parameters";

const shown = (text: string) => parameterNumbers(text).map(({ name, value, from, to, place }) => [name, value, text.slice(from, to), text.slice(to, place)]);

test("numbers of the section have sliders, formulas and other sections have none", () => {
  const text = `articula: 1
# parameters: of what follows
parameters:
  crank: 0.2 m     # a comment
  speed: -1.5e2 rad/s

  rocker: = hypot(crank, 1)
  stiffness:
  plain: 3
  long: {value: 0.5 m, limits: [0.1, 2 m], help: "length, of the arm"}
bodies:
  rod: {mass: 2}
`;
  assert.deepEqual(shown(text), [
    ["crank", 0.2, "0.2", " m"],
    ["speed", -150, "-1.5e2", " rad/s"],
    ["plain", 3, "3", ""],
    ["long", 0.5, "0.5", " m"],
  ]);
  assert.deepEqual(parameterNumbers(text).map(({ range }) => range), [[0.02, 0.4], [-300, -15], [0.3, 6], [0.1, 2]]);
});

test("a mapping on one line has sliders behind its values", () => {
  assert.deepEqual(shown("parameters: {m: 2 kg, b: [1, 2], L: {value: 1 m}, k: = 2*m, c: 5}\nbodies: {m: 1}\n"), [["m", 2, "2", " kg"], ["L", 1, "1", " m"], ["c", 5, "5", ""]]);
  assert.deepEqual(shown("bodies:\n  a: 1\n"), []);
  assert.deepEqual(shown("parameters: {m: 2"), []);
});

test("ranges of the list of sliders count where they have the unit of the value", () => {
  const text = "parameters:\n  a: 0.2 m\n  b: 30 deg\n  z: 0\nlive:\n  - {name: a, range: [0.1 m, 0.5 m]}\n  - {name: b, range: [0 rad, 1 rad]}\n";
  assert.deepEqual(parameterNumbers(text).map(({ range }) => range), [[0.1, 0.5], [3, 60], [-1, 1]]);
});

test("sliders write few digits", () => {
  assert.equal(written(0.123456, [0.02, 0.4]), "0.123");
  assert.equal(written(12345.678, [1000, 25000]), "12300");
  assert.equal(written(0, [-1, 1]), "0");
});

test("every number that a slider would write is where the text has it", () => {
  for (const file of ["loops/four-bar", "vehicles/iltis-bump", "plant/excavator", "pendulum"]) {
    const text = readFileSync(`../models/${file}.yaml`, "utf8");
    const numbers = parameterNumbers(text);
    assert.ok(numbers.length > 0, file);
    for (const { name, value, from, to, range } of numbers) {
      assert.equal(Number(text.slice(from, to)), value);
      assert.match(text.slice(0, from), new RegExp(`\\b${name}:[^\\n]*$`));
      assert.ok(range[0] <= value && value <= range[1]);
    }
  }
});

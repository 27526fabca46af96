// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures become plainer until they are quick, better where there is time, and never swing between the two.
import assert from "node:assert/strict";
import test from "node:test";
import { segmentsOf } from "../src/scene/shapes";
import { FIRST_LEVEL, LEVELS, QualityKeeper } from "../src/view/quality";

/** Play so long at rates that depend on the level; the levels that were used. */
function play(keeper: QualityKeeper, milliseconds: (level: number) => number, pictures = 400): number[] {
  return Array.from({ length: pictures }, () => {
    keeper.tell(milliseconds(keeper.pace));
    return keeper.pace;
  });
}

test("levels go from the best to the quickest", () => {
  for (let k = 1; k < LEVELS.length; k++) {
    assert.ok(LEVELS[k].grain <= LEVELS[k - 1].grain);
    assert.ok(Number(LEVELS[k].shadows) <= Number(LEVELS[k - 1].shadows));
  }
  assert.deepEqual(LEVELS[FIRST_LEVEL], { grain: 1, shadows: false, detail: "coarse" });
});

test("a slow machine is given plainer pictures until thirty come in a second, and stays there", () => {
  const times = [900, 500, 200, 90, 50, 28, 20];
  const levels = play(new QualityKeeper(), (level) => times[level]);
  assert.equal(levels[399], 5);
  assert.equal(new Set(levels.slice(100)).size, 1);
});

test("where nothing is quick enough the quickest remains", () => {
  assert.equal(play(new QualityKeeper(), () => 200)[399], LEVELS.length - 1);
});

test("a quick machine comes to the best, one that fails there goes one back for good", () => {
  assert.equal(play(new QualityKeeper(), () => 16.7)[399], 0);
  const levels = play(new QualityKeeper(), (level) => (level === 0 ? 45 : 16.7));
  assert.equal(levels[399], 1);
  assert.equal(new Set(levels.slice(200)).size, 1);
});

test("at rest the next better picture is drawn while it will not take long", () => {
  const keeper = new QualityKeeper();
  assert.equal(keeper.atRest(3, 60), 2);
  assert.equal(keeper.atRest(2, 80), 2);
  assert.equal(keeper.atRest(0, 1), 0);
});

test("what is quick at rest is used in motion, unless it was too slow there", () => {
  const keeper = new QualityKeeper();
  assert.equal(keeper.atRest(2, 5), 1);
  assert.equal(keeper.pace, 2);
  play(keeper, (level) => (level <= 2 ? 40 : 25));
  assert.equal(keeper.pace, 3);
  keeper.atRest(2, 5);
  assert.equal(keeper.pace, 3);
});

test("what is large in the picture is rounder", () => {
  assert.equal(segmentsOf(0.001, "fine"), 12);
  assert.equal(segmentsOf(0.01, "fine"), 24);
  assert.equal(segmentsOf(0.3, "fine"), 48);
  for (const share of [0, 0.001, 0.01, 0.1, 1]) {
    const [fine, coarse, rough] = (["fine", "coarse", "rough"] as const).map((detail) => segmentsOf(share, detail));
    assert.equal(2 * coarse, fine);
    assert.ok(rough <= coarse && rough >= 6);
  }
});

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Colours of curves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { curveColour } from "../src/scene/palette";

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

test("the curves of a pane have colours of their own", () => {
  const colours = Array.from({ length: 48 }, (_, k) => curveColour(k));
  for (const colour of colours) assert.match(colour, /^#[0-9a-f]{6}$/);
  for (const [i, a] of colours.entries()) {
    for (const [j, b] of colours.entries()) {
      if (j >= i) continue;
      const apart = Math.hypot(...channels(a).map((x, c) => x - channels(b)[c]));
      assert.ok(apart > (i < 24 ? 18 : 6), `curves ${j} and ${i}: ${b}, ${a}`);
    }
  }
});

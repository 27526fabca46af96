// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What tests ask of an open page.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

export const state = (page: Page) => page.evaluate(() => {
  const { overlays, hiddenRuns, ...rest } = window.articula!.session.store.state;
  return { ...rest, overlays: [...overlays], hiddenRuns: [...hiddenRuns] };
});

/** Wait until the page has drawn what it was asked for. */
export const drawn = (page: Page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

export const near = (a: number, b: number, tolerance: number): void => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} within ${tolerance}`);

/** Text of a number as the page writes it. */
export const parsed = (text: string | null): number => Number((text ?? "").replaceAll("−", "-"));

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What tests ask of an open page.
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";

export const state = (page: Page) => page.evaluate(() => {
  const { overlays, hiddenRuns, hiddenBodies, clearBodies, ...rest } = window.articula!.session.store.state;
  return { ...rest, overlays: [...overlays], hiddenRuns: [...hiddenRuns], hiddenBodies: [...hiddenBodies], clearBodies: [...clearBodies] };
});

/** Wait until the page has drawn what it was asked for. */
export const drawn = (page: Page): Promise<void> => page.evaluate(() => window.articula!.settled());

/** Wait until a page that was opened has come to rest: its plots are there, and what plays by itself has begun. */
export const isReady = (page: Page | Frame) => page.waitForFunction(() => window.articula?.ready);

export const near = (a: number, b: number, tolerance: number): void => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} within ${tolerance}`);

/** Where a point of the scene is on the page, in pixels, once the page has drawn what it was asked for. */
export const pixel = async (page: Page, point: [number, number, number]) => {
  await drawn(page);
  return page.evaluate((at) => {
    const { stage } = window.articula!;
    const place = stage.project(stage.controls.target.clone().set(...at))!;
    const box = stage.renderer.domElement.getBoundingClientRect();
    return { x: box.left + place.x, y: box.top + place.y };
  }, point);
};

/** Text of a number as the page writes it. */
export const parsed = (text: string | null): number => Number((text ?? "").replaceAll("−", "-"));

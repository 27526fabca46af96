// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Fifty re-runs of the playground by a slider leave nothing behind: heap, nodes and listeners after garbage collection.
// ART_SOAK=1 switches it on; it needs the site (make site).
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CDPSession, Page } from "playwright-core";
import { bePatient, launch } from "./support/browser";

const PAGE = join(process.cwd(), "../build/site/pages/play.html");
const RUNS = 50;

// re-runs before: the first ones build the page with a ghost, and compilers fill their room
const WARMING = 60;
const skip = !process.env["ART_SOAK"] ? "takes minutes; ART_SOAK=1 switches it on" : !existsSync(PAGE) && "the playground has not been built (make site)";

interface Sizes {
  heap: number;
  buffers: number;
  nodes: number;
  listeners: number;
}

async function sizes(cdp: CDPSession): Promise<Sizes> {
  for (let k = 0; k < 3; k++) await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
  const usage = (await cdp.send("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
  return { heap: usage.usedSize, buffers: usage.backingStorageSize ?? 0, nodes: of("Nodes"), listeners: of("JSEventListeners") };
}

// one step of the slider, and the run of it
async function rerun(page: Page, k: number): Promise<void> {
  const viewer = page.frames()[1];
  const before = await viewer.evaluate(() => (window.articula!.session.runs[0].source as unknown as { id: string }).id);
  await page.getByLabel("Parameter L", { exact: true }).evaluate((slider: HTMLInputElement, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
    slider.dispatchEvent(new Event("change"));
  }, 0.8 + 0.01 * (k % 30));
  await viewer.waitForFunction((id) => (window.articula!.session.runs[0].source as unknown as { id: string }).id !== id, before);
  await page.waitForFunction(() => /^done/.test(document.querySelector(".status")!.textContent!));
}

test(`${RUNS} re-runs keep the memory of the playground flat`, { skip }, async () => {
  const browser = await launch();
  const page = await bePatient(await browser.newContext({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 0.25, offline: true })).newPage();
  await page.goto(`${pathToFileURL(PAGE).href}#example=models/pendulum.yaml`);
  await page.locator(".status").filter({ hasText: /^done/ }).waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  for (let k = 0; k < WARMING; k++) await rerun(page, k);
  const early = await sizes(cdp);
  for (let k = 0; k < RUNS; k++) await rerun(page, k + WARMING);
  const late = await sizes(cdp);
  console.log(`after ${WARMING} re-runs ${JSON.stringify(early)}, after ${RUNS} more ${JSON.stringify(late)}`);
  assert.ok(late.nodes <= early.nodes + 100, `nodes: ${early.nodes}, ${late.nodes}`);
  assert.ok(late.listeners <= early.listeners + 20, `listeners: ${early.listeners}, ${late.listeners}`);
  assert.ok(late.heap < early.heap + 1e6, `heap: ${early.heap}, ${late.heap}`);
  assert.ok(late.buffers < early.buffers + 1e6, `buffers: ${early.buffers}, ${late.buffers}`);
  await browser.close();
});

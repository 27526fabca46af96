// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How soon pages show their machine and how fast they play: node test/run.mjs bench PAGE... (LOADS=7, WINDOW=1280x800).
// The page `many` is a server with a thousand bodies over 100,000 frames; GL=gl-egl draws by a graphics processor.
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { FIRST_PICTURE } from "../src/view/marks";
import { LEVELS } from "../src/view/quality";
import { launch } from "./support/browser";
import { manyBodies } from "./support/machines";
import { SceneServer } from "./support/server";

const pages = process.argv.slice(2);
const loads = Number(process.env["LOADS"] ?? 7);
const [width, height] = (process.env["WINDOW"] ?? "1280x800").split("x").map(Number);

interface Playing {
  rate: number;
  level: number;
  calls: number;
  triangles: number;
}

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];
const milliseconds = (list: number[]): string => `${median(list).toFixed(0)} ms (${list.map((x) => x.toFixed(0)).join(" ")})`;

/** Load a page, and play it where that is wanted. */
async function load(browser: Browser, address: string, play: boolean): Promise<{ first: number; playing: Playing | null }> {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, FIRST_PICTURE);
  const first = await page.evaluate((name) => performance.getEntriesByName(name)[0].startTime, FIRST_PICTURE);
  const playing = play ? await page.evaluate(playFor, 12_000) : null;
  await context.close();
  return { first, playing };
}

/** In the page: play so many ms; the rate of the last third, when the page has found its pace. */
async function playFor(duration: number): Promise<Playing> {
  const app = window.articula!;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  app.session.store.update({ playing: true });
  await new Promise((resolve) => setTimeout(resolve, (2 * duration) / 3));
  const [frames, started] = [app.stats.frames, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, duration / 3));
  const rate = (1000 * (app.stats.frames - frames)) / (performance.now() - started);
  const { calls, triangles } = app.stage.renderer.info.render;
  return { rate, level: app.level, calls, triangles };
}

/** A drawing processor's name, as the page is told. */
function renderer(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  return gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "unknown";
}

const server = pages.includes("many") ? await SceneServer.start([{ name: "many", motion: manyBodies() }]) : null;
for (const file of pages) {
  const address = file === "many" && server ? server.address : pathToFileURL(file).href;
  const fresh = await launch();
  const cold = (await load(fresh, address, false)).first;
  const times: number[] = [];
  for (let k = 0; k < loads; k++) times.push((await load(fresh, address, false)).first);
  const { playing } = await load(fresh, address, true);
  const drawnBy = await (await fresh.newPage()).evaluate(renderer);
  await fresh.close();
  console.log(`${basename(file)}, window ${width} x ${height}, drawn by ${drawnBy}`);
  console.log(`  first picture, from the start of navigation: ${milliseconds(times)}; in a browser just started ${cold.toFixed(0)} ms`);
  if (!playing) continue;
  const { grain, shadows, detail } = LEVELS[playing.level];
  console.log(`  playing: ${playing.rate.toFixed(1)} pictures a second, at ${grain} pixels for one, ${shadows ? "with" : "without"} shadows, ${detail}; ${playing.calls} calls, ${playing.triangles} triangles`);
}
server?.stop();

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How soon the playground shows a machine in motion, and how fast it computes: node tools/site/first-motion.mjs [MODEL ...], after
// make site; of live pages, node tools/site/first-motion.mjs PAGE.html ..., the middle of five, with the processor time that the browser
// took meanwhile, which counts on a busy machine. In headless Chromium, which draws by software.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve("viewer/package.json"))("playwright-core");
const page = "build/site/pages/play.html";
const isLive = process.argv[2]?.endsWith(".html");
if (!isLive && !existsSync(page)) throw new Error(`${page} is not there; make site builds it`);
const models = process.argv.length > 2 ? process.argv.slice(2) : ["models/pendulum.yaml", "models/loops/four-bar.yaml", "models/vehicles/iltis-bump.yaml"];
const args = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });

/** s of processor time of the browser so far. */
async function processorTime() {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo");
  await tools.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Until the second instant of a live page is drawn: ms, and s of processor time. */
async function liveMotion(file) {
  const before = await processorTime();
  const tab = await browser.newPage({ viewport: { width: 1200, height: 760 }, deviceScaleFactor: 0.5 });
  await tab.goto(pathToFileURL(resolve(file)).href);
  const ms = await tab.waitForFunction(() => (window.articula?.session.store.state.time ?? 0) > 0 && performance.now(), null, { polling: 5 });
  const value = await ms.jsonValue();
  const spent = (await processorTime()) - before;
  await tab.close();
  return [value, spent];
}

const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];

for (const file of isLive ? models : []) {
  const all = [];
  for (let i = 0; i < 5; i++) all.push(await liveMotion(file));
  console.log(`${file}: in motion after ${middle(all.map(([ms]) => ms)).toFixed(0)} ms, ${middle(all.map(([, s]) => s)).toFixed(2)} s of the processor`);
}
for (const model of isLive ? [] : models) {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 760 }, deviceScaleFactor: 0.5 });
  const begun = Date.now();
  await tab.goto(`${pathToFileURL(page).href}#example=${model}`);
  await tab.waitForSelector("iframe");
  await tab.frames()[1].waitForFunction(() => (window.articula?.stats.frames ?? 0) > 0, null, { timeout: 60_000 });
  const first = Date.now() - begun;
  await tab.waitForFunction(() => /^done/.test(document.querySelector(".status").textContent), null, { timeout: 600_000 });
  console.log(`${model}: in motion after ${first} ms; ${(await tab.locator(".out").innerText()).split("\n")[0]}`);
  await tab.close();
}
await browser.close();

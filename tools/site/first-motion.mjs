// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How soon the playground shows a machine in motion, and how fast it computes: node tools/site/first-motion.mjs [MODEL ...], after
// make site. In headless Chromium, which draws by software.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve("viewer/package.json"))("playwright-core");
const page = "build/site/pages/play.html";
if (!existsSync(page)) throw new Error(`${page} is not there; make site builds it`);
const models = process.argv.length > 2 ? process.argv.slice(2) : ["models/pendulum.yaml", "models/loops/four-bar.yaml", "models/vehicles/iltis-bump.yaml"];
const args = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
for (const model of models) {
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory of a live page that plays: node tools/live-hour.mjs PAGE [MINUTES [SPEED]]. In headless Chromium, which draws by software; a row a
// minute: minutes, time of the machine in s, MB of objects after collection, MB of code that the browser has compiled and notes about it, MB
// of array buffers, of the page's process, pictures a second.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(resolve("viewer/package.json"))("playwright-core");
const [page, minutes = "60", speed = "1"] = process.argv.slice(2);
if (!page) throw new Error("which page? articula export MODEL --live PAGE writes one");
const args = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
const tab = await browser.newPage({ viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.5 });
await tab.goto(pathToFileURL(resolve(page)).href);
await tab.waitForFunction(() => (window.articula?.stats.frames ?? 0) > 0);
await tab.evaluate((speed) => window.articula.session.store.update({ speed, playing: true }), Number(speed));

const page_tools = await tab.context().newCDPSession(tab);
const browser_tools = await browser.newBrowserCDPSession();

/** Memory of the processes of pages, shared parts divided among them, in MB. */
async function processMemory() {
  const { processInfo } = await browser_tools.send("SystemInfo.getProcessInfo");
  const kB = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "latin1"))[1]));
  return kB.reduce((sum, x) => sum + x, 0) / 1e3;
}

/** Code, bytecode and feedback among the objects, by a snapshot of them, in MB. */
async function compiledCode() {
  let text = "";
  const take = ({ chunk }) => (text += chunk);
  page_tools.on("HeapProfiler.addHeapSnapshotChunk", take);
  await page_tools.send("HeapProfiler.takeHeapSnapshot");
  page_tools.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes } = JSON.parse(text);
  const { node_fields, node_types } = snapshot.meta;
  const [type, size] = ["type", "self_size"].map((name) => node_fields.indexOf(name));
  const code = node_types[type].indexOf("code");
  let bytes = 0;
  for (let i = 0; i < nodes.length; i += node_fields.length) if (nodes[i + type] === code) bytes += nodes[i + size];
  return bytes / 1e6;
}

async function row(minute, drawn) {
  await page_tools.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await page_tools.send("Runtime.getHeapUsage");
  const { time, frames, playing } = await tab.evaluate(() => ({ time: window.articula.session.store.state.time, frames: window.articula.stats.frames, playing: window.articula.session.store.state.playing }));
  if (!playing) throw new Error(`the machine stands still at ${time} s`);
  console.log([minute, time.toFixed(0), (usedSize / 1e6).toFixed(2), (await compiledCode()).toFixed(2), (backingStorageSize / 1e6).toFixed(1), (await processMemory()).toFixed(1), ((frames - drawn) / 60).toFixed(1)].join("  "));
  return frames;
}

console.log("min  machine, s  objects, MB  code, MB  buffers, MB  process, MB  pictures/s");
const begun = Date.now();
for (let minute = 1, drawn = 0; minute <= Number(minutes); minute++) {
  await new Promise((done) => setTimeout(done, begun + 6e4 * minute - Date.now()));
  drawn = await row(minute, drawn);
}
await browser.close();

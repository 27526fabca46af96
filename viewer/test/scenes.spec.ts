// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes that the page around the viewer hands over while they grow, scenes that are dropped, servers that end, and first clicks.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Frame, Page } from "playwright-core";
import { launch, openPage, plainPage } from "./support/browser";
import { car, doublePendulum } from "./support/machines";
import { VIEWER, writePage } from "./support/page";
import { isReady, near, state } from "./support/page-state";
import { sceneFile, type Motion } from "./support/scene-writer";
import { SceneServer } from "./support/server";

const folder = mkdtempSync(join(tmpdir(), "articula-scenes-"));
let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the first click on a plot goes to its instant", async () => {
  const path = writePage(join(folder, "fresh.html"), [{ name: "run", motion: doublePendulum(1) }]);
  const { page, complaints } = await openPage(browser, `${pathToFileURL(path).href}#t=0`, { width: 1200, height: 600 });
  const box = (await page.locator(".pane .u-over").first().boundingBox())!;
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  near((await state(page)).time, 5, 0.2);
  assert.equal((await state(page)).range, null);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("a damaged scene that is dropped is named, and the run stays", async () => {
  const path = writePage(join(folder, "run.html"), [{ name: "run", motion: doublePendulum(1) }]);
  const { page, complaints } = await openPage(browser, `${pathToFileURL(path).href}#t=0`);
  const drop = (name: string, text: string): Promise<void> => page.evaluate(([name, text]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, cancelable: true }));
  }, [name, text]);
  for (const [name, text] of [["broken.arts", "ARTSCENE and nothing behind it"], ["notes.txt", "no scene at all"]]) {
    await drop(name, text);
    await page.waitForFunction((name) => document.querySelector(".toast")?.textContent?.includes(name) || document.querySelector(".problem"), name);
    assert.equal(await page.textContent("h1"), "Double pendulum");
    assert.equal(await page.locator(".toast.shown").count(), 1);
  }
  await page.keyboard.press("End");
  assert.equal((await state(page)).time, 10);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("a server that has ended leaves the page as it is, with a word and without an error", async () => {
  const server = await SceneServer.start([{ name: "fine", motion: doublePendulum(2) }, { name: "coarse", motion: doublePendulum(1) }]);
  const { page, complaints } = await openPage(browser, `${server.address}#t=0&show=&plot=shoulder.angle`);
  server.stop();
  for (const key of ["v", "t", "r"]) await page.keyboard.press(key);
  await page.click("#tab-compare");
  await page.click("#tab-channels");
  await page.click('.row[data-channel="energy.total"]');
  await page.waitForFunction(() => /server does not answer/.test(document.querySelector("#compare .differences")?.textContent ?? ""));
  assert.deepEqual(complaints.filter((text) => !/net::ERR_|Failed to load resource/.test(text)), []);
  await page.context().close();
});

test("a page with a run shows it in a cell of a notebook, too", async () => {
  const inner = readFileSync(writePage(join(folder, "inner.html"), [{ name: "run", motion: doublePendulum(1) }]), "utf8");
  const outer = join(folder, "cell.html");
  const quoted = inner.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  writeFileSync(outer, `<!doctype html><meta charset="utf-8"><iframe srcdoc="${quoted}" style="border:0;width:100%;height:600px"></iframe>`);
  const page = await plainPage(browser);
  await page.goto(pathToFileURL(outer).href);
  const frame = page.frames().find((each) => each !== page.mainFrame())!;
  await isReady(frame);
  assert.equal(await frame.textContent("h1"), "Double pendulum");
  await page.context().close();
});

describe("scenes handed over by the page around the viewer", () => {
  let page: Page;
  const complaints: string[] = [];

  before(async () => {
    const outer = join(folder, "outer.html");
    const viewer = JSON.stringify(readFileSync(VIEWER, "utf8")).replaceAll("</", "<\\/");
    writeFileSync(outer, `<!doctype html><meta charset="utf-8"><body style="margin:0"><iframe style="border:0;width:100%;height:700px"></iframe><script>
      addEventListener("message", (event) => { if (event.data.articula === "ready") window.isReady = true; });
      window.frame = document.querySelector("iframe");
      frame.srcdoc = ${viewer};
      window.hand = (name, text, live) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
        frame.contentWindow.postMessage({ articula: "scene", name, bytes, certificate: null, live }, "*", [bytes]);
      };
    </script>`);
    page = await plainPage(browser);
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.setViewportSize({ width: 1100, height: 720 });
    await page.goto(pathToFileURL(outer).href);
    await page.waitForFunction("window.isReady");
  });
  after(() => page.context().close());

  const viewer = (): Frame => page.frames().find((frame) => frame !== page.mainFrame())!;
  const encoded = (motion: Motion): string => Buffer.from(sceneFile(motion)).toString("base64");
  /** Hand over a run, or more of it, and wait until the page has it. */
  const hand = async (name: string, motion: Motion, live: boolean): Promise<void> => {
    await page.evaluate(([name, text, live]) => (window as unknown as { hand(name: string, text: string, live: boolean): void }).hand(name as string, text as string, live as boolean), [name, encoded(motion), live] as const);
    await viewer().waitForFunction(([name, frames]) => window.articula?.ready && (window.articula.session.runs[0].source as unknown as { id: string }).id === name && window.articula.session.runs[0].times.length === frames, [name, motion.frames] as const);
    await isReady(viewer());
  };
  const shorter = (motion: Motion, frames: number): Motion => ({ ...motion, frames });
  /** Where the first body is, in shares of the canvas. */
  const place = () => viewer().evaluate(async () => {
    const app = window.articula!;
    await app.settled();
    const { x, y, z } = app.stage.controls.target.clone().fromArray([...app.session.runs[0].now.poses.subarray(0, 3)]);
    const at = app.stage.project(app.stage.controls.target.clone().set(x, y, z));
    const { width, height } = app.stage.renderer.domElement.getBoundingClientRect();
    return at ? { x: at.x / width, y: at.y / height } : null;
  });
  const isInside = (at: { x: number; y: number } | null): void => assert.ok(at && at.x > 0.05 && at.x < 0.95 && at.y > 0.05 && at.y < 0.95, JSON.stringify(at));
  const goTo = (share: number) => viewer().evaluate((share) => {
    const { session } = window.articula!;
    session.store.update({ playing: false, time: session.runs[0].start + share * (session.runs[0].end - session.runs[0].start) });
  }, share);

  test("a car that drives away while it is computed is followed, in the next run too", async () => {
    const motion = car(4);
    for (const name of ["run 1", "run 2"]) {
      for (const [frames, live] of [[3, true], [40, true], [200, true], [motion.frames, false]] as const) await hand(name, shorter(motion, frames), live);
      for (const share of [0, 0.5, 1]) {
        await goTo(share);
        isInside(await place());
      }
    }
    assert.equal((await viewer().evaluate(() => window.articula!.session.store.state.follow)), 0);
    // its whole way at once, from a place that stays
    await viewer().click("#path");
    assert.equal((await viewer().evaluate(() => window.articula!.session.store.state.follow)), null);
    const places = [];
    for (const share of [0, 0.5, 1]) {
      await goTo(share);
      places.push(await place());
      isInside(places.at(-1)!);
    }
    assert.ok(Math.hypot(places[2]!.x - places[0]!.x, places[2]!.y - places[0]!.y) > 0.2, JSON.stringify(places));
  });

  test("frames are counted alike everywhere while a run grows", async () => {
    const motion = doublePendulum(1);
    for (const [frames, live] of [[20, true], [300, true], [motion.frames, false]] as const) {
      await hand("growing", shorter(motion, frames), live);
      await viewer().evaluate(() => window.articula!.settled());
      const shown = await viewer().evaluate(() => [document.querySelector(".frame-count")!.textContent!.split("/")[1], document.querySelector("#inspector")!.textContent!.match(/Frames(\d+)/)![1]].map(Number));
      assert.deepEqual(shown, [frames, frames]);
    }
  });

  test("fifty runs after one another leave nothing behind", async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const motion = doublePendulum(1, "recursive", 1);
    const measure = async (): Promise<Record<string, number>> => {
      await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const repeat = async (from: number, to: number): Promise<void> => {
      for (let k = from; k < to; k++) await hand(`again ${k}`, motion, false);
    };
    await repeat(0, 10);
    const early = await measure();
    await repeat(10, 60);
    const late = await measure();
    for (const [name, most] of [["Nodes", 300], ["JSEventListeners", 30]] as const) assert.ok(late[name] - early[name] < most, `${name}: ${early[name]}, ${late[name]}`);
    assert.ok(late["JSHeapUsedSize"] - early["JSHeapUsedSize"] < 4e6, `bytes: ${early["JSHeapUsedSize"]}, ${late["JSHeapUsedSize"]}`);
    assert.deepEqual(complaints, []);
  });
});

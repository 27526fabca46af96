// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The built page in headless Chromium: from disk without network, and from a server with a thousand bodies.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, launch, openPage, plainPage, type WatchedPage } from "./support/browser";
import { FIRST_PICTURE, SCENES_READ, SCRIPT } from "../src/view/marks";
import { certificate, doublePendulum, MANY, manyBodies } from "./support/machines";
import { VIEWER, writePage } from "./support/page";
import { drawn, isReady, near, parsed, pixel, state } from "./support/page-state";
import { SceneServer } from "./support/server";

if (!chromiumPath()) throw new Error("no chromium: install it, or name it in CHROMIUM");

const fine = doublePendulum(10);
const coarse = doublePendulum(1, "index3");
// the masses of the pendulum at its start
const KNEE: [number, number, number] = [Math.sin(1.6), 0, -Math.cos(1.6)];
const TIP: [number, number, number] = [KNEE[0] + Math.sin(1.1), 0, KNEE[2] - Math.cos(1.1)];
const folder = mkdtempSync(join(tmpdir(), "articula-viewer-"));

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a page with two runs inside, opened from disk", () => {
  let watched: WatchedPage;
  let page: Page;
  const requests: string[] = [];

  before(async () => {
    const path = writePage(join(folder, "two.html"), [
      { name: "fine", motion: fine, certificate: certificate("recursive", 1e-9) },
      { name: "coarse", motion: coarse, certificate: certificate("index3", 3e-5) },
    ]);
    watched = await openPage(browser, `${pathToFileURL(path).href}#t=0&show=`, { width: 1400, height: 560, offline: true, onRequest: (url) => requests.push(url) });
    page = watched.page;
  });
  after(() => page.context().close());

  test("asks nothing of any network", () => {
    assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  });

  test("marks when the machine was drawn first", async () => {
    const marks = await page.evaluate(() => performance.getEntriesByType("mark").map(({ name, startTime }) => ({ name, startTime })));
    const at = [SCRIPT, SCENES_READ, FIRST_PICTURE].map((name) => marks.filter((mark) => mark.name === name).map((mark) => mark.startTime));
    assert.deepEqual(at.map((times) => times.length), [1, 1, 1]);
    assert.ok(at[0][0] <= at[1][0] && at[1][0] <= at[2][0]);
  });

  test("shows the machine by its title and lists its parts", async () => {
    assert.equal(await page.textContent("h1"), "Double pendulum");
    assert.deepEqual(await page.$$eval(".tree .row[data-kind=body] .name", (rows) => rows.map((row) => row.textContent)), ["upper", "lower"]);
  });

  test("plays and pauses", async () => {
    await page.click("#play");
    await page.waitForFunction(() => window.articula!.session.store.state.time > 0.05);
    await page.keyboard.press("Space");
    const paused = (await state(page)).time;
    await drawn(page);
    assert.equal((await state(page)).time, paused);
    assert.equal((await state(page)).playing, false);
  });

  test("scrubs, steps onto frames, changes speed", async () => {
    await page.$eval("#scrub", (slider: HTMLInputElement) => {
      slider.value = "0.5";
      slider.dispatchEvent(new Event("input"));
    });
    assert.equal((await state(page)).time, 5);
    await drawn(page);
    assert.equal(await page.textContent("#clock"), "5.00 s");
    assert.equal(await page.textContent(".frame-count"), "251 / 501");
    await page.locator("#scrub").blur();
    await page.keyboard.press("ArrowRight");
    assert.equal((await state(page)).time, fine.at(251).time);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.equal((await state(page)).time, fine.at(241).time);
    await page.keyboard.press("ArrowUp");
    assert.equal((await state(page)).speed, 2);
    await page.keyboard.press("End");
    assert.equal((await state(page)).time, 10);
    await page.keyboard.press("Home");
    assert.equal((await state(page)).time, 0);
  });

  test("selects what is clicked in the scene and tells about it", async () => {
    const place = await pixel(page, TIP);
    await page.mouse.click(place.x, place.y);
    assert.deepEqual((await state(page)).selection, { kind: "body", index: 1 });
    const text = await page.textContent("#inspector");
    assert.match(text ?? "", /lower/);
    assert.match(text ?? "", /1 kg/);
    await page.keyboard.press("Escape");
    assert.equal((await state(page)).selection, null);
  });

  test("hides bodies, shows them alone, and looks through them", async () => {
    const { x, y } = await pixel(page, TIP);
    const under = async () => {
      await drawn(page);
      await page.mouse.click(x, y);
      return (await state(page)).selection?.index ?? null;
    };
    assert.equal(await under(), 1);
    await page.keyboard.press("x");
    assert.deepEqual((await state(page)).hiddenBodies, [1]);
    assert.ok(await page.locator(".row.hidden-body", { hasText: "lower" }).isVisible());
    assert.equal(await under(), null);
    await page.keyboard.press("u");
    assert.equal(await under(), 1);
    await page.keyboard.press("i");
    assert.deepEqual((await state(page)).hiddenBodies, [0]);
    await page.keyboard.press("i");
    assert.deepEqual((await state(page)).hiddenBodies, []);
    await page.locator("#inspector .action", { hasText: "See through" }).click();
    assert.deepEqual((await state(page)).clearBodies, [1]);
    assert.equal(await under(), 1);
    await page.hover('.tree .row[data-kind=body][data-index="0"]');
    await page.click('.tree .row[data-index="0"] [data-act=hide]');
    assert.deepEqual((await state(page)).hiddenBodies, [0]);
    await page.keyboard.press("u");
    assert.deepEqual((await state(page)).clearBodies, []);
    await page.keyboard.press("Escape");
  });

  test("looks along the axes without perspective", async () => {
    const spread = async (depth: [number, number, number]): Promise<number> => {
      const [a, b] = [await pixel(page, [0, 0, 0]), await pixel(page, depth)];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    for (const [key, depth] of [["2", [1, 0, 0]], ["3", [0, 1, 0]], ["4", [0, 0, 1]]] as const) {
      await page.keyboard.press(key);
      await drawn(page);
      assert.equal((await state(page)).flat, true);
      assert.ok((await spread([...depth])) < 0.5, key);
    }
    await page.keyboard.press("1");
    assert.equal((await state(page)).flat, false);
    await page.keyboard.press("o");
    assert.ok(await page.$eval("#flat", (button) => button.getAttribute("aria-pressed") === "true"));
    await page.keyboard.press("o");
    await page.keyboard.press("0");
  });

  test("measures between points that move", async () => {
    await page.keyboard.press("m");
    // joints attract: the click is a few pixels away from the shoulder, which is fixed in the upper bar
    const [shoulder, tip] = [await pixel(page, [0, 0, 0]), await pixel(page, TIP)];
    await page.mouse.click(shoulder.x + 3, shoulder.y - 3);
    await page.mouse.click(tip.x + 2, tip.y);
    const read = async () => (await page.$$eval("#ruler .number", (cells) => cells.map((cell) => cell.textContent))).map(parsed);
    const [length, x, y, z] = await read();
    near(length, Math.hypot(...TIP), 0.03);
    near(Math.hypot(x, y, z), length, 2e-4);
    await page.evaluate(() => window.articula!.session.store.update({ time: 1 }));
    await drawn(page);
    const { poses } = fine.at(50);
    const [moved] = await read();
    assert.ok(moved <= 2.03 && Math.abs(moved - length) > 0.05, `${moved} at another instant`);
    await page.evaluate(() => window.articula!.session.store.update({ measure: [{ body: -1, point: [0, 0, 0] }, { body: 1, point: [0, 0, 0] }] }));
    await drawn(page);
    const exact = await read();
    [Math.hypot(poses[7], poses[8], poses[9]), poses[7], poses[8], poses[9]].forEach((value, k) => near(exact[k], value, 6e-5));
    await page.click("#ruler button");
    assert.deepEqual(await page.evaluate(() => [window.articula!.session.store.state.tool, window.articula!.session.store.state.measure.length]), ["look", 0]);
    await page.keyboard.press("Home");
  });

  test("selects from the list after a search and shows where the body is and how fast", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("low");
    assert.equal(await page.locator(".tree .row:visible").count(), 1);
    await page.click(".tree .row[data-kind=body]");
    await page.fill("#search-parts", "");
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.articula!.session.store.update({ time: 2.34 }));
    await drawn(page);
    const values = await page.$$eval("#inspector .values .number", (cells) => cells.map((cell) => cell.textContent));
    const { poses, velocities } = fine.at(117);
    near(parsed(values[0]), poses[7], 6e-5);
    near(parsed(values[2]), poses[9], 6e-5);
    near(parsed(values[6]), velocities[6], 6e-5);
  });

  test("follows a body", async () => {
    await page.keyboard.press("f");
    const before = await page.evaluate(() => window.articula!.stage.cameraState.target);
    await page.evaluate(() => window.articula!.session.store.update({ time: 3 }));
    await drawn(page);
    const after = await page.evaluate(() => window.articula!.stage.cameraState.target);
    const [a, b] = [fine.at(117).poses, fine.at(150).poses];
    near(after[0] - before[0], b[7] - a[7], 1e-5);
    near(after[2] - before[2], b[9] - a[9], 1e-5);
    await page.keyboard.press("f");
    assert.equal((await state(page)).follow, null);
  });

  test("switches axes, frames, centres, arrows and trails", async () => {
    await page.keyboard.press("0");
    const picture = (): Promise<string> =>
      page.evaluate(() => {
        window.articula!.stage.render();
        return window.articula!.stage.renderer.domElement.toDataURL();
      });
    const changedFrom = async (before: string): Promise<boolean> => {
      // arrows and trails read the whole run first
      for (const end = Date.now() + 60_000; Date.now() < end; ) {
        await drawn(page);
        if ((await picture()) !== before) return true;
      }
      return false;
    };
    for (const [key, overlay] of [["g", "ground"], ["a", "axes"], ["b", "frames"], ["c", "com"], ["v", "forces"], ["r", "reactions"], ["t", "trails"]] as const) {
      await drawn(page);
      const before = await picture();
      await page.keyboard.press(key);
      assert.ok((await state(page)).overlays.includes(overlay), overlay);
      assert.ok(await changedFrom(before), `${overlay} changes nothing`);
    }
    assert.equal((await state(page)).trails.length, 1);
    // which fills most of the picture
    await page.keyboard.press("g");
    await page.waitForFunction(() => ["forces", "reactions"].every((kind) => document.querySelector("#arrow-legend")!.textContent!.includes(kind)) && document.querySelector(".arrow-labels span:not([hidden])"));
    // the pull of gravity on two kilograms at least is among the reactions
    const legend = (await page.textContent("#arrow-legend")) ?? "";
    for (const kind of ["forces", "reactions"]) assert.match(legend, new RegExp(`${kind}up to [\\d.]+ k?N`));
    const labels = await page.$$eval(".arrow-labels span:not([hidden])", (all) => all.map((label) => label.textContent));
    assert.ok(labels.length > 0 && labels.every((text) => /^[\d.]+ k?N/.test(text ?? "")), labels.join());
  });

  test("plots a channel, zooms, and goes to a clicked instant", async () => {
    await page.keyboard.press("p");
    await page.click("#tab-channels");
    await page.fill("#search-channels", "rate");
    await page.click('.row[data-channel="shoulder.rate"]');
    const pane = page.locator(".pane").nth(3);
    await pane.locator(".entry").first().waitFor();
    assert.match((await pane.textContent()) ?? "", /shoulder\.rate · coarse/);
    near(parsed(await pane.locator(".entry b").first().textContent()), fine.at(150).channels[2], 1e-4);
    const box = (await pane.locator(".u-over").boundingBox())!;
    const across = (share: number): [number, number] => [box.x + share * box.width, box.y + box.height / 2];
    await page.mouse.move(...across(0.2));
    await page.mouse.down();
    await page.mouse.move(...across(0.4), { steps: 3 });
    await page.mouse.up();
    const { range } = await state(page);
    near(range![0], 2, 0.1);
    near(range![1], 4, 0.1);
    await drawn(page);
    await page.mouse.click(...across(0.5));
    near((await state(page)).time, 3, 0.1);
    await page.mouse.dblclick(...across(0.5));
    assert.equal((await state(page)).range, null);
  });

  test("compares the runs: differences in numbers, curves and pictures", async () => {
    await page.click("#tab-compare");
    await page.locator("table.differences tbody tr").first().waitFor();
    const row = page.locator("table.differences tbody tr", { hasText: "shoulder.rate" });
    let largest = 0;
    for (let k = 0; k < fine.frames; k++) largest = Math.max(largest, Math.abs(fine.at(k).channels[2] - coarse.at(k).channels[2]));
    near(parsed(await row.locator("td").first().textContent()), largest, 0.005 * largest);
    await row.click();
    assert.deepEqual((await state(page)).panes[4], { channels: ["shoulder.rate"], difference: true });
    await page.locator(".pane").nth(4).locator(".entry").waitFor();
    await page.click("#layout-side");
    assert.deepEqual(await page.$$eval(".panel-names span", (names) => names.map((name) => name.textContent)), ["fine", "coarse"]);
    await page.click("#layout-overlay");
    await page.locator(".run-row input[type=checkbox]").nth(1).click();
    assert.deepEqual((await state(page)).hiddenRuns, [1]);
    await page.locator(".run-row input[type=checkbox]").nth(1).click();
  });

  test("shows both certificates", async () => {
    await page.click("#tab-certificate");
    const text = (await page.textContent("#certificate")) ?? "";
    for (const word of ["finished", "Relative error", "3.226e−11", "9.677e−7", "Redundant constraints of fine", "row 3 of 'hinge'", "index3"]) assert.ok(text.includes(word), word);
  });

  test("saves a picture", async () => {
    await page.click("#save-picture");
    await page.fill("#save-name", "two/../pendulums");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    assert.equal(download.suggestedFilename(), "two-..-pendulums.png");
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.readUInt32BE(16) > 300 && bytes.length > 5000);
  });

  test("records a video of the run, once through", async () => {
    await page.evaluate(() => window.articula!.session.store.update({ speed: 10 }));
    await page.keyboard.press("n");
    await page.fill("#save-name", "swing");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-now")]);
    assert.match(download.suggestedFilename(), /^swing\.(mp4|webm)$/);
    const bytes = readFileSync(await download.path());
    const isVideo = bytes.readUInt32BE(0) === 0x1a45dfa3 || bytes.subarray(4, 8).toString() === "ftyp";
    assert.ok(isVideo && bytes.length > 2000, `${bytes.length} bytes, ${bytes.subarray(0, 8).toString("hex")}`);
    const after = await state(page);
    assert.deepEqual([after.playing, after.loop], [false, true]);
    await page.evaluate(() => window.articula!.session.store.update({ speed: 1 }));
  });

  test("saves the curves of the active plot", async () => {
    await page.evaluate(() => window.articula!.session.store.update({ activePane: 3 }));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-csv")]);
    const lines = readFileSync(await download.path(), "utf8").trimEnd().split("\n");
    assert.equal(lines[0], "time [s],shoulder.rate · fine [rad/s],shoulder.rate · coarse [rad/s]");
    assert.equal(lines.length, fine.frames + 1);
    assert.deepEqual(lines[301].split(",").map(Number), [fine.at(300).time, fine.at(300).channels[2], coarse.at(300).channels[2]]);
  });

  test("makes a link that leads to the same view", async () => {
    await page.keyboard.press("k");
    const wanted = await state(page);
    const camera = await page.evaluate(() => window.articula!.stage.cameraState);
    const address = page.url();
    assert.match(address, /#t=/);
    await page.goto("about:blank");
    await page.goto(address);
    await isReady(page);
    const found = await state(page);
    near(found.time, wanted.time, 1e-6);
    for (const key of ["selection", "overlays", "trails", "panes", "tab", "layout"] as const) assert.deepEqual(found[key], wanted[key], key);
    const again = await page.evaluate(() => window.articula!.stage.cameraState);
    for (let c = 0; c < 3; c++) near(again.position[c], camera.position[c], 1e-5);
  });

  test("has a sheet of keys, and is light or dark", async () => {
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#help"));
    await page.keyboard.press("Escape");
    assert.ok(!(await page.isVisible("#help")));
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
    assert.equal(await theme(), "light");
    const colour = (): Promise<string> => page.$eval(".bar", (bar) => getComputedStyle(bar).backgroundColor);
    const light = await colour();
    await page.keyboard.press("d");
    assert.equal(await theme(), "dark");
    assert.notEqual(await colour(), light);
  });

  test("can be used by keys alone", async () => {
    await page.click("#tab-model");
    await page.keyboard.press("/");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "upper");
    await page.keyboard.press("Enter");
    assert.deepEqual((await state(page)).selection, { kind: "body", index: 0 });
    // tabs are one stop of the Tab key, arrows go from one to the next
    await page.focus("#tab-model");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-channels");
    assert.ok(await page.isVisible("#search-channels"));
    assert.deepEqual(await page.$$eval("aside.left [role=tab]", (tabs) => tabs.map((tab) => (tab as HTMLElement).tabIndex)), [-1, 0]);
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.isVisible("#search-parts"));
    const nameless = await page.$$eval("button, input, select, [role=img], dialog", (all) =>
      all.filter((part) => !part.textContent?.trim() && !part.ariaLabel && !part.closest("label")).map((part) => part.outerHTML),
    );
    assert.deepEqual(nameless, []);
  });

  test("fits a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction(() => window.articula!.stage.renderer.domElement.clientWidth === 390);
    await drawn(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 390);
    assert.ok((await page.$eval("h1", (title) => title.clientWidth)) > 120, "the title has room");
    const places = await page.evaluate(() => ["#viewport", ".transport", "#plots", "aside.right", "aside.left"].map((part) => document.querySelector(part)!.getBoundingClientRect()).map(({ top, width }) => ({ top, width })));
    places.forEach(({ top, width }, k) => {
      assert.equal(width, 390);
      assert.ok(k === 0 || top > places[k - 1].top);
    });
    // plots lie below one another, as wide as the page
    await page.evaluate(() => window.articula!.session.store.update({ panes: [{ channels: ["shoulder.angle"], difference: false }, { channels: ["elbow.angle"], difference: false }] }));
    const panes = await page.$$eval(".pane", (all) => all.map((pane) => pane.getBoundingClientRect()).map(({ top, bottom, width, height }) => ({ top, bottom, width, height })));
    assert.equal(panes.length, 2);
    for (const { width, height } of panes) assert.ok(width === 390 && height > 200, `${width} x ${height}`);
    assert.ok(panes[1].top >= panes[0].bottom);
    // and the machine below the switches
    const { bar, machine } = await page.evaluate(() => {
      const { stage } = window.articula!;
      stage.frameDefault();
      stage.render();
      const { min, max } = stage.framed;
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => min.clone().set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
      const top = document.querySelector("#viewport")!.getBoundingClientRect().top;
      return { bar: document.querySelector(".overlay-bar")!.getBoundingClientRect().bottom - top, machine: corners.map((corner) => stage.project(corner)!) };
    });
    for (const { x, y } of machine) assert.ok(x > 0 && x < 390 && y > bar, `${x}, ${y}, ${bar}`);
  });

  test("has complained of nothing", () => assert.deepEqual(watched.complaints, []));
});

describe("a thousand bodies in a hundred thousand frames", () => {
  let server: SceneServer;
  let watched: WatchedPage;
  const many = manyBodies();

  before(async () => {
    server = await SceneServer.start([{ name: "many", motion: many }]);
    watched = await openPage(browser, `${server.address}#t=0&show=`);
  });
  after(async () => {
    await watched.page.context().close();
    server.stop();
  });

  test("move with less than 16 ms of our own work for each picture", async (context) => {
    const { page } = watched;
    const measured = await page.evaluate(async () => {
      const app = window.articula!;
      const { store } = app.session;
      const times: number[] = [];
      const calls: number[] = [];
      store.update({ playing: true });
      const started = performance.now();
      while (times.length < 12) {
        const { frames } = app.stats;
        await new Promise(requestAnimationFrame);
        if (app.stats.frames === frames || store.state.time === 0) continue;
        times.push(app.stats.moving);
        calls.push(app.stats.drawing);
      }
      const seconds = (performance.now() - started) / 1000;
      store.update({ playing: false });
      // the least is our own work: what comes on top is that of others on the same cores
      return { moving: Math.min(...times), drawing: Math.min(...calls), rate: times.length / seconds };
    });
    context.diagnostic(`${MANY} bodies: moving ${measured.moving.toFixed(2)} ms, calls for the picture ${measured.drawing.toFixed(2)} ms; ${measured.rate.toFixed(1)} pictures a second, drawn by software`);
    assert.ok(measured.moving + measured.drawing < 16);
  });

  test("are reached anywhere in the run without reading all of it", async () => {
    const { page } = watched;
    await page.evaluate(() => window.articula!.session.store.update({ time: 77.7775 }));
    await page.waitForFunction(() => {
      const { now } = window.articula!.session.runs[0];
      return Math.abs(now.poses[2] - (1 + 0.5 * Math.sin(2 * 77.7775 + 0.4 * -20 + 0.3 * -12))) < 1e-3;
    });
    const frames = server.requests.filter((request) => request.includes("/frames?") && !request.includes("every=")).length;
    assert.ok(frames < 40, `${frames} requests for frames`);
    assert.deepEqual(watched.complaints, []);
  });
});

test("without 3-D graphics the page says what to do", async () => {
  const page = await plainPage(browser);
  await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  await page.goto(pathToFileURL(join(folder, "two.html")).href);
  await page.waitForSelector(".problem");
  assert.match((await page.textContent(".problem")) ?? "", /WebGL 2.*hardware acceleration.*articula report/s);
  await page.context().close();
});

test("a page whose scene is damaged says so", async () => {
  const path = join(folder, "damaged.html");
  const block = '<script type="application/x-articula-scene" data-name="x">AAAA</script>';
  writeFileSync(path, readFileSync(VIEWER, "utf8").replace("<!--articula-scenes-->", block));
  const page = await plainPage(browser);
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector(".problem");
  assert.match((await page.textContent(".problem")) ?? "", /cannot be shown/);
  await page.context().close();
});

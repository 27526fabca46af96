// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results of the program in headless Chromium: from its server, in its page, while it computes, and as glTF.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { launch, openPage, plainPage, type WatchedPage } from "./support/browser";
import { drawn, isReady, near, parsed, pixel, state } from "./support/page-state";
import { call, model, program, readTable, serve, type Serving } from "./support/program";

const folder = mkdtempSync(join(tmpdir(), "articula-program-"));
const [plain, natural, glb] = ["plain", "natural", "plain.glb"].map((name) => join(folder, name));
const options = { skip: program ? false : "the program has not been built" };

let browser: Browser;
before(async () => {
  if (!program) return;
  for (const [result, ...words] of [[plain], [natural, "--method", "index3"]])
    call("run", model("double-pendulum.yaml"), "--until", "2", "--interval", "0.02", "--quiet", "-o", result, ...words);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Go to an instant with the slider. */
const scrub = (page: Page, share: number) =>
  page.$eval("#scrub", (slider: HTMLInputElement, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
  }, share);

describe("two results that the program serves", options, () => {
  let serving: Serving;
  let watched: WatchedPage;
  let page: Page;
  const first = (): ReturnType<typeof readTable> => readTable(join(plain, "results.csv"));

  before(async () => {
    serving = await serve("view", plain, natural);
    watched = await openPage(browser, `${serving.address}/#t=0&show=ground&plot=x2|y2`);
    page = watched.page;
  });
  after(() => page.context().close());

  test("are loaded with their names, parts and rows", async () => {
    assert.equal(await page.textContent("h1"), "Double pendulum released from the horizontal");
    assert.deepEqual(await page.$$eval(".tree .row[data-kind=body] .name", (rows) => rows.map((row) => row.textContent)), ["upper", "lower"]);
    assert.equal(await page.textContent(".frame-count"), `1 / ${first().rows}`);
  });

  test("play, pause, and stand where they are put", async () => {
    await page.click("#play");
    await page.waitForFunction(() => window.articula!.session.store.state.time > 0.05);
    await page.click("#play");
    assert.equal((await state(page)).playing, false);
    await scrub(page, 0.75);
    assert.equal((await state(page)).time, 1.5);
    await drawn(page);
    // the tip of the lower bar is a metre along its x axis
    const tip = await page.evaluate(() => {
      const [x, y, , w, i, j, k] = window.articula!.session.runs[0].now.poses.subarray(7, 14);
      return [x + 1 - 2 * (j * j + k * k), y + 2 * (i * j + w * k)];
    });
    near(tip[0], first().column("x2")[75], 1e-6);
    near(tip[1], first().column("y2")[75], 1e-6);
  });

  test("are plotted with the numbers of results.csv", async () => {
    await page.locator(".pane .entry").nth(3).waitFor();
    const labels = await page.$$eval(".pane .entry .name", (names) => names.map((name) => name.textContent));
    assert.deepEqual(labels, ["x2 · plain", "x2 · natural", "y2 · plain", "y2 · natural"]);
    await drawn(page);
    near(parsed(await page.textContent(".pane .entry b")), first().column("x2")[75], 6e-5);
  });

  test("tell about a part that is selected", async () => {
    await page.click('.tree .row[data-kind=body][data-index="1"]');
    assert.deepEqual((await state(page)).selection, { kind: "body", index: 1 });
    const values = await page.$$eval("#inspector .values .number", (cells) => cells.map((cell) => cell.textContent));
    near(parsed(values[0]), first().column("x1")[75], 6e-5);
    near(parsed(values[1]), first().column("y1")[75], 6e-5);
  });

  test("are compared: the largest difference is that of the tables", async () => {
    await page.click("#tab-compare");
    const row = page.locator("table.differences tbody tr", { hasText: "theta2" });
    await row.waitFor();
    const [a, b] = [plain, natural].map((result) => readTable(join(result, "results.csv")).column("theta2"));
    const largest = Math.max(...a.map((value, k) => Math.abs(value - b[k])));
    near(parsed(await row.locator("td").first().textContent()), largest, 0.005 * largest);
  });

  test("show their certificates", async () => {
    await page.click("#tab-certificate");
    const text = (await page.textContent("#certificate")) ?? "";
    for (const word of ["finished", "Relative error", "dopri5", "index3"]) assert.ok(text.includes(word), word);
  });

  test("are saved as picture, table and link", async () => {
    const saved = async (button: string): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      return readFileSync(await download.path());
    };
    await page.click("#save-picture");
    assert.equal((await saved("#save-now")).subarray(1, 4).toString(), "PNG");
    const lines = (await saved("#save-csv")).toString().trimEnd().split("\n");
    assert.equal(lines[0], "time [s],x2 · plain [m],x2 · natural [m],y2 · plain [m],y2 · natural [m]");
    assert.equal(Number(lines[76].split(",")[1]), first().column("x2")[75]);
    await page.click("#copy-link");
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await isReady(page);
    const { time, selection, tab } = await state(page);
    assert.deepEqual({ time, selection, tab }, { time: 1.5, selection: { kind: "body", index: 1 }, tab: "certificate" });
    assert.deepEqual(watched.complaints, []);
  });

  test("end with Ctrl-C, and the page says that there is no server any more", async () => {
    assert.equal(await serving.interrupt(), 0);
    await page.click("#tab-channels");
    await page.click('.row[data-channel="energy"]');
    await page.waitForSelector(".pane .hint");
    assert.match((await page.textContent(".pane .hint")) ?? "", /server does not answer/);
    // the browser tells of requests that were under way when the server went, and of those that came later
    const gone = /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|CONNECTION_CLOSED|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)/;
    assert.deepEqual(watched.complaints.filter((text) => !gone.test(text)), []);
  });
});

test("a page that the program writes opens from disk and asks for nothing", options, async () => {
  const path = join(folder, "page.html");
  call("view", plain, "--html", path, "--quiet");
  const requests: string[] = [];
  const { page, complaints } = await openPage(browser, `${pathToFileURL(path).href}#t=1.5&show=`, { offline: true, onRequest: (url) => requests.push(url) });
  assert.equal(await page.textContent(".frame-count"), "76 / 101");
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  assert.ok(!readFileSync(path, "utf8").includes(process.cwd().replace(/viewer$/, "models")), "the page tells of folders");
  assert.match((await page.textContent("#inspector")) ?? "", /Model filedouble-pendulum\.yaml/);
  // without an instant in its address it plays
  await page.goto("about:blank");
  await page.goto(`${pathToFileURL(path).href}#show=`);
  await page.waitForFunction(() => (window.articula?.session.store.state.time ?? 0) > 0.02);
  assert.equal((await state(page)).playing, true);
  assert.deepEqual((await state(page)).panes.slice(0, 2).map((pane) => pane.channels), [["theta1", "theta2"], ["x1", "y1", "x2", "y2"]]);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("a report fits a phone, and is dark where the reader wants it", options, async () => {
  const path = join(folder, "report.html");
  call("report", plain, "-o", path, "--quiet");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]), ["rgb(16, 20, 24)", "rgb(228, 233, 238)"]);
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await context.close();
});

test("a model is moved by its joints before any run", options, async () => {
  const serving = await serve("view", model("loops/four-bar.yaml"));
  const { page, complaints } = await openPage(browser, `${serving.address}/#show=`);
  const ends = (): Promise<number[]> => page.evaluate(() => [...window.articula!.session.runs[0].now.poses]);
  await page.waitForFunction(() => window.articula!.session.runs[0].now.poses.some((x) => x !== 0));
  const before = await ends();
  const slider = page.locator("#joints input[type=range]").first();
  const set = (share: number): Promise<void> => slider.evaluate((field: HTMLInputElement, part) => {
    field.value = String(Number(field.min) + part * (Number(field.max) - Number(field.min)));
    field.dispatchEvent(new Event("input"));
  }, share);
  await set(0.6);
  await page.waitForFunction(() => window.articula!.session.runs[0].posed !== null);
  await drawn(page);
  const after = await ends();
  // it has moved, and the bars still meet
  assert.ok(Math.max(...after.map((x, k) => Math.abs(x - before[k]))) > 0.05);
  const gap = await page.evaluate(() => {
    const { header, now } = window.articula!.session.runs[0];
    const place = (body: number, point: ArrayLike<number>): number[] => {
      if (body < 0) return [point[0], point[1], point[2]];
      const [x, y, z, w, a, b, c] = now.poses.subarray(7 * body, 7 * body + 7);
      const [p, q, r] = [point[0], point[1], point[2]];
      const t = [2 * (b * r - c * q), 2 * (c * p - a * r), 2 * (a * q - b * p)];
      return [x + p + w * t[0] + b * t[2] - c * t[1], y + q + w * t[1] + c * t[0] - a * t[2], z + r + w * t[2] + a * t[1] - b * t[0]];
    };
    return Math.max(...header.joints.map(({ from, to, at }) => Math.hypot(...place(from, at.from).map((x, k) => x - place(to, at.to)[k]))));
  });
  assert.ok(gap < 1e-6, `joints are apart by ${gap}`);
  // the crank, drawn along by hand, stays under the pointer; beside the bodies a drag turns the view
  await page.click("#joints-reset");
  await page.waitForFunction((start) => window.articula!.session.runs[0].now.poses.every((x, k) => Math.abs(x - start[k]) < 1e-5), before);
  const camera = (): Promise<number[]> => page.evaluate(() => window.articula!.stage.cameraState.position);
  const eye = await camera();
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const [grip, goal] = [await pixel(page, [0, 0, 0.13]), await pixel(page, [0.13 * Math.sin(0.25), 0, 0.13 * Math.cos(0.25)])];
  await drag(grip, goal);
  await page.waitForFunction(() => Math.abs(2 * Math.asin(window.articula!.session.runs[0].now.poses[6]) + 0.25) < 0.03);
  assert.deepEqual(await camera(), eye);
  assert.equal(await slider.evaluate((field: HTMLInputElement) => field.parentElement!.querySelector("output")!.textContent !== "0.000"), true);
  await drag({ x: grip.x, y: grip.y - 90 }, { x: grip.x + 40, y: grip.y - 90 });
  assert.notDeepEqual(await camera(), eye);
  assert.deepEqual(complaints, []);
  await page.context().close();
  assert.equal(await serving.interrupt(), 0);
});

test("joints that are moved keep to their limits, by sliders and by hand", options, async () => {
  const file = join(folder, "arm.urdf");
  const inertial = '<inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>';
  writeFileSync(file, `<robot name="arm"><link name="base"/><link name="rod">${inertial}</link><joint name="pin" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-0.25" upper="0.75" effort="1" velocity="1"/></joint></robot>`);
  const serving = await serve("view", file);
  const { page, complaints } = await openPage(browser, `${serving.address}/#show=`);
  const slider = page.locator("#joints input[type=range]").first();
  assert.deepEqual(await slider.evaluate((field: HTMLInputElement) => [Number(field.min), Number(field.max)]), [-0.25, 0.75]);
  const ask = (wish: string): Promise<number> => page.evaluate((wish) => fetch(`api/run/0/${wish}`).then((answer) => answer.status), wish);
  assert.deepEqual([await ask("pose?q=0.7"), await ask("pose?q=0.9")], [200, 409]);
  // a point half a metre below the pin, asked to come to its height
  await ask("pull?ray=0,0,0,-0.5,0.5,-1,0,0,1,0");
  const angle = await page.evaluate(() => fetch("api/run/0/pull?ray=0,0,0,-0.5,0.5,-1,0,0,1,0").then(async (answer) => new Float64Array(await answer.arrayBuffer(), 0, 1)[0]));
  assert.ok(angle >= -0.25 - 1e-5 && angle <= 0.75 + 1e-5, `${angle}`);
  assert.deepEqual(complaints.filter((text) => !/409/.test(text)), []);
  await page.context().close();
  assert.equal(await serving.interrupt(), 0);
});

test("a page without a server moves the joints of a tree, coupled ones too", options, async () => {
  const file = join(folder, "arms.urdf");
  const html = join(folder, "arms.html");
  const inertial = '<inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>';
  const joint = (name: string, parent: string, child: string, origin: string, more: string): string => `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/>${origin}<limit lower="-2" upper="1" effort="1" velocity="1"/>${more}</joint>`;
  writeFileSync(file, `<robot name="arms"><link name="base"/><link name="one">${inertial}</link><link name="two">${inertial}</link>
    ${joint("hip", "base", "one", "", "")}${joint("knee", "one", "two", '<origin xyz="0 0 -1"/>', '<mimic joint="hip" multiplier="-2"/>')}</robot>`);
  call("view", file, "--html", html, "--quiet");
  const { page, complaints } = await openPage(browser, pathToFileURL(html).href, { offline: true });
  const sliders = page.locator("#joints input[type=range]");
  assert.equal(await sliders.count(), 1);
  assert.deepEqual(await sliders.first().evaluate((field: HTMLInputElement) => [Number(field.min), Number(field.max)]), [-2, 1]);
  await sliders.first().evaluate((field: HTMLInputElement) => {
    field.value = "-1.2";
    field.dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(() => window.articula!.session.runs[0].posed !== null);
  // the independent coordinate is the knee; ground, base, one, two
  const poses = await page.evaluate(() => [...window.articula!.session.runs[0].posed!.subarray(7)]);
  const wanted = [0, 0, 0, Math.cos(0.3), 0, Math.sin(0.3), 0, -Math.sin(0.6), 0, -Math.cos(0.6), Math.cos(0.3), 0, -Math.sin(0.3), 0];
  wanted.forEach((x, k) => near(poses[k], x, 1e-6));
  // by hand: the place near the knee follows the pointer
  await page.click("#joints-reset");
  await drawn(page);
  const [grip, goal] = [await pixel(page, [0, 0, -0.9]), await pixel(page, [-0.9 * Math.sin(0.25), 0, -0.9 * Math.cos(0.25)])];
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(goal.x, goal.y, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => Math.abs(2 * Math.asin(window.articula!.session.runs[0].posed![12]) - 0.25) < 0.03);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("a run is seen while it computes, and the page says when the program has gone", options, async () => {
  const serving = await serve("run", model("double-pendulum.yaml"), "--until", "100000", "--interval", "0.01", "-o", join(folder, "live"), "--view");
  const { page, complaints } = await openPage(browser, `${serving.address}/#show=`);
  const end = (): Promise<number> => page.evaluate(() => window.articula!.session.runs[0].end);
  const before = await end();
  await page.waitForFunction((time) => window.articula!.session.runs[0].end > time, before);
  assert.ok(await page.isVisible(".badge.live"));
  assert.deepEqual(complaints, []);
  assert.equal(await serving.interrupt(), 1);
  await page.waitForSelector(".badge.lost");
  assert.ok(!(await page.isVisible(".badge.live")));
  assert.match((await page.textContent(".toast")) ?? "", /server does not answer/);
  await page.context().close();
});

test("glTF holds the bodies by name and moves them as the table says", options, async () => {
  call("export", plain, "--glb", glb, "--quiet");
  const script = await build({ entryPoints: ["test/support/glb-reader.ts"], bundle: true, format: "iife", write: false, logLevel: "warning" });
  const page = await plainPage(browser);
  await page.addScriptTag({ content: script.outputFiles[0].text });
  const content = await page.evaluate(
    ([file]) => window.readGlb(file, 1.5, [{ node: "upper", point: [1, 0, 0] }, { node: "lower", point: [1, 0, 0] }]),
    [readFileSync(glb).toString("base64")],
  );
  for (const name of ["machine", "ground", "upper", "lower"]) assert.ok(content.nodes.includes(name), name);
  assert.equal(content.animations.length, 1);
  near(content.animations[0].duration, 2, 1e-6);
  const { column } = readTable(join(plain, "results.csv"));
  const wanted = [["x1", "y1"], ["x2", "y2"]];
  content.points.forEach((point, k) => {
    wanted[k].forEach((name, c) => near(point[c], column(name)[75], 1e-5));
    near(point[2], 0, 1e-6);
  });
  await page.context().close();
});

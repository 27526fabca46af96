// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The playground from disk, without a network: edit, check, run, share. Skipped where `make site` has not built it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { encodeModel } from "../src/play/share";
import { bePatient, launch } from "./support/browser";
import { isReady } from "./support/page-state";

const ROOT = join(process.cwd(), "..");
const PAGE = join(ROOT, "build/site/pages/play.html");
const ARTICULA = process.env["ARTICULA"] ?? join(ROOT, "build/release/articula");
const SHOTS = process.env["SHOTS"];
const skip = existsSync(PAGE) ? false : "the playground has not been built (make site)";

let browser: Browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

interface Opened {
  page: Page;
  complaints: string[];
  requests: string[];
}

async function open(hash = "", size = { width: 1200, height: 760 }, file = PAGE): Promise<Opened> {
  const context = bePatient(await browser.newContext({ viewport: size, deviceScaleFactor: SHOTS ? 1 : 0.5, acceptDownloads: true, offline: true }));
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href + hash);
  return { page, complaints, requests };
}

const waitFor = (page: Page, words: RegExp): Promise<unknown> => page.locator(".status").filter({ hasText: words }).waitFor();
const viewer = (page: Page) => page.frames().find((frame) => frame !== page.mainFrame())!;
const shows = (page: Page): Promise<unknown> => isReady(viewer(page));
const write = (page: Page, text: string): Promise<void> => page.locator(".cm-content").fill(text);

async function save(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return readFileSync((await download.path())!, "utf8");
}

const numbers = (csv: string): number[][] => csv.trim().split("\n").slice(1).map((line) => line.split(",").map(Number));

/** Motions agree to the tolerance of their study: the module has other functions and another order of sums than the program. */
function compare(words: string[], ours: string, tolerance: number): void {
  const folder = mkdtempSync(join(tmpdir(), "articula-play-"));
  execFileSync(ARTICULA, ["run", ...words, "-q", "-o", folder], { cwd: ROOT });
  const theirs = numbers(readFileSync(join(folder, "results.csv"), "utf8"));
  rmSync(folder, { recursive: true });
  const own = numbers(ours);
  assert.equal(own.length, theirs.length);
  for (const [i, row] of theirs.entries()) {
    for (const [k, value] of row.entries()) assert.ok(Math.abs(own[i][k] - value) < tolerance * Math.max(1, Math.abs(value)), `row ${i}, column ${k}: ${own[i][k]}, ${value}`);
  }
}

test("a model is run, edited, checked and shared", { skip }, async () => {
  const { page, complaints, requests } = await open("#example=models/pendulum.yaml");
  await waitFor(page, /^done/);
  await shows(page);
  compare(["models/pendulum.yaml"], await save(page, "results.csv"), 1e-12);
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "play-pendulum.png") });

  // a mistake, at its place, shown as text
  const model = readFileSync(join(ROOT, "models/pendulum.yaml"), "utf8");
  await write(page, model.replace("mass:", "<img src=x onerror=alert(1)>:"));
  await page.locator(".mistake").first().waitFor();
  assert.match(await page.locator(".mistake").first().innerText(), /^\d+:\d+ .*<img src=x/);
  assert.equal(await page.locator(".status img").count(), 0);
  assert.ok((await page.locator(".cm-lint-marker-error").count()) > 0);
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "play-mistake.png") });

  // the address holds the text
  const other = `${model}# 'ä' <b>\n`;
  await write(page, other);
  await page.getByRole("button", { name: "Share" }).click();
  await waitFor(page, /address/);
  const hash = new URL(page.url()).hash;
  assert.match(hash, /^#model=/);
  const again = await open(hash);
  await waitFor(again.page, /^done/);
  assert.equal(await save(again.page, "Save model"), other);
  for (const opened of [{ page, complaints, requests }, again]) {
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.requests.filter((url) => !/^(file|blob|data|about):/.test(url)), []);
    await opened.page.context().close();
  }
});

test("an address with a hostile model shows text and runs nothing of it", { skip }, async () => {
  const text = readFileSync(join(ROOT, "models/pendulum.yaml"), "utf8").replace(/^title:.*$/m, `title: '</script><img src=x onerror="parent.wrong=window.wrong=1">'`);
  const { page, complaints, requests } = await open(await encodeModel({ path: `a/<img src=x onerror="window.wrong=1">.yaml`, text }));
  await waitFor(page, /^done/);
  await shows(page);
  assert.match((await viewer(page).textContent("h1")) ?? "", /^<\/script><img src=x/);
  assert.match(await page.title(), /^<img src=x/);
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => "wrong" in window || document.querySelectorAll("img:not(.cm-widgetBuffer)").length > 0), false);
  for (const frame of page.frames()) assert.match((await frame.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")) ?? "", /default-src 'none'/);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data|about):/.test(url)), []);
  await page.context().close();
});

test("a robot of another program is opened, imported and run; a damaged one is told", { skip }, async () => {
  const { page, complaints } = await open();
  await waitFor(page, /^done/);
  const robot = `<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>`;
  const openFile = (name: string, text: string): Promise<void> => page.getByLabel("Files to open").setInputFiles({ name, mimeType: "text/xml", buffer: Buffer.from(text) });
  await openFile("arm.urdf", robot.replace("</robot>", ""));
  await waitFor(page, /arm\.urdf:3/);
  await openFile("arm.urdf", robot);
  await waitFor(page, /arm\.urdf was imported/);
  assert.match(await save(page, "Save model"), /From the URDF file arm\.urdf/);
  await page.getByLabel("Options").fill("--until 0.1");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await waitFor(page, /^done/);
  assert.match(await page.locator(".out").innerText(), /0\.1 s/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

// files dropped on an element of a page or of a frame in it
const drop = (where: { evaluate: Page["evaluate"] }, selector: string, files: Record<string, string>): Promise<void> =>
  where.evaluate(([place, list]) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(list)) data.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) document.querySelector(place)!.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [selector, files] as const);

const ARM = `<robot name="arm"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="meshes/rod.obj"/></geometry></visual></link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>`;
const ROD = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

test("files dropped on the viewer are opened by the playground, and wrong ones are named", { skip }, async () => {
  const { page, complaints } = await open("#example=models/pendulum.yaml");
  await waitFor(page, /^done/);
  await shows(page);
  await drop(viewer(page), "#app", { "notes.txt": "nothing" });
  await waitFor(page, /^notes\.txt is not a model\./);
  await drop(viewer(page), "#app", { "arm.urdf": ARM });
  await waitFor(page, /arm\.urdf was imported/);
  await drop(page, ".left", { "own.yaml": readFileSync(join(ROOT, "models/pendulum.yaml"), "utf8") });
  await waitFor(page, /^done/);
  assert.match(await page.title(), /^own\.yaml/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("files dropped on the landing page open in the playground over it", { skip }, async () => {
  const { page, complaints, requests } = await open("", { width: 1200, height: 760 }, join(dirname(PAGE), "index.html"));
  await drop(page, "main", { "notes.txt": "nothing" });
  assert.match(await page.locator("#drop-note").innerText(), /^notes\.txt is not a model\. .*\.urdf/);
  await drop(page, "main", { "arm.urdf": ARM, "rod.obj": ROD });
  const playground = page.frameLocator("iframe.over");
  await playground.locator(".status").filter({ hasText: /arm\.urdf was imported/ }).waitFor();
  assert.match(await playground.locator(".cm-content").innerText(), /From the URDF file arm\.urdf/);
  assert.equal(await page.locator("#drop-note").innerText(), "");
  await page.goBack();
  await page.locator("iframe.over").waitFor({ state: "detached" });
  await page.locator("#drop-files").setInputFiles({ name: "own.yaml", mimeType: "text/yaml", buffer: readFileSync(join(ROOT, "models/pendulum.yaml")) });
  await playground.locator(".status").filter({ hasText: /^done/ }).waitFor();
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data|about):/.test(url)), []);
  await page.context().close();
});

test("examples are cards with pictures that are searched and reached by keys, on a phone too", { skip }, async () => {
  for (const size of [{ width: 1200, height: 760 }, { width: 360, height: 740 }]) {
    const { page, complaints } = await open("#example=models/pendulum.yaml", size);
    await waitFor(page, /^done/);
    await page.getByRole("button", { name: "Examples" }).click();
    const dialog = page.getByRole("dialog", { name: "Examples" });
    await dialog.locator(".card:focus").filter({ hasText: "Simple pendulum" }).waitFor();
    assert.ok((await dialog.locator(".card").count()) > 90);
    const [cards, pictures] = await dialog.evaluate((all) => [all.querySelectorAll(".card").length, [...all.querySelectorAll("img")].filter((image) => image.complete && image.naturalWidth === 180).length]);
    assert.ok(pictures > 3 && cards > 90, `${pictures} pictures of ${cards} are drawn`);
    assert.ok(await dialog.evaluate((all) => all.scrollWidth <= all.clientWidth), "wider than its window");
    if (SHOTS) await page.screenshot({ path: join(SHOTS, `play-examples-${size.width}.png`) });
    await dialog.getByLabel("Search examples").fill("no such machine");
    await dialog.getByText("No example has all these words.").waitFor();
    await dialog.getByLabel("Search examples").fill("linkage");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await dialog.locator(".card:focus b").innerText(), await dialog.locator(".card:not([hidden]) b").first().innerText());
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type(" friction");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await waitFor(page, /^done/);
    assert.match(page.url(), /#example=models\/loops\/four-bar-friction\.yaml$/);
    assert.match(await page.title(), /^four-bar-friction\.yaml/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

test("sweeps one case after the other, and writes files of other programs", { skip }, async () => {
  const { page, complaints } = await open("#example=models/pendulum.yaml");
  const act = async (verb: string, options: string, words: RegExp): Promise<void> => {
    await page.getByLabel("What to do").selectOption(verb);
    await page.getByLabel("Options").fill(options);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await waitFor(page, words);
  };
  await waitFor(page, /^done/);
  await act("export", "--glb pendulum.glb", /^done/);
  assert.match(await save(page, "pendulum.glb"), /^glTF/);
  await act("sweep", "--vary L=0.5:1:3 --until 0.1", /^done/);
  assert.equal((await save(page, "results.csv")).trim().split("\n").length, 4);
  await act("export", "--urdf pendulum.urdf", /^done/);
  assert.match(await save(page, "pendulum.urdf"), /<robot/);
  await act("export", "--fmu pendulum.fmu", /not on a page in the browser/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("completion knows keys and values by the schema", { skip }, async () => {
  const { page } = await open();
  await waitFor(page, /^done/);
  await write(page, "articula: 1\njoints:\n  pin: {type: ");
  await page.locator(".cm-content").press("Control+End");
  await page.keyboard.type("rev");
  await page.locator(".cm-tooltip-autocomplete").getByText("revolute").waitFor();
  await page.context().close();
});

test("a slider beside a parameter writes it and runs the machine, the run before it stays as a ghost", { skip }, async () => {
  const { page, complaints } = await open("#example=models/pendulum.yaml", { width: 1040, height: 660 });
  await waitFor(page, /^done/);
  await shows(page);
  const slider = page.getByLabel("Parameter L", { exact: true });
  const drag = (event: string, value: number): Promise<void> => slider.evaluate((input: HTMLInputElement, [type, to]) => {
    input.value = String(to);
    input.dispatchEvent(new Event(String(type)));
  }, [event, value] as const);
  const runs = () => viewer(page).evaluate(() => window.articula!.session.runs.map(({ name, source, header }) => ({ name, id: (source as unknown as { id: string }).id, com: header.bodies[0].com[0] })));
  const showsLength = (length: number): Promise<unknown> => viewer(page).waitForFunction((com) => Math.abs(window.articula!.session.runs[0].header.bodies[0].com[0] + com) < 1e-3 && window.articula!.ready, length);
  for (const length of [1.2, 1.3, 1.5]) {
    await drag("input", length);
    assert.match(await page.locator(".cm-content").innerText(), new RegExp(`L: ${length} m`));
    await showsLength(length);
    assert.ok(await slider.evaluate((input) => input.isConnected), "the slider that is dragged stays");
  }
  await drag("change", 1.5);
  await waitFor(page, /^done/);
  const [now, before] = await runs();
  assert.deepEqual([now.name, before.name, before.id], ["now", "before", "run 1"]);
  assert.ok(Math.abs(now.com + 1.5) < 1e-3 && Math.abs(before.com + 1) < 1e-3);
  if (SHOTS) {
    await viewer(page).evaluate(() => window.articula!.session.store.update({ playing: false, time: 0.62 }));
    await page.waitForTimeout(1000);
    await viewer(page).evaluate(() => window.articula!.drawBest());
    await page.screenshot({ path: join(SHOTS, "play-slider.png") });
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("the four-bar on a phone", { skip }, async () => {
  const { page, complaints } = await open("", { width: 390, height: 780 });
  await waitFor(page, /^done/);
  await shows(page);
  await page.getByLabel("Options").fill("--until 1");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".out").filter({ hasText: "four-bar" }).or(page.locator(".out").filter({ hasText: "1 s in" })).first().waitFor();
  await waitFor(page, /^done/);
  compare(["models/loops/four-bar.yaml", "--until", "1"], await save(page, "results.csv"), 1e-11);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the phone");
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "play-phone.png"), fullPage: true });
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test("documents, with a machine that moves and a search, on a phone too", { skip }, async () => {
  const guide = join(dirname(PAGE), "doc/guide/loops.html");
  const { page, complaints, requests } = await open("", { width: 390, height: 780 }, guide);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the phone");
  await page.locator(".live summary").click();
  await page.waitForFunction(() => document.querySelector("iframe")!.src !== "");
  await page.frameLocator("iframe").locator("h1").waitFor();
  await shows(page);
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "guide-phone.png") });
  await page.locator("nav input[type=search]").fill("redundant");
  await page.locator("nav input[type=search]").press("Enter");
  await page.locator("#found a").first().waitFor();
  await page.goto(`${pathToFileURL(join(dirname(PAGE), "search.html")).href}?q=${encodeURIComponent('<img src=x onerror="window.wrong=1">')}`);
  assert.equal(await page.evaluate(() => "wrong" in window || document.querySelectorAll("img").length > 0), false);
  assert.match((await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")) ?? "", /default-src 'none'/);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data|about):/.test(url)), []);
  await page.context().close();
});

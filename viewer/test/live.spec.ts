// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages in which the machine itself moves, in headless Chromium: the same motion as the program's, other parameters,
// inputs and starts, runs that are kept, bodies that are pulled.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { SceneHeader, Shape } from "../src/data/header";
import { chunkLayout, parseHead } from "../src/data/layout";
import { launch, openPage, type PageOptions, type WatchedPage } from "./support/browser";
import { drawn, isReady, near, pixel, state } from "./support/page-state";
import { call, model, program, readTable, tryCall } from "./support/program";

const folder = mkdtempSync(join(tmpdir(), "articula-live-"));

// a cart that its input pushes, with a pole, whose title would be markup
const CART = `articula: 1
title: '<img src=x onerror="window.wrong=1"> cart'
gravity: [0, 0, -9.81]
parameters: {m: {value: 2 kg, limits: [0.1 kg, 10 kg], help: Mass of the cart}, L: 0.5 m}
inputs: {push: {unit: N, default: 0 N, limits: [-5 N, 5 N]}}
bodies:
  cart: {mass: = m}
  pole: {mass: 0.3 kg, com: [0, 0, = -L], inertia: [0.01, 0.01, 0.001]}
joints:
  rail: {type: prismatic, axis: x, from: ground, to: cart}
  pin: {type: revolute, axis: y, from: cart, to: pole}
forces: {motor: {type: joint-force, coordinate: rail, value: = push}}
outputs: {x: rail.slide, v: rail.rate}
study: {type: run, until: 10 s, integrator: rk4, step: 1 ms}
live:
  - {name: L, title: Length, group: Pole, range: [0.2 m, 0.9 m]}
  - {name: push, group: Hand}
  - {name: m, group: Pole}
`;

// and whose name would be, too
const cart = join(folder, `<img src=x onerror="window.wrong=2">'.yaml`);
writeFileSync(cart, CART);
const page = (name: string): string => join(folder, `${name}.html`);
const first = program ? tryCall("export", model("loops/four-bar.yaml"), "--live", page("four-bar")) : "the program has not been built";
const options = { skip: first === "" ? false : first };

let browser: Browser;
before(async () => {
  if (options.skip) return;
  call("export", cart, "--live", page("cart"), "--quiet");
  call("export", model("loops/planar-robot-3.yaml"), "--live", page("robot"), "--quiet");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page, opened from disk without network, at rest at its start. */
async function open(name: string, requests: string[] = [], more: PageOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, pathToFileURL(page(name)).href, { width: 1200, height: 640, offline: true, onRequest: (url) => requests.push(url), ...more });
  await watched.page.waitForFunction(() => (window.articula?.session.store.state.time ?? 0) > 0.02);
  await watched.page.click("#play");
  return watched;
}

/** Where the cart is. */
const cartPlace = (live: Page) => live.evaluate(() => [...window.articula!.session.runs[0].now.poses.subarray(0, 3)] as [number, number, number]);

/** Begin again, take n steps of 0.1 ms, and say what the outputs are. */
const outputsAfter = (live: Page, n: number) =>
  live.evaluate((steps) => {
    const source = window.articula!.session.runs[0].machine!;
    source.begin();
    if (!source.machine.step(steps, 1e-4) || !source.machine.show()) throw new Error(source.machine.reason);
    return [...source.machine.values("outputs")];
  }, n);

/** The last row of the program's own run, by another integrator. */
function programRun(file: string, until: number, columns: string[], ...words: string[]): number[] {
  const result = join(folder, "result");
  call("run", file, "--integrator", "dopri5", "--tolerance", "1e-12", "--until", String(until), "--interval", String(until), "--quiet", "-o", result, ...words);
  const table = readTable(join(result, "results.csv"));
  return columns.map((name) => table.column(name).at(-1)!);
}

/** The vectors of the first frame of the program's own run. */
function programVectors(file: string): { name: string; unit: string; vector: number[] }[] {
  const result = join(folder, "scene");
  call("run", file, "--until", "0.1", "--quiet", "-o", result);
  const bytes = readFileSync(join(result, "scene.arts"));
  const { header, start } = parseHead(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  const at = start + chunkLayout(header).vectors;
  return header.vectors.map(({ name, unit }, i) => ({ name, unit, vector: Array.from({ length: 6 }, (_, k) => bytes.readFloatLE(at + 4 * (6 * i + k))) }));
}

const fill = async (live: Page, name: string, value: string): Promise<void> => {
  await live.fill(`.slide[data-name="${name}"] .value`, value);
  await live.press(`.slide[data-name="${name}"] .value`, "Enter");
};

describe("a four-bar that the page computes", options, () => {
  const requests: string[] = [];
  let live: Page;
  let complaints: string[];

  before(async () => {
    ({ page: live, complaints } = await open("four-bar", requests));
  });
  after(() => live.context().close());

  test("needs no network and little room", () => {
    assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
    assert.ok(statSync(page("four-bar")).size < 1.5e6);
  });

  test("moves as the program's own run does", async () => {
    const outputs = await outputsAfter(live, 10000);
    const [angle, rate, rocker] = programRun(model("loops/four-bar.yaml"), 1, ["angle", "rate", "rocker"]);
    near(outputs[0], angle, 1e-9);
    near(outputs[1], rate, 1e-8);
    near(outputs[2], rocker, 1e-9);
  });

  test("shows reactions with values, as the program's own results do", async () => {
    await live.click("#begin");
    await live.click("#play");
    await live.keyboard.press("v");
    await live.keyboard.press("r");
    await live.waitForSelector("#arrow-legend:not([hidden])");
    assert.match(await live.innerText("#arrow-legend"), /reactions\s+up to [0-9.]+ k?N/);
    await live.waitForFunction(() => document.querySelectorAll(".arrow-labels span:not([hidden])").length > 0);
    await live.keyboard.press("Home");
    await drawn(live);
    const shown = await live.evaluate(() => {
      const { header, now } = window.articula!.session.runs[0];
      return header.vectors.map(({ name, unit }, i) => ({ name, unit, vector: [...now.vectors.subarray(6 * i, 6 * i + 6)] }));
    });
    const wanted = programVectors(model("loops/four-bar.yaml"));
    assert.deepEqual(shown.map(({ name, unit }) => [name, unit]), wanted.map(({ name, unit }) => [name, unit]));
    shown.forEach(({ vector }, i) => vector.forEach((x, k) => near(x, wanted[i].vector[k], 1e-4)));
  });

  test("says how well energies balance and loops are closed", async () => {
    await live.click("#begin");
    await live.waitForFunction(() => window.articula!.session.store.state.time > 0.5);
    await live.click("#play");
    await live.click("#tab-certificate");
    await live.waitForFunction(() => (document.querySelector("#certificate .badge")?.textContent ?? "").includes("good"));
    const certificate = await live.evaluate(() => window.articula!.session.runs[0].certificate as { energy: { relative_error: number; scale: number }; constraints: { position_residual: number; velocity_residual: number } });
    assert.ok(certificate.energy.scale > 0.1 && certificate.energy.relative_error < 1e-5, JSON.stringify(certificate.energy));
    assert.ok(certificate.constraints.position_residual < 1e-9 && certificate.constraints.velocity_residual < 1e-8);
    assert.match(await live.innerText("#certificate"), /Relative error/);
    assert.equal(await live.innerText("#verdict summary"), "certificate: good");
    await live.click("#verdict summary");
    assert.match(await live.innerText("#verdict"), /Relative error: [0-9.e−]+\s+largest error of the balance over/);
    assert.match(await live.innerText("#verdict"), /Position residual: [0-9.e−]+\s+largest gap of a closed loop/);
    await live.click("#verdict summary");
    await live.click("#tab-machine");
  });

  test("goes on where its end is, and shows what was before", async () => {
    await live.click("#begin");
    await live.waitForFunction(() => window.articula!.session.store.state.time > 0.3);
    await live.click("#play");
    const { time } = await state(live);
    await live.keyboard.press("Home");
    assert.equal((await state(live)).time, 0);
    await live.keyboard.press("End");
    assert.ok((await state(live)).time >= time);
  });

  test("takes another length, and nothing that is not a number", async () => {
    await fill(live, "crank", "0.22");
    const outputs = await outputsAfter(live, 5000);
    const [angle] = programRun(model("loops/four-bar.yaml"), 0.5, ["angle"], "--set", "crank=0.22");
    near(outputs[0], angle, 1e-8);
    await fill(live, "span", "twelve");
    assert.match((await live.textContent("#machine-note")) ?? "", /Distance of the pivots is not a number/);
  });

  test("keeps a run to compare the next one with", async () => {
    await live.click("#keep");
    await live.waitForFunction(() => window.articula!.session.runs.length === 2);
    await isReady(live);
    await live.waitForFunction(() => window.articula!.session.store.state.time > 0.05);
    assert.deepEqual(await live.evaluate(() => window.articula!.session.runs.map((run) => run.machine !== null)), [true, false]);
    await live.keyboard.press("Space");
    const { playing } = await state(live);
    assert.equal(playing, false);
    await live.click("#forget");
    await live.waitForFunction(() => window.articula!.session.runs.length === 1);
    await isReady(live);
  });

  test("hands out all that it has computed, and its model", async () => {
    await live.evaluate(() => window.articula!.session.store.update({ playing: false }));
    const save = async (button: string): Promise<string> => {
      const [download] = await Promise.all([live.waitForEvent("download"), live.click(button)]);
      return readFileSync(await download.path(), "utf8");
    };
    const lines = (await save("#save-results")).trimEnd().split("\n");
    const { names, frames, end } = await live.evaluate(() => {
      const source = window.articula!.session.runs[0].machine!;
      return { names: source.header.channels.map(({ name }) => name), frames: source.frames, end: [source.times[source.frames - 1], ...source.machine.values("outputs")] };
    });
    assert.deepEqual(lines[0].split(",").map((field) => field.replace(/ \[.*\]$/, "")), ["time", ...names]);
    assert.equal(lines.length, frames + 1);
    assert.deepEqual(lines[frames].split(",").map(Number), end);
    assert.equal(await save("#save-model"), readFileSync(model("loops/four-bar.yaml"), "utf8"));
  });

  test("complains of nothing", () => assert.deepEqual(complaints, []));
});

/** Shapes of a header that stand at two places and more apart than a hundredth of the machine. */
function shapesApart(shown: SceneHeader, wanted: SceneHeader): string[] {
  const far = 0.01 * (wanted.size ?? 1);
  const lists = (header: SceneHeader): [string, Shape[]][] => [["ground", header.ground?.shapes ?? []], ...header.bodies.map(({ name, shapes }): [string, Shape[]] => [name, shapes])];
  return lists(wanted).flatMap(([name, shapes], k) =>
    shapes.flatMap((shape, i) => {
      const own = lists(shown)[k][1][i];
      const away = Math.hypot(...[0, 1, 2].map((c) => own.pose![c] - shape.pose![c]));
      return own.type === shape.type && away < far && Math.abs((own.length ?? 0) - (shape.length ?? 0)) < far ? [] : [`${name} ${i}: ${JSON.stringify(own)}, ${JSON.stringify(shape)}`];
    }),
  );
}

describe("a four-bar whose lengths change", options, () => {
  test("is drawn as the program draws it with these lengths", async () => {
    const { page: live, complaints } = await open("four-bar");
    const shown = (): Promise<SceneHeader> => live.evaluate(() => window.articula!.session.runs[0].header);
    const before = await shown();
    for (const [name, value] of [["crank", "0.3"], ["span", "0.65"]]) {
      await fill(live, name, value);
      const result = join(folder, "shaped");
      call("run", model("loops/four-bar.yaml"), "--set", `${name}=${value}`, "--until", "0.01", "--quiet", "-o", result);
      const bytes = readFileSync(join(result, "scene.arts"));
      const { header } = parseHead(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
      assert.ok(shapesApart(before, header).length > 2);
      assert.deepEqual(shapesApart(await shown(), header), []);
      await drawn(live);
      await live.click(`.slide[data-name="${name}"] .reset`);
      assert.deepEqual(shapesApart(await shown(), before), []);
    }
    assert.deepEqual(complaints, []);
    await live.context().close();
  });
});

describe("a parallel robot", options, () => {
  test("keeps a length by which its loops close", async () => {
    const { page: live } = await open("robot");
    await live.click("#begin");
    await live.click("#play");
    await fill(live, "R", "5");
    assert.match((await live.textContent("#machine-note")) ?? "", /Radius of the pivots cannot be 5 here/);
    assert.equal(await live.inputValue('.slide[data-name="R"] .value'), "0.5");
    assert.equal(await live.evaluate(() => window.articula!.session.runs[0].machine!.machine.step(10, 1e-3)), true);
    await live.context().close();
  });
});

describe("a parallel robot whose lengths change by much", options, () => {
  test("stays on its branch, and comes back to where it was", async () => {
    const { page: live, complaints } = await open("robot");
    const found = await live.evaluate(() => {
      const source = window.articula!.session.runs[0].machine!;
      const { machine } = source;
      const bad: string[] = [];
      machine.quantities("parameters").forEach(({ name }, i) => {
        for (const factor of [0.3, 0.7, 1.4, 2]) {
          source.begin();
          const [was, value] = [[...machine.values("positions")], machine.values("parameters")[i]];
          if (!source.set("parameters", i, factor * value)) continue;
          const turned = Math.max(...was.map((x, k) => Math.abs(machine.values("positions")[k] - x)));
          const isBack = source.set("parameters", i, value);
          const off = Math.max(...was.map((x, k) => Math.abs(machine.values("positions")[k] - x)));
          if (turned > 2 * Math.PI || !isBack || off > 1e-6) bad.push(`${name} by ${factor}: turned by ${turned}, off by ${off}`);
        }
      });
      return bad;
    });
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
    await live.context().close();
  });
});

describe("a cart that is pushed and pulled", options, () => {
  let live: Page;

  before(async () => {
    ({ page: live } = await open("cart"));
  });
  after(() => live.context().close());

  test("shows a title that would be markup as text", async () => {
    assert.match((await live.textContent("h1")) ?? "", /^<img src=x/);
    await live.click("#tab-certificate");
    await live.click("#tab-machine");
    assert.match((await live.getAttribute("#save-model", "title")) ?? "", /^Save <img src=x onerror="window.wrong=2">'\.yaml$/);
    assert.equal(await live.evaluate(() => "wrong" in window || document.querySelectorAll("img").length > 0), false);
    assert.match((await live.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")) ?? "", /default-src 'none'/);
  });

  test("has the sliders that its file chooses", async () => {
    const sliders = await live.evaluate(() =>
      [...document.querySelectorAll("#machine section")].map((section) => [
        section.querySelector("h3")!.textContent,
        ...[...section.querySelectorAll(".slide")].map((row) => {
          const { min, max } = row.querySelector<HTMLInputElement>("input[type=range]")!;
          return [row.querySelector(".name")!.textContent, Number(min), Number(max)];
        }),
      ]),
    );
    assert.deepEqual(sliders, [["Pole", ["Length", 0.2, 0.9], ["Mass of the cart", 0.1, 10]], ["Hand", ["push", -5, 5]]]);
    await fill(live, "L", "0.7");
    assert.equal(await live.isVisible('.slide[data-name="L"] .reset'), true);
    await live.click('.slide[data-name="L"] .reset');
    assert.equal(await live.inputValue('.slide[data-name="L"] .value'), "0.5");
    assert.equal(await live.isVisible('.slide[data-name="L"] .reset'), false);
  });

  test("follows its input, within limits", async () => {
    await fill(live, "push", "3");
    const outputs = await outputsAfter(live, 4000);
    const [x, v] = programRun(cart, 0.4, ["x", "v"], "--input", "push=3");
    near(outputs[0], x, 1e-10);
    near(outputs[1], v, 1e-10);
    await fill(live, "push", "6");
    assert.match((await live.textContent("#machine-note")) ?? "", /push is at most 5 N/);
    await fill(live, "push", "2");
    assert.doesNotMatch((await live.textContent("#machine-note")) ?? "", /push/);
    assert.equal(await live.locator("#machine-note.bad").count(), 0);
  });

  test("begins where it is told", async () => {
    await live.click("#initial summary");
    await live.fill('[aria-label="pin.angle at the start"]', "0.4");
    await live.click("#begin-there");
    const [w, , y] = await live.evaluate(() => [...window.articula!.session.runs[0].machine!.block().poses.subarray(10, 14)]);
    near(2 * Math.atan2(y, w), 0.4, 1e-6);
    await live.click("#play");
  });

  test("feels a force at a point as its joints do", async () => {
    // f at (0.1, 0, -0.5) of the pole, which hangs turned by the pin about y: along the rail fx, about the pin (r x f)_y
    const { tau, angle } = await live.evaluate(() => {
      const { machine } = window.articula!.session.runs[0].machine!;
      machine.pull(1, [0.1, 0, -0.5], [2, 7, -3]);
      const tau = [...machine.values("forces")];
      const angle = machine.values("positions")[1];
      machine.release();
      return { tau, angle };
    });
    const x = 0.1 * Math.cos(angle) - 0.5 * Math.sin(angle);
    const z = -0.1 * Math.sin(angle) - 0.5 * Math.cos(angle);
    near(tau[0], 2, 1e-12);
    near(tau[1], z * 2 - x * -3, 1e-12);
    assert.deepEqual(await live.evaluate(() => [...window.articula!.session.runs[0].machine!.machine.values("forces")]), [0, 0]);
  });

  test("is drawn along by the pointer with shift", async () => {
    await fill(live, "push", "0");
    await live.click("#begin");
    await live.click("#play");
    await drawn(live);
    const at = await pixel(live, await cartPlace(live));
    await live.keyboard.down("Shift");
    await live.mouse.move(at.x, at.y);
    await live.mouse.down();
    await live.mouse.move(at.x + 60, at.y, { steps: 3 });
    await live.waitForFunction(() => Math.abs(window.articula!.session.runs[0].machine!.machine.values("positions")[0]) > 0.01);
    await live.mouse.up();
    await live.keyboard.up("Shift");
    assert.equal(await live.evaluate(() => window.articula!.session.runs[0].machine!.grip), null);
  });

  test("is drawn along by a finger alone on a phone", async () => {
    const { page: phone, complaints } = await open("cart", [], { width: 390, height: 844, touch: true });
    assert.equal((await state(phone)).tool, "pull");
    await phone.waitForSelector(".pane");
    assert.equal(await phone.evaluate(() => scrollY), 0);
    await phone.click("#begin");
    await phone.click("#play");
    await phone.evaluate(() => scrollTo(0, 0));
    await drawn(phone);
    // in the middle of the pole, away from the switches above the scene
    const { x, y } = await pixel(phone, [0, 0, -0.4]);
    const session = await phone.context().newCDPSession(phone);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    await touch("touchStart", [{ x, y }]);
    await touch("touchMove", [{ x: x + 40, y }]);
    await phone.waitForFunction(() => Math.abs(window.articula!.session.runs[0].machine!.machine.values("positions")[1]) > 0.01);
    await touch("touchEnd", []);
    assert.equal(await phone.evaluate(() => window.articula!.session.runs[0].machine!.grip), null);
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390);
    // sliders lie between the machine and its plots
    const tops = await phone.evaluate(() => ["#viewport", "#machine", "#plots", "aside.left"].map((part) => document.querySelector(part)!.getBoundingClientRect().top));
    assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
    assert.deepEqual(complaints, []);
    await phone.context().close();
  });
});

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Every kind of page at the size of a desktop and of a phone: no message on its console, nothing wider than the window.
// Pages of the site are skipped where `make site` has not built them; ART_SOAK=1 opens every one of them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bePatient, chromiumPath, launch } from "./support/browser";
import { isReady } from "./support/page-state";
import { call, model, program } from "./support/program";

if (!chromiumPath()) throw new Error("no chromium: install it, or name it in CHROMIUM");

const SITE = join(process.cwd(), "../build/site/pages");
const SHOTS = process.env["SHOTS"];
const SIZES = [
  { name: "desktop", width: 1280, height: 800 },
  { name: "phone", width: 360, height: 740 },
];

const folder = mkdtempSync(join(tmpdir(), "articula-pages-"));
const made = (name: string): string => join(folder, name);

/** A kind of page: where it is, what makes it, and when it is there. */
interface Kind {
  name: string;
  path: () => string;
  make?: () => void;
  ready: (page: Page) => Promise<unknown>;
}

const isText = (page: Page): Promise<unknown> => page.locator("h1").first().waitFor();
const isPlayed = (page: Page): Promise<unknown> => page.locator(".status").filter({ hasText: /^done/ }).waitFor();
const result = made("result");

const OWN: Kind[] = [
  { name: "viewer", path: () => made("view.html"), make: () => call("view", result, "--html", made("view.html"), "-q"), ready: isReady },
  { name: "report", path: () => join(result, "report.html"), make: () => call("report", result, "-q"), ready: isText },
  { name: "live page", path: () => made("live.html"), make: () => call("export", model("pendulum.yaml"), "--live", made("live.html"), "-q"), ready: isReady },
];

const OF_SITE: Kind[] = [
  ["landing page", "index.html"],
  ["gallery", "gallery.html"],
  ["scoreboard", "scoreboard.html"],
  ["search", "search.html"],
  ["document", "doc/guide/playground.html"],
  ["reference", "doc/reference/elements/index.html"],
].map(([name, path]) => ({ name, path: () => join(SITE, path), ready: isText }));
OF_SITE.push({ name: "machine of the gallery", path: () => join(SITE, "gallery/models-vehicles-iltis-bump.html"), ready: isText });
OF_SITE.push({ name: "playground", path: () => join(SITE, "play.html"), ready: isPlayed });

let browser: Browser;
before(async () => {
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  browser = await launch();
  if (program) call("run", model("pendulum.yaml"), "--until", "1", "-o", result, "-q");
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

async function look({ name, path, ready }: Kind, size: (typeof SIZES)[number]): Promise<void> {
  const isPhone = size.name === "phone";
  const context = bePatient(await browser.newContext({ viewport: size, deviceScaleFactor: SHOTS ? 1 : 0.25, offline: true, hasTouch: isPhone, isMobile: isPhone }));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(pathToFileURL(path()).href);
  await ready(page);
  if (SHOTS) await shoot(page, join(SHOTS, `${name.replaceAll(" ", "-")}-${size.name}.png`));
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.deepEqual(complaints, [], `${name}, ${size.name}`);
  assert.ok(width <= window && window <= size.width, `${name} is ${width} wide in a window of ${size.width}`);
  await context.close();
}

// with all scenes of the page standing still and drawn well
async function shoot(page: Page, path: string): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => document.getElementById("app") !== null))) continue;
    await isReady(frame);
    await frame.evaluate(() => window.articula!.session.store.update({ playing: false }));
    await page.waitForTimeout(1000);
    await frame.evaluate(() => window.articula!.drawBest());
  }
  await page.screenshot({ path });
}

for (const kind of [...OWN, ...OF_SITE]) {
  const skip = OWN.includes(kind) ? !program && "the program has not been built" : !existsSync(join(SITE, "index.html")) && "the site has not been built (make site)";
  test(`${kind.name} at both sizes`, { skip }, async (t) => {
    try {
      kind.make?.();
    } catch (error) {
      return t.skip(`it was not made: ${String((error as { stderr?: string }).stderr ?? error).trim()}`);
    }
    for (const size of SIZES) await look(kind, size);
  });
}

function pagesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return pagesBelow(join(path, entry.name));
    return entry.name.endsWith(".html") ? [join(path, entry.name)] : [];
  });
}

const skipAll = !process.env["ART_SOAK"] ? "takes minutes; ART_SOAK=1 switches it on" : !existsSync(SITE) && "the site has not been built (make site)";
test("every page of the site at both sizes", { skip: skipAll, timeout: 3_600_000 }, async (t) => {
  const wrong: string[] = [];
  const pages = pagesBelow(SITE);
  for (const path of pages) {
    for (const size of SIZES) {
      const kind = { name: path.slice(SITE.length + 1), path: () => path, ready: (page: Page) => page.waitForLoadState("load") };
      await look(kind, size).catch((error: unknown) => wrong.push(`${kind.name}, ${size.name}: ${String(error).slice(0, 300)}`));
    }
  }
  t.diagnostic(`${pages.length} pages`);
  assert.deepEqual(wrong, []);
});

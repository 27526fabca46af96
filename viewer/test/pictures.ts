// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures of twelve machines by the viewer's own renderer, and a sheet of all: node test/run.mjs pictures FOLDER [NAME or FILE...];
// with PAGES=1280x800 or PAGES=390x844 whole pages in windows of that size. doc/images/machines.png is the sheet of scenes,
// doc/images/phones.png that of pages on a phone. The word `contacts` draws doc/images/contact-machines.png.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launch, openPage, type PageOptions } from "./support/browser";
import { call, model } from "./support/program";

interface Picture {
  name: string;
  title: string;
  file: string;
  /** The instant, s. */
  at: number;
  /** More of the view, as in links. */
  view?: string;
  /** The layers in a picture of the scene alone. */
  layers?: string;
  /** How it is looked at, as in links; else the whole machine. */
  camera?: string;
}

const PICTURES: Picture[] = [
  { name: "four-bar", title: "Four-bar linkage", file: "loops/four-bar.yaml", at: 0.3 },
  { name: "slider-crank", title: "Slider-crank", file: "benchmarks/slider-crank.yaml", at: 0.2 },
  { name: "seven-body", title: "Seven-body mechanism", file: "loops/seven-body.yaml", at: 0.01 },
  { name: "stewart", title: "Stewart platform", file: "loops/stewart.yaml", at: 0.5 },
  { name: "delta", title: "Delta robot", file: "loops/delta.yaml", at: 0.4 },
  { name: "excavator", title: "Excavator", file: "plant/excavator.yaml", at: 1 },
  { name: "iltis", title: "Iltis on a bump", file: "vehicles/iltis-bump.yaml", at: 1 },
  { name: "multilink-car", title: "Five-bar car, body transparent", file: "vehicles/multilink-car.yaml", at: 1, view: "through=32" },
  { name: "truck", title: "Truck", file: "vehicles/truck.yaml", at: 1 },
  { name: "motorcycle", title: "Motorcycle", file: "vehicles/motorcycle.yaml", at: 1 },
  { name: "crane", title: "Crane", file: "crane.yaml", at: 1 },
  { name: "tackle", title: "Tackle", file: "tackle.yaml", at: 1 },
];

const CONTACTS: Picture[] = [
  { name: "walker", title: "Walking machine", file: "contact/machines/walker.yaml", at: 2.04, camera: "1.5,-1.2,0.75,0.42,0,0.2", layers: "shadows,contacts" },
  { name: "clock", title: "Clock", file: "contact/machines/clock.yaml", at: 1.48, camera: "0.1,-0.2,-0.01,0,0,-0.035", layers: "shadows" },
  { name: "quadruped", title: "Quadruped", file: "contact/robots/quadruped.yaml", at: 2, layers: "ground,shadows,contacts" },
  { name: "geneva", title: "Geneva drive", file: "contact/rigid/geneva-drive.yaml", at: 0.45, camera: "0.05,-0.17,0.2,0.06,0.01,0", layers: "shadows,contacts" },
  { name: "bicycle", title: "Bicycle", file: "contact/rolling/bicycle.yaml", at: 2 },
  { name: "euler-disc", title: "Euler's disc", file: "contact/rigid/euler-disc.yaml", at: 1, layers: "ground,shadows,contacts" },
  { name: "humanoid", title: "Humanoid", file: "contact/robots/humanoid.yaml", at: 2, camera: "2.5,-2.1,1.4,0,0,0.68", layers: "ground,shadows,contacts" },
];

const WIDTH = 640;
const HEIGHT = 400;

const [folder = ".test/pictures", ...chosen] = process.argv.slice(2);
const page_size = process.env["PAGES"]?.split("x").map(Number);
const columns = page_size && page_size[0] < 600 ? 6 : 4;
const work = mkdtempSync(join(tmpdir(), "articula-pictures-"));

/** A page with the run of a machine, at its instant. */
async function show(browser: Browser, { name, file, at, view = "" }: Picture, overlays: string, options: PageOptions): Promise<Page> {
  const [result, page] = [join(work, name), join(work, `${name}.html`)];
  call("run", model(file), "--until", String(1.2 * at), "--interval", String(at / 50), "--quiet", "-o", result);
  call("view", result, "--html", page, "--quiet");
  const shown = await openPage(browser, `${pathToFileURL(page).href}#t=${at}${overlays}&${view}`, { ...options, fineness: 1 });
  if (shown.complaints.length > 0) throw new Error(`${name}: ${shown.complaints.join("; ")}`);
  return shown.page;
}

/** The scene alone, with all finery. */
async function drawScene(browser: Browser, picture: Picture): Promise<Buffer> {
  const look = picture.camera ? `&camera=${picture.camera}` : "";
  const shown = await show(browser, picture, `&show=${picture.layers ?? "ground,shadows"}${look}`, { width: WIDTH, height: HEIGHT });
  await shown.addStyleTag({ content: `#app { height: auto; grid-template: "view" ${HEIGHT}px / ${WIDTH}px !important } #app > :not(.viewport) { display: none !important } .viewport > :not(canvas) { display: none !important }` });
  await shown.waitForTimeout(300);
  // what drives away is framed where it is
  if (!picture.camera) await shown.keyboard.press((await shown.evaluate(() => window.articula!.session.store.state.follow)) === null ? "0" : "1");
  await shown.evaluate(() => window.articula!.drawBest());
  const drawing = await shown.screenshot();
  await shown.context().close();
  return drawing;
}

/** The page as it opens. */
async function drawPage(browser: Browser, picture: Picture, [width, height]: number[]): Promise<Buffer> {
  const shown = await show(browser, picture, "", { width, height, touch: width < 600 });
  await shown.waitForTimeout(700);
  await shown.evaluate(() => window.articula!.drawBest());
  const drawing = await shown.screenshot();
  await shown.context().close();
  return drawing;
}

async function drawSheet(browser: Browser, pictures: Picture[], file: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1040, height: 100 } });
  const cells = pictures.map(({ name, title }) => `<figure><img src="data:image/png;base64,${readFileSync(join(folder, `${name}.png`)).toString("base64")}"><figcaption>${title}</figcaption></figure>`);
  await page.setContent(`<style>body{margin:8px;background:#fff;font:13px "Inter","Noto Sans","Liberation Sans",sans-serif;color:#1c232b;display:grid;grid-template-columns:repeat(${columns},1fr);gap:6px}figure{margin:0}img{width:100%;display:block;border-radius:4px}figcaption{padding:2px 4px 6px}</style>${cells.join("")}`);
  await page.screenshot({ path: join(folder, file), fullPage: true });
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
// names of other model files are drawn after a second
const other = (file: string): Picture => ({ name: basename(file, ".yaml"), title: file, file, at: 1 });
const isSheet = chosen.length === 0 || chosen[0] === "contacts";
const sheet = chosen.length === 0 ? PICTURES : CONTACTS;
const wanted = isSheet ? sheet : chosen.map((word) => PICTURES.find(({ name }) => name === word) ?? other(word));
for (const picture of wanted) {
  writeFileSync(join(folder, `${picture.name}.png`), await (page_size ? drawPage(browser, picture, page_size) : drawScene(browser, picture)));
  console.log(picture.name);
}
if (isSheet) await drawSheet(browser, sheet, chosen.length === 0 ? "machines.png" : "contact-machines.png");
await browser.close();
rmSync(work, { recursive: true, force: true });

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures of pages to look at: node test/run.mjs shots FOLDER ADDRESS... (WINDOW=390x844 is a phone).
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, openPage } from "./support/browser";

const [folder, ...addresses] = process.argv.slice(2);
const [width, height] = (process.env["WINDOW"] ?? "1280x800").split("x").map(Number);
const browser = await launch();
for (const address of addresses) {
  const [place, fragment] = address.split("#");
  const url = /^\w+:/.test(place) ? place : pathToFileURL(place).href;
  for (const theme of (process.env["THEMES"] ?? "light,dark").split(",") as ("light" | "dark")[]) {
    const { page, complaints } = await openPage(browser, fragment ? `${url}#${fragment}` : url, { theme, width, height, fineness: 1, touch: width < 600 });
    await page.waitForTimeout(700);
    if (process.env["BEST"]) await page.evaluate(() => window.articula!.drawBest());
    const name = join(folder, `${basename(place).replace(/\.html$/, "")}${process.env["SHOT_NAME"] ?? ""}-${theme}.png`);
    await page.screenshot({ path: name });
    console.log(name, complaints);
    await page.context().close();
  }
}
await browser.close();

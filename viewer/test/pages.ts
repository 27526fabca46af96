// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages with the motions of the tests, or the results of runs, to look at: node test/run.mjs pages FOLDER [RESULT...]
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { car, certificate, doublePendulum, manyBodies } from "./support/machines";
import { writeFilePage, writePage } from "./support/page";

const [folder = ".test/pages", ...results] = process.argv.slice(2);

function resultPage(result: string): void {
  const bytes = readFileSync(join(result, "scene.arts"));
  const certificate = JSON.parse(readFileSync(join(result, "certificate.json"), "utf8")) as unknown;
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  writeFilePage(join(folder, `${basename(result)}.html`), [{ name: basename(result), file, certificate }]);
}

function testPages(): void {
  writePage(join(folder, "pendulum.html"), [{ name: "recursive", motion: doublePendulum(), certificate: certificate("recursive", 1e-9) }]);
  writePage(join(folder, "compare.html"), [
    { name: "fine", motion: doublePendulum(10), certificate: certificate("recursive", 1e-9) },
    { name: "coarse", motion: doublePendulum(1, "index3"), certificate: certificate("index3", 3e-5) },
  ]);
  writePage(join(folder, "car.html"), [{ name: "car", motion: car() }]);
  writePage(join(folder, "many.html"), [{ name: "many", motion: manyBodies(200) }]);
}

mkdirSync(folder, { recursive: true });
if (results.length > 0) results.forEach(resultPage);
else testPages();

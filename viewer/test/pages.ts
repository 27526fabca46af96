// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages with the motions of the tests, to look at by hand: node test/run.mjs pages FOLDER
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { car, certificate, doublePendulum, manyBodies } from "./support/machines";
import { writePage } from "./support/page";

const folder = process.argv[2] ?? ".test/pages";
mkdirSync(folder, { recursive: true });
writePage(join(folder, "pendulum.html"), [{ name: "recursive", motion: doublePendulum(), certificate: certificate("recursive", 1e-9) }]);
writePage(join(folder, "compare.html"), [
  { name: "fine", motion: doublePendulum(10), certificate: certificate("recursive", 1e-9) },
  { name: "coarse", motion: doublePendulum(1, "index3"), certificate: certificate("index3", 3e-5) },
]);
writePage(join(folder, "car.html"), [{ name: "car", motion: car() }]);
writePage(join(folder, "many.html"), [{ name: "many", motion: manyBodies(200) }]);

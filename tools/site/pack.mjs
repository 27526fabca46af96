// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Puts the program, the viewer, the schema, the sample models and their pictures into the page of the playground:
//   node tools/site/pack.mjs viewer/dist build/site/module/articula.wasm build/site/thumbnails/all.json build/site/play.html
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const [dist, module, sketches, out] = process.argv.slice(2);

// files that models are made of: texts, and meshes and tyres that they name
const MODEL_FILES = /\.(yaml|obj|tir|csv)$/;

function modelFiles(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && MODEL_FILES.test(entry.name));
  return Object.fromEntries(files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort().map((path) => [path, readFileSync(path, "utf8")]));
}

const part = (name, bytes) => `<script type="application/x-articula-part" data-part="${name}">${deflateRawSync(bytes, { level: 9 }).toString("base64")}</script>`;

const parts = [
  part("module", readFileSync(module)),
  part("viewer", readFileSync(join(dist, "index.html"))),
  part("schema", readFileSync("doc/reference/articula-model.schema.json")),
  part("sketches", readFileSync(sketches)),
  part("files", JSON.stringify(modelFiles("models"))),
];
const page = readFileSync(join(dist, "play.html"), "utf8");
const mark = "<!--articula-parts-->";
if (!page.includes(mark)) throw new Error(`${dist}/play.html has no ${mark}`);
const whole = page.replace(mark, () => parts.join("\n    "));
writeFileSync(out, whole);
console.log(`site: ${whole.length} bytes, ${out}`);

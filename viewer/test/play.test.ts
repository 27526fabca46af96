// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The program as a module of WebAssembly: the numbers of the native command on the same files. Skipped where `make site` has
// not built the module.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Files, modelPath, plainPath } from "../src/play/files";
import { askedAt } from "../src/play/absent";
import { groupExamples, matches } from "../src/play/examples";
import { chooseModel, noModel } from "../src/play/open-files";
import { call } from "../src/play/program";
import { placeAtEnd, wordsAt, type Schema } from "../src/play/schema";
import { decodeModel, encodeModel } from "../src/play/share";
import { splitWords } from "../src/play/words";

const ROOT = join(process.cwd(), "..");
const MODULE = join(ROOT, "build/site/module/articula.wasm");
const ARTICULA = process.env["ARTICULA"] ?? join(ROOT, "build/release/articula");
const missing = existsSync(MODULE) ? false : "the module has not been built (make site)";

// every way that a page has: trees, loops, tyres, samplers, natural coordinates, CVODE, the algebra that is our own there
// with the most that they may differ by: rounding, and what a car on its tyres makes of it
const ROUNDING = 1e-12;
// CVODE chooses other steps by rounding alone: with an initial rate of 12.00000000000001 rad/s in the place of 12 rad/s the command
// makes 724 steps in the place of 766, and ends 4.9e-7 elsewhere, within its error of 9e-7 (against dopri5 at 1e-12)
const STEPS_OF_BDF = 1e-6;
const CALLS: [string, number][] = [
  ["run models/pendulum.yaml", ROUNDING],
  ["run models/loops/four-bar.yaml --until 1", ROUNDING],
  ["run models/loops/stewart.yaml --until 0.2", ROUNDING],
  ["run models/vehicles/iltis-bump.yaml --until 0.05", 1e-9],
  ["run models/plant/stewart-pid.yaml --until 0.05", ROUNDING],
  ["run models/latch.yaml --until 0.5", ROUNDING],
  ["run models/loops/four-bar.yaml --until 0.5 --method augmented", ROUNDING],
  ["run models/loops/four-bar.yaml --until 0.5 --method semirecursive --algebra dense", ROUNDING],
  ["run models/loops/four-bar.yaml --until 0.1 --method index1", ROUNDING],
  ["run models/loops/four-bar.yaml --until 0.5 --integrator bdf --tolerance 1e-9", STEPS_OF_BDF],
  ["run models/vehicles/van-redundant.yaml --until 0.02", ROUNDING],
];

function sampleFiles(): Files {
  const names = readdirSync(join(ROOT, "models"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Files(names.map((entry) => {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    return [path.slice(ROOT.length + 1), new Uint8Array(readFileSync(path))] as const;
  }));
}

const rows = (csv: string): number[][] => csv.trim().split("\n").slice(1).map((line) => line.split(",").map(Number));

// the largest difference of a column against its largest entry
function difference(ours: number[][], theirs: number[][]): number {
  assert.equal(ours.length, theirs.length);
  let most = 0;
  for (let k = 0; k < theirs[0].length; k++) {
    const size = Math.max(1, ...theirs.map((row) => Math.abs(row[k])));
    for (const [i, row] of theirs.entries()) {
      const one = Math.abs(ours[i][k] - row[k]) / size;
      assert.ok(Number.isFinite(one), `row ${i} of column ${k}`);
      most = Math.max(most, one);
    }
  }
  return most;
}

test("paths cannot leave the files of the page", () => {
  assert.equal(plainPath("a/./b//c"), "a/b/c");
  assert.equal(plainPath("/a/../b"), "b");
  assert.equal(plainPath("../b"), null);
  for (const odd of ["", "/", "../x.yaml", "-x.yaml", "--json", "results/scene.arts"]) assert.equal(modelPath(odd), "model.yaml");
  assert.equal(modelPath("/home/me/x.yaml"), "home/me/x.yaml");
});

test("completion knows where it is and what may stand there", () => {
  const schema = JSON.parse(readFileSync(join(ROOT, "doc/reference/articula-model.schema.json"), "utf8")) as Schema;
  const words = (text: string): string[] => wordsAt(schema, placeAtEnd(text)).map((word) => word.label);
  assert.ok(words("").includes("bodies"));
  assert.ok(!words("bodies:\n").includes("bodies"));
  assert.ok(words("bodies:\n  rod:\n    ").includes("mass"));
  assert.ok(words("bodies:\n  rod: {mass: 1, ").includes("com"));
  assert.ok(!words("bodies:\n  rod: {mass: 1, ").includes("mass"));
  assert.ok(words("joints:\n  pin: {type: ").includes("revolute"));
  assert.ok(words("joints:\n  pin:\n    type: revolute\n    ").includes("axis"));
  assert.ok(!words("joints:\n  a: {type: fixed, ").includes("axis"));
  assert.ok(words("study: {type: run, integrator: ").includes("dopri5"));
  assert.deepEqual(words("bodies:\n  rod: {mass: "), []);
});

test("addresses hold models, and damaged ones nothing", async () => {
  const model = { path: "models/a.yaml", text: "title: 'ä <b>'\n\nbodies: {}\n" };
  const hash = await encodeModel(model);
  assert.match(hash, /^#model=[\w-]+$/);
  assert.deepEqual(await decodeModel(hash), model);
  assert.equal(await decodeModel(hash.slice(0, -4)), null);
  assert.equal(await decodeModel("#model=%%%"), null);
  assert.equal(await decodeModel("#example=x"), null);
});

test("options are split as a shell splits them", () => {
  assert.deepEqual(splitWords(`--step "1 ms" --set L='2 m' --until 5`), ["--step", "1 ms", "--set", "L=2 m", "--until", "5"]);
  assert.deepEqual(splitWords("  "), []);
});

test("the module gives the numbers of the command", { skip: missing }, async () => {
  const module = await WebAssembly.compile(readFileSync(MODULE));
  const folder = mkdtempSync(join(tmpdir(), "articula-play-"));
  for (const [words, limit] of CALLS) {
    const files = sampleFiles();
    const args = words.split(" ");
    const ours = await call(module, files, [...args, "-o", "out"]);
    assert.equal(ours.status, 0, `${words}: ${ours.err}`);
    execFileSync(ARTICULA, [...args, "-q", "-o", folder], { cwd: ROOT });
    const csv = new TextDecoder().decode(files.read("out/results.csv")!);
    const most = difference(rows(csv), rows(readFileSync(join(folder, "results.csv"), "utf8")));
    assert.ok(most < limit, `${words}: ${most}`);
  }
  rmSync(folder, { recursive: true });
});

test("files of other programs become the text that the command writes, and sweeps its table", { skip: missing }, async () => {
  const module = await WebAssembly.compile(readFileSync(MODULE));
  const files = sampleFiles();
  const deck = "test/data/adams/test_Prismatic_Case01.adm";
  files.put(deck, new Uint8Array(readFileSync(join(ROOT, deck))));
  for (const file of ["models/import/swing.xml", "models/import/delta.xml", "models/import/linkage.sdf", "models/import/crank.mbs", deck]) {
    const ours = await call(module, files, ["import", file]);
    assert.equal(ours.status, 0, `${file}: ${ours.err}`);
    assert.equal(ours.out, execFileSync(ARTICULA, ["import", file], { cwd: ROOT, encoding: "utf8" }), file);
  }
  files.put("wrong.urdf", new TextEncoder().encode('<robot name="r">\n  <link name="a">\n</robot>\n'));
  const wrong = await call(module, files, ["run", "wrong.urdf", "-o", "out"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /^wrong\.urdf:3:/);

  const sweep = ["sweep", "models/pendulum.yaml", "--vary", "L=0.5:1:3", "--until", "0.1"];
  const done = await call(module, files, [...sweep, "-o", "cases"]);
  assert.equal(done.status, 0, done.err);
  const folder = mkdtempSync(join(tmpdir(), "articula-play-"));
  execFileSync(ARTICULA, [...sweep, "-q", "-o", folder], { cwd: ROOT });
  assert.ok(difference(rows(new TextDecoder().decode(files.read("cases/results.csv")!)), rows(readFileSync(join(folder, "results.csv"), "utf8"))) < ROUNDING);
  rmSync(folder, { recursive: true });
});

test("of the files that a reader opens one is the model", () => {
  assert.deepEqual(chooseModel(["a/parts/x.yaml", "model.yaml"]), { model: "model.yaml", isForeign: false });
  assert.deepEqual(chooseModel(["robot.urdf", "robot.yaml", "mesh.stl"]), { model: "robot.urdf", isForeign: true });
  assert.deepEqual(chooseModel(["deck.adm"]), { model: "deck.adm", isForeign: true });
  assert.deepEqual(chooseModel(["picture.png"]), { model: "", isForeign: false });
});

test("mistakes are told with their places, and what a page has not by name", { skip: missing }, async () => {
  const module = await WebAssembly.compile(readFileSync(MODULE));
  const files = sampleFiles();
  files.put("wrong.yaml", new TextEncoder().encode("articula: 1\nbodies:\n  rod: {mass: 2 kg, con: [0, 0, 1]}\n"));
  const wrong = await call(module, files, ["check", "--json", "wrong.yaml"]);
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.out, /"line": 3/);
  const generated = await call(module, files, ["run", "models/pendulum.yaml", "--method", "generated", "-o", "out"]);
  assert.match(generated.err, /not on a page in the browser/);
  assert.deepEqual(askedAt(generated.err, "title: x\nstudy: {type: run, method: generated}\n"), { line: 2, column: 20 });
  assert.equal(askedAt(generated.err, "title: x\n"), null);
  const spqr = await call(module, files, ["run", "models/vehicles/van-redundant.yaml", "--until", "0.01", "--option", "redundant=spqr", "-o", "out"]);
  assert.match(spqr.err, /this build has no spqr/);
  assert.deepEqual(askedAt(spqr.err, "study:\n  redundant: spqr\n"), { line: 2, column: 3 });
});

test("files without a model are named, with what can be opened", () => {
  assert.equal(noModel(["robot/meshes/arm.stl", "robot/robot.urdf"]), "");
  assert.match(noModel(["notes.txt"]), /^notes\.txt is not a model\. .*\.urdf/);
  assert.match(noModel(["a.stl", "b.dae"]), /^None of these 2 files is a model\./);
  assert.match(noModel([]), /^Nothing was dropped that is a file\./);
});

test("examples come in groups with their titles, and are found by all words of a search", () => {
  const samples = { "models/loops/four-bar.yaml": "articula: 1\ntitle: Four-bar linkage\n", "models/loops/parts/arm.yaml": "articula: 1\n", "models/pendulum.yaml": 'title: "Simple: pendulum"\n', "models/new/x.yaml": "" };
  const groups = groupExamples(samples, { "models/loops/four-bar.yaml": { picture: "", says: "The oldest loop." } });
  assert.deepEqual(groups.map(([title, list]) => [title, ...list.map((example) => example.title)]), [["First machines", "Simple: pendulum"], ["Closed loops and parallel robots", "Four-bar linkage"], ["models/new", "models/new/x.yaml"]]);
  const [fourBar] = groups[1][1];
  assert.deepEqual(["", "OLDEST four", "loops linkage", "crane"].map((search) => matches(fourBar, search)), [true, true, true, false]);
});

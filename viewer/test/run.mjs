// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs the tests and their tools: node test/run.mjs unit|e2e [FILE...] or shots|bench|pages|pictures. They are written in TypeScript, which esbuild bundles for node.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [kind = "unit", ...rest] = process.argv.slice(2);
const endings = { unit: ".test.ts", e2e: ".spec.ts", shots: "shots.ts", bench: "bench.ts", pages: "pages.ts", pictures: "pictures.ts" };
const ending = endings[kind];
if (!ending) throw new Error(`unknown kind of tests '${kind}'; choose from ${Object.keys(endings).join(", ")}`);

process.chdir(join(here, ".."));
const out = join(".test", kind);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// words choose among the files of tests
const isTest = kind === "unit" || kind === "e2e";
const isChosen = (name) => !isTest || rest.length === 0 || rest.some((word) => name.startsWith(word));
const entries = readdirSync(here).filter((name) => name.endsWith(ending) && isChosen(name)).map((name) => join(here, name));
await build({ entryPoints: entries, outdir: out, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm", target: "node18", inject: [join(here, "support/deflate-raw.ts")], external: ["esbuild", "playwright-core"], logLevel: "warning" });

const files = readdirSync(out).map((name) => join(out, name));
if (!existsSync(out) || files.length === 0) throw new Error(`no tests end in ${ending}`);
// pages wait more than they compute: two files at a time, also where node would take one for each core but one
const [major, minor] = process.versions.node.split(".").map(Number);
const parallel = major > 20 || (major === 20 && minor >= 10) ? ["--test-concurrency=2"] : [];
const run = spawnSync(process.execPath, isTest ? ["--test", ...parallel, ...files] : [...files, ...rest], { stdio: "inherit" });
process.exit(run.status ?? 1);

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sizes of live pages and how fast their machines compute: node tools/live-pace.mjs PAGE...
// Times are processor times, of steps by rk4 over 2 s of the machine, behind a first second, in which the machine is compiled.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { inflateRawSync } from "node:zlib";

const packed = /<script type="application\/wasm">([^<]*)<\/script>/;
const length = /data-articula-live="([^"]*)"/;

async function measure(path) {
  const text = readFileSync(path, "latin1");
  const module = inflateRawSync(Buffer.from(packed.exec(text)[1], "base64"));
  const step = Number(length.exec(text)[1]);
  const { instance } = await WebAssembly.instantiate(module, {});
  const machine = instance.exports;
  if (machine.start() || machine.step(Math.round(1 / step), step)) throw new Error(`${path}: the machine does not start`);
  const started = process.cpuUsage();
  const failed = machine.step(Math.round(2 / step), step);
  const spent = process.cpuUsage(started);
  const pace = failed ? "stopped" : (2e6 / (spent.user + spent.system)).toFixed(1);
  console.log([basename(path, ".html"), (text.length / 1e3).toFixed(0), (module.length / 1e3).toFixed(0), (step * 1e3).toPrecision(3), pace].join("  "));
}

console.log("page  kB  module, kB  step, ms  times real time");
for (const path of process.argv.slice(2)) await measure(path);

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files are read as they were written, whole or cut short.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { fromBase64, inflate } from "../src/data/embedded";
import { FileSource } from "../src/data/file-source";
import { FrameStore } from "../src/data/frame-store";
import { chunkLayout, frameSizes, parseHead } from "../src/data/layout";
import { readAll } from "../src/data/read-all";
import { blendPoses } from "../src/data/sample";
import { splitFrames } from "../src/data/server-source";
import { car, doublePendulum } from "./support/machines";
import { sceneFile } from "./support/scene-writer";

const motion = doublePendulum(10, "recursive", 3);
const file = sceneFile(motion);

test("blocks of a chunk begin at multiples of eight", () => {
  const layout = chunkLayout(car(1).header);
  for (const offset of [layout.time, layout.poses, layout.velocities, layout.vectors, ...layout.channels, layout.bytes]) assert.equal(offset % 8, 0);
  // 5 bodies, 64 frames: 8 + 512 + 64*5*7*4 + 64*5*6*4 + 64*4*6*4 + 7*512
  assert.equal(layout.bytes, 8 + 512 + 8960 + 7680 + 6144 + 7 * 512);
});

test("frames come back as they were written, across chunks", async () => {
  const source = new FileSource("run", file);
  assert.equal(source.frames, 151);
  const block = await source.readFrames(60, 70);
  assert.equal(block.count, 10);
  for (let k = 0; k < 10; k++) {
    const instant = motion.at(60 + k);
    assert.equal(block.times[k], instant.time);
    assert.deepEqual([...block.poses.subarray(14 * k, 14 * k + 14)], [...Float32Array.from(instant.poses)]);
    assert.deepEqual([...(block.velocities ?? new Float32Array()).subarray(12 * k, 12 * k + 12)], [...Float32Array.from(instant.velocities)]);
    assert.deepEqual([...block.vectors.subarray(12 * k, 12 * k + 12)], [...Float32Array.from(instant.vectors)]);
  }
});

test("every fifth frame comes alone", async () => {
  const block = await new FileSource("run", file).readFrames(0, 151, 5);
  assert.equal(block.count, 31);
  assert.equal(block.times[30], motion.at(150).time);
});

test("columns hold all frames in full precision", async () => {
  const source = new FileSource("run", file);
  const times = await source.readTimes();
  const energy = await source.readChannel(4);
  assert.equal(times.length, 151);
  for (const frame of [0, 63, 64, 150]) {
    assert.equal(times[frame], motion.at(frame).time);
    assert.equal(energy[frame], motion.at(frame).channels[4]);
  }
});

test("a file cut inside its last chunk shows the whole ones", () => {
  assert.equal(new FileSource("run", file.slice(0, file.byteLength - 8)).frames, 128);
});

test("what is not a scene is refused in words", () => {
  assert.throws(() => parseHead(new ArrayBuffer(4)), /shorter than 16/);
  assert.throws(() => parseHead(new TextEncoder().encode("ARTSCENT........").buffer as ArrayBuffer), /does not begin with ARTSCENE/);
  assert.throws(() => parseHead(file.slice(0, 100)), /ends inside its header/);
  const newer = sceneFile({ ...motion, frames: 1, header: { ...motion.header, version: 2 } });
  assert.throws(() => parseHead(newer), /version 2 is newer/);
});

test("a deflated scene in base64 is the scene", async () => {
  const text = deflateRawSync(new Uint8Array(file)).toString("base64");
  const back = await inflate(fromBase64(`\n${text.slice(0, 76)}\n${text.slice(76)}\n`));
  assert.deepEqual(new Uint8Array(back), new Uint8Array(file));
});

test("frames of the server are sorted by kind", () => {
  const { header } = car(1);
  const size = frameSizes(header);
  const bytes = new ArrayBuffer(2 * size.bytes);
  for (let k = 0; k < 2; k++) {
    new Float64Array(bytes, k * size.bytes, 1)[0] = 0.5 + k;
    new Float32Array(bytes, k * size.bytes + 8, 35 + 30 + 24).forEach((_, i, all) => (all[i] = 1000 * k + i));
  }
  const block = splitFrames(bytes, size, 7, 1);
  assert.deepEqual([...block.times], [0.5, 1.5]);
  assert.equal(block.poses[35], 1000);
  assert.equal(block.velocities?.[30], 1035);
  assert.equal(block.vectors[24], 1065);
});

test("short answers are asked for again until all is there", async () => {
  const whole = new FileSource("run", file);
  const asked: number[] = [];
  const halting = Object.create(whole, {
    readFrames: {
      value: (from: number, to: number, every: number) => {
        asked.push(from);
        return whole.readFrames(from, Math.min(to, from + 20 * every), every);
      },
    },
  }) as FileSource;
  const block = await readAll(halting, 0, 151, 2);
  assert.equal(block.count, 76);
  assert.deepEqual(asked, [0, 40, 80, 120]);
  assert.equal(block.times[75], motion.at(150).time);
});

test("a store of frames answers later what it does not have yet", async () => {
  let loads = 0;
  const store = new FrameStore(new FileSource("run", file), () => loads++);
  assert.equal(store.block(100), null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(loads, 1);
  assert.equal(store.block(100)?.times[100], motion.at(100).time);
});

test("poses between frames take the short way round", () => {
  const a = Float32Array.from([0, 0, 0, 1, 0, 0, 0]);
  const b = Float32Array.from([2, 0, 0, -Math.SQRT1_2, 0, 0, -Math.SQRT1_2]);
  const out = new Float32Array(7);
  blendPoses(out, a, 0, b, 0, 0.5);
  assert.equal(out[0], 1);
  // halfway to a quarter turn about z is an eighth
  assert.ok(Math.abs(out[3] - Math.cos(Math.PI / 8)) < 1e-6);
  assert.ok(Math.abs(out[6] - Math.sin(Math.PI / 8)) < 1e-6);
});

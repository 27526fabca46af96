// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small pictures of all sample models where they start, and a line on each, for the playground:
//   node tools/site/thumbnails.mjs build/release/articula build/site/thumbnails
// They are those of `articula export --png`, made smaller, with few colours. OUT/all.json: {PATH: {picture, says}}.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

const [articula, out] = process.argv.slice(2);
const WIDTH = 180;
const HEIGHT = 120;
const COLOURS = 24;
const WHITE = [255, 255, 255];

//---- PNG -----------------------------------------------------------------------------------------------

/** The first picture of a file of `articula export --png`: RGB, 8 bits, no filters. */
function readPng(bytes) {
  const data = [];
  let [width, height] = [0, 0];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (name === "IHDR") [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    if (name === "IDAT") data.push(body);
  }
  const rows = inflateSync(Buffer.concat(data));
  return { width, height, colour: (x, y) => rows.subarray(y * (3 * width + 1) + 1 + 3 * x, y * (3 * width + 1) + 4 + 3 * x) };
}

// the checksum of chunks, bit by bit
function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function chunk(name, body) {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(name, 4, "latin1");
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

/** Indices into a palette as a file. */
function writePng(indices, palette) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  const rows = Buffer.alloc(HEIGHT * (WIDTH + 1));
  for (let y = 0; y < HEIGHT; y++) rows.set(indices.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
  const parts = [chunk("IHDR", header), chunk("PLTE", Buffer.from(palette.flat())), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

//---- smaller, with few colours -------------------------------------------------------------------------

/** Means of the pixels that each new one covers; white around what is narrower. */
function shrink({ width, height, colour }) {
  const scale = Math.max(width / WIDTH, height / HEIGHT);
  const [left, top] = [(WIDTH - width / scale) / 2, (HEIGHT - height / scale) / 2];
  const range = (k, before, end) => [Math.max(0, Math.floor((k - before) * scale)), Math.min(end, Math.max(Math.floor((k + 1 - before) * scale), 0))];
  const pixels = [];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [[x0, x1], [y0, y1]] = [range(x, left, width), range(y, top, height)];
      const sum = [0, 0, 0];
      for (let j = y0; j < y1; j++) for (let i = x0; i < x1; i++) colour(i, j).forEach((c, k) => (sum[k] += c));
      const n = Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
      pixels.push(n > 0 ? sum.map((c) => Math.round(c / n)) : WHITE);
    }
  }
  return pixels;
}

/** White, and by median cut others: the box of colours that is widest is halved, as often as there are colours to choose. */
function choosePalette(pixels) {
  const spread = (box, k) => box.reduce((most, c) => Math.max(most, c[k]), 0) - box.reduce((least, c) => Math.min(least, c[k]), 255);
  const widest = (box) => [0, 1, 2].map((k) => [spread(box, k), k]).reduce((a, b) => (b[0] > a[0] ? b : a));
  const unique = [...new Map(pixels.map((c) => [c.join(), c])).values()].filter((c) => c.join() !== WHITE.join());
  const boxes = [{ box: unique, wide: widest(unique) }];
  while (boxes.length < COLOURS - 1) {
    boxes.sort((a, b) => b.wide[0] - a.wide[0]);
    const { box, wide: [size, k] } = boxes.shift();
    if (size === 0) return [WHITE, ...[...boxes.map(({ box }) => box), box].map(mean)];
    const middle = box.reduce((sum, c) => sum + c[k], 0) / box.length;
    for (const half of [box.filter((c) => c[k] <= middle), box.filter((c) => c[k] > middle)]) boxes.push({ box: half, wide: widest(half) });
  }
  return [WHITE, ...boxes.map(({ box }) => mean(box))];
}

const mean = (box) => [0, 1, 2].map((k) => Math.round(box.reduce((sum, c) => sum + c[k], 0) / box.length));

function thumbnail(png) {
  const pixels = shrink(readPng(png));
  const palette = choosePalette(pixels);
  const nearest = (pixel) => {
    const far = palette.map((c) => c.reduce((sum, x, k) => sum + (x - pixel[k]) ** 2, 0));
    return far.indexOf(Math.min(...far));
  };
  const known = new Map();
  const index = (pixel) => {
    const key = pixel.join();
    if (!known.has(key)) known.set(key, nearest(pixel));
    return known.get(key);
  };
  return writePng(Uint8Array.from(pixels, index), palette);
}

//---- all models ----------------------------------------------------------------------------------------

const GALLERY = new Map(JSON.parse(readFileSync("tools/site/gallery.json", "utf8")).map(({ model, says }) => [model, says]));

// longer ones lose their last part
const LONGEST = 100;

/** The line of the gallery, else the first sentence of the comment that a model file begins with. */
function saysOf(model) {
  const comment = /^(?:#.*\n)*/.exec(readFileSync(model, "utf8"))[0].split("\n").map((line) => line.slice(1).trim());
  let sentence = comment.slice(0, comment.indexOf("")).join(" ").split(/(?<=[a-z0-9)])\.(?= |$)|; |, written by/)[0];
  while (sentence.length > LONGEST && /: | \(/.test(sentence)) sentence = sentence.slice(0, Math.max(sentence.lastIndexOf(": "), sentence.lastIndexOf(" (")));
  return GALLERY.get(model) ?? (sentence && `${sentence.replace(/[:.]$/, "")}.`);
}

const samples = readdirSync("models", { recursive: true }).map((name) => `models/${name}`).filter((name) => name.endsWith(".yaml") && !name.includes("/parts/")).sort();

function draw(model, picture) {
  const [result, drawn] = [join(out, "result"), join(out, "drawn.png")];
  execFileSync(articula, ["run", model, "--until", "1ms", "--interval", "1ms", "-o", result, "-q"], { stdio: "ignore" });
  execFileSync(articula, ["export", result, "--png", drawn, "-q"], { stdio: "ignore" });
  writeFileSync(picture, thumbnail(readFileSync(drawn)));
}

const isNewer = (file, than) => existsSync(file) && than.every((other) => statSync(file).mtimeMs > statSync(other).mtimeMs);

mkdirSync(out, { recursive: true });
const all = {};
for (const model of samples) {
  const picture = join(out, `${model.replaceAll("/", "-")}.png`);
  try {
    if (!isNewer(picture, [model, articula, "tools/site/thumbnails.mjs"])) draw(model, picture);
    all[model] = { picture: readFileSync(picture).toString("base64"), says: saysOf(model) };
  } catch {
    console.log(`site: no picture of ${model}`);
    all[model] = { picture: "", says: saysOf(model) };
  }
}
writeFileSync(join(out, "all.json"), JSON.stringify(all));
const size = Object.values(all).reduce((sum, { picture }) => sum + (picture.length * 3) / 4, 0);
console.log(`site: ${Object.keys(all).length} small pictures, ${Math.round(size / 1024)} KiB`);

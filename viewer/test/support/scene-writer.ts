// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scene files of motions that a function gives: for tests, without the program.
import type { SceneHeader } from "../../src/data/header";
import { chunkLayout, frameSizes } from "../../src/data/layout";

/** One instant: time, then poses, velocities and vectors of all, and the channels. */
export interface Instant {
  time: number;
  poses: number[];
  velocities: number[];
  vectors: number[];
  channels: number[];
}

export interface Motion {
  header: SceneHeader;
  frames: number;
  at(frame: number): Instant;
  /** Time and channels alone, where that is quicker than all of an instant. */
  outline?(frame: number): { time: number; channels: number[] };
}

/** The bytes of a whole scene file. */
export function sceneFile({ header, frames, at }: Motion): ArrayBuffer {
  const layout = chunkLayout(header);
  const size = frameSizes(header);
  const text = headText(header);
  const chunks = Math.max(1, Math.ceil(frames / header.chunk));
  const file = new ArrayBuffer(16 + text.length + chunks * layout.bytes);
  const view = new DataView(file);
  new Uint8Array(file).set(new TextEncoder().encode("ARTSCENE"));
  view.setUint32(8, 1, true);
  view.setUint32(12, text.length, true);
  new Uint8Array(file).set(text, 16);
  for (let frame = 0; frame < frames; frame++) {
    const row = frame % header.chunk;
    const chunk = 16 + text.length + Math.floor(frame / header.chunk) * layout.bytes;
    const instant = at(frame);
    view.setUint32(chunk, row + 1, true);
    view.setFloat64(chunk + layout.time + 8 * row, instant.time, true);
    const put = (offset: number, width: number, values: number[]): void =>
      new Float32Array(file, chunk + offset + 4 * row * width, width).set(values.slice(0, width));
    put(layout.poses, size.poses, instant.poses);
    put(layout.velocities, size.velocities, instant.velocities);
    put(layout.vectors, size.vectors, instant.vectors);
    instant.channels.forEach((value, k) => view.setFloat64(chunk + layout.channels[k] + 8 * row, value, true));
  }
  return file;
}

// padded with spaces so that the chunks begin at a multiple of 8
function headText(header: SceneHeader): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array((bytes.length + 7) & ~7).fill(32);
  padded.set(bytes);
  return padded;
}

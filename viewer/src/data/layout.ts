// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the numbers of a scene lie: offsets inside a chunk of the file and inside a frame of the server.
import { checkHeader, type SceneHeader } from "./header";

export const POSE = 7;
export const VELOCITY = 6;
export const VECTOR = 6;

export const pad8 = (bytes: number): number => (bytes + 7) & ~7;

/** Byte offsets of the blocks of a chunk, from the beginning of the chunk. */
export interface ChunkLayout {
  frames: number;
  time: number;
  poses: number;
  velocities: number;
  vectors: number;
  channels: number[];
  bytes: number;
}

export interface FrameSizes {
  poses: number;
  velocities: number;
  vectors: number;
  /** Bytes of one frame as the server sends it. */
  bytes: number;
}

/** Numbers in a frame by kind. */
export function frameSizes(header: SceneHeader): FrameSizes {
  const poses = POSE * header.bodies.length;
  const velocities = header.velocities ? VELOCITY * header.bodies.length : 0;
  const vectors = VECTOR * header.vectors.length;
  return { poses, velocities, vectors, bytes: pad8(8 + 4 * (poses + velocities + vectors)) };
}

export function chunkLayout(header: SceneHeader): ChunkLayout {
  const frames = header.chunk;
  const size = frameSizes(header);
  const time = 8;
  const poses = time + 8 * frames;
  const velocities = poses + pad8(4 * frames * size.poses);
  const vectors = velocities + pad8(4 * frames * size.velocities);
  let end = vectors + pad8(4 * frames * size.vectors);
  const channels = header.channels.map((channel) => {
    const start = end;
    end += pad8((channel.type === "f32" ? 4 : 8) * frames);
    return start;
  });
  return { frames, time, poses, velocities, vectors, channels, bytes: end };
}

export interface SceneHead {
  header: SceneHeader;
  /** Byte at which the first chunk begins. */
  start: number;
}

/** Read magic, version and header of a scene file. */
export function parseHead(file: ArrayBuffer): SceneHead {
  if (file.byteLength < 16) throw new Error("this is no articula scene: it is shorter than 16 bytes");
  const magic = new TextDecoder("latin1").decode(new Uint8Array(file, 0, 8));
  if (magic !== "ARTSCENE") throw new Error("this is no articula scene: it does not begin with ARTSCENE");
  const view = new DataView(file);
  const start = 16 + view.getUint32(12, true);
  if (start > file.byteLength) throw new Error("the scene file ends inside its header");
  const text = new TextDecoder().decode(new Uint8Array(file, 16, start - 16));
  return { header: checkHeader(JSON.parse(text)), start };
}

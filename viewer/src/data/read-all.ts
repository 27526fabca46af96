// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A range of frames however many answers it takes.
import type { FrameBlock, RunSource } from "./source";

/** Read from <= i < to by steps; an answer may be short, the rest is asked for again. */
export async function readAll(source: RunSource, from: number, to: number, every = 1): Promise<FrameBlock> {
  let block = await source.readFrames(from, to, every);
  for (;;) {
    const next = from + block.count * every;
    if (block.count === 0 || next >= to) return block;
    const rest = await source.readFrames(next, to, every);
    if (rest.count === 0) return block;
    block = joinBlocks(block, rest);
  }
}

export function joinBlocks(a: FrameBlock, b: FrameBlock): FrameBlock {
  return {
    from: a.from,
    every: a.every,
    count: a.count + b.count,
    times: joinArrays(a.times, b.times),
    poses: joinArrays(a.poses, b.poses),
    velocities: a.velocities && b.velocities ? joinArrays(a.velocities, b.velocities) : null,
    vectors: joinArrays(a.vectors, b.vectors),
  };
}

function joinArrays<T extends Float32Array | Float64Array>(a: T, b: T): T {
  const joined = new (a.constructor as new (length: number) => T)(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames of a machine at work: the latest ones, as many as memory is granted for.
import { POSE } from "../data/layout";
import type { FrameBlock } from "../data/source";

const FIRST_FRAMES = 1024;
const MOST_FRAMES = 24_000;
const MOST_BYTES = 64 << 20;

export class History {
  count = 0;
  private times = new Float64Array(FIRST_FRAMES);
  private poses: Float32Array;
  private outputs: Float64Array[];
  private readonly most: number;

  constructor(
    private readonly bodies: number,
    channels: number,
  ) {
    this.poses = new Float32Array(FIRST_FRAMES * POSE * bodies);
    this.outputs = Array.from({ length: channels }, () => new Float64Array(FIRST_FRAMES));
    const bytes = 8 + 4 * POSE * bodies + 8 * channels;
    this.most = Math.max(FIRST_FRAMES, Math.min(MOST_FRAMES, Math.floor(MOST_BYTES / bytes)));
  }

  get end(): number {
    return this.times[this.count - 1];
  }

  get allTimes(): Float64Array {
    return this.times.subarray(0, this.count);
  }

  clear(): void {
    this.count = 0;
  }

  /** Take a frame; where there is no more room, the oldest quarter of the frames goes. */
  add(time: number, poses: Float64Array, outputs: Float64Array): void {
    if (this.count === this.most) this.dropOldest(this.most >> 2);
    if (this.count === this.times.length) this.grow(Math.min(this.most, 2 * this.count));
    const i = this.count++;
    this.times[i] = time;
    this.poses.set(poses, i * POSE * this.bodies);
    for (let k = 0; k < this.outputs.length; k++) this.outputs[k][i] = outputs[k];
  }

  channel(index: number): Float64Array {
    return this.outputs[index].slice(0, this.count);
  }

  /** All frames, without a copy. */
  block(): FrameBlock {
    const { count } = this;
    return { from: 0, every: 1, count, times: this.allTimes, poses: this.poses, velocities: null, vectors: new Float32Array(0) };
  }

  /** Frames from <= i < to by steps, as a copy. */
  read(from: number, to: number, every: number): FrameBlock {
    const count = Math.max(0, Math.ceil((Math.min(to, this.count) - from) / every));
    const width = POSE * this.bodies;
    const times = new Float64Array(count);
    const poses = new Float32Array(count * width);
    for (let i = 0; i < count; i++) {
      const frame = from + i * every;
      times[i] = this.times[frame];
      poses.set(this.poses.subarray(frame * width, (frame + 1) * width), i * width);
    }
    return { from, every, count, times, poses, velocities: null, vectors: new Float32Array(0) };
  }

  /** A history of its own with the same frames. */
  copy(): History {
    const other = new History(this.bodies, this.outputs.length);
    other.count = this.count;
    other.times = this.times.slice(0, this.count);
    other.poses = this.poses.slice(0, this.count * POSE * this.bodies);
    other.outputs = this.outputs.map((column) => column.slice(0, this.count));
    return other;
  }

  private dropOldest(frames: number): void {
    const width = POSE * this.bodies;
    this.times.copyWithin(0, frames, this.count);
    this.poses.copyWithin(0, frames * width, this.count * width);
    for (const column of this.outputs) column.copyWithin(0, frames, this.count);
    this.count -= frames;
  }

  private grow(frames: number): void {
    const larger = <T extends Float32Array | Float64Array>(old: T, length: number): T => {
      const next = new (old.constructor as new (length: number) => T)(length);
      next.set(old);
      return next;
    };
    this.times = larger(this.times, frames);
    this.poses = larger(this.poses, frames * POSE * this.bodies);
    this.outputs = this.outputs.map((column) => larger(column, frames));
  }
}

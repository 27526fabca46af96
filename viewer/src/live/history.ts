// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames of a machine at work: the latest ones, as many as memory is granted for.
import { POSE, VECTOR } from "../data/layout";
import type { FrameBlock } from "../data/source";

const FIRST_FRAMES = 1024;
const MOST_FRAMES = 24_000;
const MOST_BYTES = 64 << 20;

export class History {
  count = 0;
  private times = new Float64Array(FIRST_FRAMES);
  private poses: Float32Array;
  private vectors: Float32Array;
  private outputs: Float64Array[];
  private readonly most: number;

  constructor(
    private readonly bodies: number,
    private readonly arrows: number,
    channels: number,
  ) {
    this.poses = new Float32Array(FIRST_FRAMES * POSE * bodies);
    this.vectors = new Float32Array(FIRST_FRAMES * VECTOR * arrows);
    this.outputs = Array.from({ length: channels }, () => new Float64Array(FIRST_FRAMES));
    const bytes = 8 + 4 * POSE * bodies + 4 * VECTOR * arrows + 8 * channels;
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
  add(time: number, poses: Float64Array, vectors: Float64Array, outputs: Float64Array): void {
    if (this.count === this.most) this.dropOldest(this.most >> 2);
    if (this.count === this.times.length) this.grow(Math.min(this.most, 2 * this.count));
    const i = this.count++;
    this.times[i] = time;
    this.poses.set(poses, i * POSE * this.bodies);
    this.vectors.set(vectors, i * VECTOR * this.arrows);
    for (let k = 0; k < this.outputs.length; k++) this.outputs[k][i] = outputs[k];
  }

  channel(index: number): Float64Array {
    return this.outputs[index].slice(0, this.count);
  }

  /** All frames, without a copy. */
  block(): FrameBlock {
    const { count, poses, vectors } = this;
    return { from: 0, every: 1, count, times: this.allTimes, poses, velocities: null, vectors };
  }

  /** Frames from <= i < to by steps, as a copy. */
  read(from: number, to: number, every: number): FrameBlock {
    const count = Math.max(0, Math.ceil((Math.min(to, this.count) - from) / every));
    const times = Float64Array.from({ length: count }, (_, i) => this.times[from + i * every]);
    const pick = (numbers: Float32Array, width: number): Float32Array => {
      const some = new Float32Array(count * width);
      for (let i = 0, frame = from; i < count; i++, frame += every) some.set(numbers.subarray(frame * width, (frame + 1) * width), i * width);
      return some;
    };
    return { from, every, count, times, poses: pick(this.poses, POSE * this.bodies), velocities: null, vectors: pick(this.vectors, VECTOR * this.arrows) };
  }

  /** A history of its own with the same frames. */
  copy(): History {
    const other = new History(this.bodies, this.arrows, this.outputs.length);
    other.count = this.count;
    other.times = this.times.slice(0, this.count);
    other.poses = this.poses.slice(0, this.count * POSE * this.bodies);
    other.vectors = this.vectors.slice(0, this.count * VECTOR * this.arrows);
    other.outputs = this.outputs.map((column) => column.slice(0, this.count));
    return other;
  }

  private dropOldest(frames: number): void {
    const drop = (numbers: Float32Array | Float64Array, width: number): void => void numbers.copyWithin(0, frames * width, this.count * width);
    drop(this.poses, POSE * this.bodies);
    drop(this.vectors, VECTOR * this.arrows);
    for (const column of [this.times, ...this.outputs]) drop(column, 1);
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
    this.vectors = larger(this.vectors, frames * VECTOR * this.arrows);
    this.outputs = this.outputs.map((column) => larger(column, frames));
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run whose whole scene file is in memory.
import type { SceneHeader } from "./header";
import { chunkLayout, frameSizes, parseHead, type ChunkLayout, type FrameSizes } from "./layout";
import type { FrameBlock, RunSource } from "./source";

export class FileSource implements RunSource {
  readonly header: SceneHeader;
  readonly frames: number;
  readonly live = false;
  private readonly start: number;
  private readonly layout: ChunkLayout;
  private readonly size: FrameSizes;

  constructor(
    readonly name: string,
    private readonly file: ArrayBuffer,
    private readonly certificate: unknown = null,
  ) {
    const head = parseHead(file);
    this.header = head.header;
    this.start = head.start;
    this.layout = chunkLayout(head.header);
    this.size = frameSizes(head.header);
    this.frames = this.countFrames();
  }

  async readFrames(from: number, to: number, every = 1): Promise<FrameBlock> {
    const count = Math.max(0, Math.ceil((Math.min(to, this.frames) - from) / every));
    const { poses, velocities, vectors } = this.size;
    const block: FrameBlock = {
      from,
      every,
      count,
      times: new Float64Array(count),
      poses: new Float32Array(count * poses),
      velocities: velocities ? new Float32Array(count * velocities) : null,
      vectors: new Float32Array(count * vectors),
    };
    for (let i = 0; i < count; i++) this.copyFrame(from + i * every, i, block);
    return block;
  }

  async readTimes(): Promise<Float64Array> {
    return this.column(this.layout.time, 8);
  }

  async readChannel(index: number): Promise<Float64Array> {
    return this.column(this.layout.channels[index], this.header.channels[index].type === "f32" ? 4 : 8);
  }

  async readCertificate(): Promise<unknown> {
    return this.certificate;
  }

  onGrow(): void {}

  // whole chunks only: what a killed run left behind them is not used
  private countFrames(): number {
    const view = new DataView(this.file);
    const chunks = Math.floor((this.file.byteLength - this.start) / this.layout.bytes);
    let frames = 0;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const used = view.getUint32(this.start + chunk * this.layout.bytes, true);
      frames += Math.min(used, this.layout.frames);
      if (used < this.layout.frames) break;
    }
    return frames;
  }

  private chunkStart(frame: number): number {
    return this.start + Math.floor(frame / this.layout.frames) * this.layout.bytes;
  }

  private copyFrame(frame: number, place: number, block: FrameBlock): void {
    const chunk = this.chunkStart(frame);
    const row = frame % this.layout.frames;
    const { poses, velocities, vectors } = this.size;
    const copy = (to: Float32Array, offset: number, width: number): void =>
      to.set(new Float32Array(this.file, chunk + offset + 4 * row * width, width), place * width);
    block.times[place] = new Float64Array(this.file, chunk + this.layout.time + 8 * row, 1)[0];
    copy(block.poses, this.layout.poses, poses);
    if (block.velocities) copy(block.velocities, this.layout.velocities, velocities);
    copy(block.vectors, this.layout.vectors, vectors);
  }

  private column(offset: number, width: 4 | 8): Float64Array {
    const values = new Float64Array(this.frames);
    for (let first = 0; first < this.frames; first += this.layout.frames) {
      const count = Math.min(this.layout.frames, this.frames - first);
      const start = this.chunkStart(first) + offset;
      values.set(width === 4 ? new Float32Array(this.file, start, count) : new Float64Array(this.file, start, count), first);
    }
    return values;
  }
}

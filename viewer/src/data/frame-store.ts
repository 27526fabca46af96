// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames of a run in blocks: fetched when they are wanted, kept while there is room.
import { frameSizes } from "./layout";
import { readAll } from "./read-all";
import type { FrameBlock, FrameReader, RunSource } from "./source";

const BLOCK_BYTES = 2 << 20;
// ms until a block that could not be read is asked for again
const RETRY = 3000;
const KEPT_BYTES = 192 << 20;

export class FrameStore implements FrameReader {
  readonly blockFrames: number;
  private readonly blocks = new Map<number, FrameBlock>();
  private readonly pending = new Set<number>();
  private readonly keptBlocks: number;
  failed = false;

  constructor(
    private readonly source: RunSource,
    private readonly onLoad: () => void,
  ) {
    const bytes = frameSizes(source.header).bytes;
    this.blockFrames = Math.max(16, Math.min(1024, Math.floor(BLOCK_BYTES / bytes)));
    this.keptBlocks = Math.max(8, Math.floor(KEPT_BYTES / (bytes * this.blockFrames)));
  }

  block(frame: number): FrameBlock | null {
    const index = Math.floor(frame / this.blockFrames);
    const block = this.blocks.get(index);
    if (block && frame < block.from + block.count) {
      this.touch(index, block);
      return block;
    }
    void this.load(index);
    return null;
  }

  prefetch(frame: number, direction: number): void {
    const index = Math.floor(frame / this.blockFrames);
    for (const ahead of [1, 2]) {
      const next = index + ahead * Math.sign(direction);
      const wanted = next >= 0 && next * this.blockFrames < this.source.frames;
      if (wanted && !this.blocks.has(next)) void this.load(next);
    }
  }

  private touch(index: number, block: FrameBlock): void {
    this.blocks.delete(index);
    this.blocks.set(index, block);
  }

  private async load(index: number): Promise<void> {
    if (this.pending.has(index)) return;
    this.pending.add(index);
    try {
      const from = index * this.blockFrames;
      const block = await readAll(this.source, from, Math.min(from + this.blockFrames, this.source.frames));
      this.failed = false;
      if (block.count > 0) this.touch(index, block);
      this.dropOldest();
    } catch (error) {
      console.warn("frames could not be read:", error);
      this.failed = true;
      this.onLoad();
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    } finally {
      this.pending.delete(index);
      this.onLoad();
    }
  }

  private dropOldest(): void {
    while (this.blocks.size > this.keptBlocks) {
      const oldest = this.blocks.keys().next().value as number;
      this.blocks.delete(oldest);
    }
  }
}

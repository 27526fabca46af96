// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One run at work: its source, times, frames and columns as far as they were needed.
import { FrameStore } from "./frame-store";
import { frameSizes } from "./layout";
import { readAll } from "./read-all";
import { sampleInto, type Snapshot } from "./sample";
import { fractionAfter, frameBefore } from "./search";
import type { FrameBlock, FrameReader, RunSource } from "./source";
import { LiveSource } from "../live/live-source";

const OVERVIEW_BYTES = 24 << 20;
const OVERVIEW_FRAMES = 4000;

export class Run {
  times: Float64Array = new Float64Array(0);
  certificate: unknown = null;
  readonly now: Snapshot;
  readonly store: FrameReader;
  /** Poses that were set by hand, instead of poses of the frames. */
  posed: Float32Array | null = null;
  private readonly columns = new Map<number, Promise<Float64Array>>();
  private overview: Promise<FrameBlock> | null = null;

  constructor(
    readonly source: RunSource,
    readonly index: number,
    onLoad: () => void,
  ) {
    const size = frameSizes(source.header);
    this.now = {
      poses: new Float32Array(size.poses),
      velocities: new Float32Array(size.velocities),
      vectors: new Float32Array(size.vectors),
    };
    this.store = source instanceof LiveSource ? source : new FrameStore(source, onLoad);
  }

  get header() {
    return this.source.header;
  }

  get name(): string {
    return this.source.name;
  }

  get start(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  /** Read the times, again when the run has grown; what hangs on them is forgotten. */
  async refresh(): Promise<void> {
    this.times = await this.source.readTimes();
    this.columns.clear();
    this.overview = null;
    if (!this.source.live || this.machine) this.certificate = await this.source.readCertificate();
  }

  /** Whether the machine rolls on wheels. */
  get rolls(): boolean {
    return this.header.forces.some((force) => (force.width ?? 0) > 0);
  }

  /** The source where this page computes it. */
  get machine(): LiveSource | null {
    return this.source instanceof LiveSource ? this.source : null;
  }

  /** Compute until a time, where this page does; the time that there is then. */
  computeTo(time: number, most: number): number {
    if (!this.machine) return this.end;
    this.machine.extendTo(time, most);
    this.times = this.machine.times;
    return this.end;
  }

  /** Put the machine where it is at time t; false while frames are missing. */
  moveTo(t: number): boolean {
    if (this.posed) {
      this.now.poses.set(this.posed);
      return true;
    }
    if (this.times.length === 0) return false;
    const frame = frameBefore(this.times, t);
    return sampleInto(this.now, this.store, frame, fractionAfter(this.times, frame, t));
  }

  /** Have the frames after time t ready. */
  prefetch(t: number, direction: number): void {
    this.store.prefetch(frameBefore(this.times, t), direction);
  }

  column(channel: number): Promise<Float64Array> {
    let column = this.columns.get(channel);
    if (!column) {
      column = this.source.readChannel(channel);
      this.columns.set(channel, column);
      // a part that could not be read is asked for again the next time
      column.catch(() => this.columns.delete(channel));
    }
    return column;
  }

  /** The whole run in a few thousand frames at most, for paths and sizes. */
  wholeRun(): Promise<FrameBlock> {
    this.overview ??= this.readOverview();
    return this.overview;
  }

  private async readOverview(): Promise<FrameBlock> {
    const bytes = frameSizes(this.header).bytes;
    const most = Math.max(64, Math.min(OVERVIEW_FRAMES, Math.floor(OVERVIEW_BYTES / bytes)));
    const every = Math.max(1, Math.ceil(this.times.length / most));
    return readAll(this.source, 0, this.times.length, every);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run as the viewer sees it, wherever its numbers come from.
import type { SceneHeader } from "./header";

/** Frames from, from + every, ... of a run, each kind of number in one array, frame-major. */
export interface FrameBlock {
  from: number;
  every: number;
  count: number;
  times: Float64Array;
  poses: Float32Array;
  velocities: Float32Array | null;
  vectors: Float32Array;
}

/** Frames at hand, in blocks. */
export interface FrameReader {
  /** Whether the source did not answer when it was asked last. */
  failed: boolean;
  /** The block that holds a frame, or null while it is on its way. */
  block(frame: number): FrameBlock | null;
  /** Have the blocks ready that playing comes to next. */
  prefetch(frame: number, direction: number): void;
}

export interface RunSource {
  readonly name: string;
  /** Another object where shapes have changed. */
  readonly header: SceneHeader;
  /** How many frames there are by now. */
  readonly frames: number;
  /** Whether the run may still grow. */
  readonly live: boolean;
  /** Whether it is a machine before any run that can be moved. */
  readonly canMove?: boolean;
  /** Frames from <= i < to; the answer may end earlier, but holds at least one frame. */
  readFrames(from: number, to: number, every?: number): Promise<FrameBlock>;
  readTimes(): Promise<Float64Array>;
  readChannel(index: number): Promise<Float64Array>;
  readCertificate(): Promise<unknown>;
  /** Call when there are more frames, or when the run has ended. */
  onGrow(listener: () => void): void;
  /** Whoever listened is gone. */
  forgetListeners?(): void;
}

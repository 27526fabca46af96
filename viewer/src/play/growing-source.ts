// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run that another page hands over while it is computed: bytes of its scene file as they are written.
import { FileSource } from "../data/file-source";
import type { SceneHeader } from "../data/header";
import type { FrameBlock, RunSource } from "../data/source";

/** Messages of the page around this one; `keeps`: the run that is shown faint next to the last one stays. */
export type SceneMessage = { articula: "scene"; name: string; bytes: ArrayBuffer; certificate: unknown; live: boolean; keeps: boolean };

export class GrowingSource implements RunSource {
  /** What curves of it are called next to another run. */
  name = "now";
  readonly id: string;
  live: boolean;
  private file: FileSource;
  private readonly listeners: (() => void)[] = [];

  constructor(message: SceneMessage) {
    this.file = new FileSource(message.name, message.bytes, message.certificate);
    this.id = message.name;
    this.live = message.live;
  }

  /** The same run, longer. */
  replace(message: SceneMessage): void {
    this.file = new FileSource(message.name, message.bytes, message.certificate);
    this.live = message.live;
    for (const listener of this.listeners) listener();
  }

  get header(): SceneHeader {
    return this.file.header;
  }

  get frames(): number {
    return this.file.frames;
  }

  readFrames(from: number, to: number, every?: number): Promise<FrameBlock> {
    return this.file.readFrames(from, to, every);
  }

  readTimes(): Promise<Float64Array> {
    return this.file.readTimes();
  }

  readChannel(index: number): Promise<Float64Array> {
    return this.file.readChannel(index);
  }

  readCertificate(): Promise<unknown> {
    return this.file.readCertificate();
  }

  onGrow(listener: () => void): void {
    this.listeners.push(listener);
  }

  forgetListeners(): void {
    this.listeners.length = 0;
  }
}

/** Take scenes of the page around this one; `open` shows a run that is new, and says so when it has done. */
export function acceptScenes(open: (source: GrowingSource, keepsGhost: boolean) => Promise<void>): void {
  let now: GrowingSource | null = null;
  // one page after the other, and of several that wait the last
  let opening: Promise<void> = Promise.resolve();
  const openNext = (source: GrowingSource, keeps: boolean): void => {
    opening = opening.then(() => (source === now ? open(source, keeps) : undefined)).then(() => window.parent.postMessage({ articula: "shown", name: source.id }, "*"));
  };
  window.addEventListener("message", (event: MessageEvent<SceneMessage>) => {
    if (event.source !== window.parent || event.data?.articula !== "scene") return;
    if (now?.live && now.id === event.data.name) return now.replace(event.data);
    now = new GrowingSource(event.data);
    openNext(now, event.data.keeps);
  });
  window.parent.postMessage({ articula: "ready" }, "*");
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run that `articula view` serves; it may grow while one looks at it.
import { checkHeader, type SceneHeader } from "./header";
import { MovedTooFar, type JointCoordinate, type JointMover, type Moved, type Pull } from "./joint-mover";
import { frameSizes, type FrameSizes } from "./layout";
import type { FrameBlock, RunSource } from "./source";

interface RunEntry {
  id: number | string;
  name: string;
  frames: number;
  live: boolean;
  /** Whether it is a machine whose joints can be moved. */
  joints?: boolean;
}

async function reach(address: string): Promise<Response> {
  return fetch(address).catch(() => {
    throw new Error("The server does not answer. Is 'articula view' still running?");
  });
}

async function fetchOk(address: string): Promise<Response> {
  const answer = await reach(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** Every run of the server this page came from. */
export async function serverRuns(base = "api"): Promise<ServerSource[]> {
  const entries = (await (await fetchOk(`${base}/runs`)).json()) as RunEntry[];
  return Promise.all(
    entries.map(async (entry) => {
      const header = await (await fetchOk(`${base}/run/${entry.id}/header`)).json();
      return new ServerSource(entry, checkHeader(header), `${base}/run/${entry.id}`);
    }),
  );
}

export class ServerSource implements RunSource, JointMover {
  readonly name: string;
  readonly canMove: boolean;
  frames: number;
  live: boolean;
  private readonly size: FrameSizes;
  private readonly listeners: (() => void)[] = [];

  constructor(
    entry: RunEntry,
    readonly header: SceneHeader,
    private readonly address: string,
  ) {
    this.name = entry.name;
    this.frames = entry.frames;
    this.live = entry.live;
    this.canMove = entry.joints ?? false;
    this.size = frameSizes(header);
    if (this.live) this.listen();
  }

  async readFrames(from: number, to: number, every = 1): Promise<FrameBlock> {
    const step = every > 1 ? `&every=${every}` : "";
    const answer = await fetchOk(`${this.address}/frames?from=${from}&to=${to}${step}`);
    return splitFrames(await answer.arrayBuffer(), this.size, from, every);
  }

  async readTimes(): Promise<Float64Array> {
    const times = await this.column("times");
    this.frames = Math.max(this.frames, times.length);
    return times;
  }

  async readChannel(index: number): Promise<Float64Array> {
    return this.column(`channel/${index}`);
  }

  async readCertificate(): Promise<unknown> {
    const answer = await reach(`${this.address}/certificate`);
    return answer.ok ? answer.json().catch(() => null) : null;
  }

  /** The coordinates by which the machine is moved. */
  async coordinates(): Promise<JointCoordinate[]> {
    return (await fetchOk(`${this.address}/joints`)).json() as Promise<JointCoordinate[]>;
  }

  /** Move to these coordinates. */
  async moveTo(values: number[]): Promise<Moved> {
    return { values, poses: new Float32Array(await this.ask(`pose?q=${values.join(",")}`)) };
  }

  /** Move to where the model file has it. */
  async moveToStart(coordinates: JointCoordinate[]): Promise<Moved> {
    return { values: coordinates.map(({ value }) => value), poses: new Float32Array(await this.ask("pose?q=start")) };
  }

  /** Bring a point of a body as near to a ray of sight as its joint lets it. */
  async pull({ body, point, origin, direction }: Pull, coordinates: number): Promise<Moved> {
    const bytes = await this.ask(`pull?ray=${[body, ...point, ...origin, ...direction].join(",")}`);
    return { values: [...new Float64Array(bytes, 0, coordinates)], poses: new Float32Array(bytes, 8 * coordinates) };
  }

  private async ask(wish: string): Promise<ArrayBuffer> {
    const answer = await reach(`${this.address}/${wish}`);
    if (!answer.ok) throw new MovedTooFar((await answer.text()).trim());
    return answer.arrayBuffer();
  }

  onGrow(listener: () => void): void {
    this.listeners.push(listener);
  }

  forgetListeners(): void {
    this.listeners.length = 0;
  }

  private async column(what: string): Promise<Float64Array> {
    const bytes = await (await fetchOk(`${this.address}/${what}`)).arrayBuffer();
    return new Float64Array(bytes, 0, Math.floor(bytes.byteLength / 8));
  }

  private listen(): void {
    const events = new EventSource(`${this.address}/live`);
    events.onmessage = (event) => {
      const news = JSON.parse(String(event.data)) as { frames: number; live?: boolean };
      this.frames = Math.max(this.frames, news.frames);
      if (news.live === false) this.end(events);
      for (const listener of this.listeners) listener();
    };
    // the server closes the stream when the run has ended or when it goes away itself
    events.onerror = () => {
      this.end(events);
      for (const listener of this.listeners) listener();
    };
  }

  private end(events: EventSource): void {
    events.close();
    this.live = false;
  }
}

/** The frames of an answer, sorted into one array for each kind of number. */
export function splitFrames(bytes: ArrayBuffer, size: FrameSizes, from: number, every: number): FrameBlock {
  const count = Math.floor(bytes.byteLength / size.bytes);
  const block: FrameBlock = {
    from,
    every,
    count,
    times: new Float64Array(count),
    poses: new Float32Array(count * size.poses),
    velocities: size.velocities ? new Float32Array(count * size.velocities) : null,
    vectors: new Float32Array(count * size.vectors),
  };
  for (let i = 0; i < count; i++) {
    let at = i * size.bytes;
    block.times[i] = new Float64Array(bytes, at, 1)[0];
    at += 8;
    block.poses.set(new Float32Array(bytes, at, size.poses), i * size.poses);
    at += 4 * size.poses;
    block.velocities?.set(new Float32Array(bytes, at, size.velocities), i * size.velocities);
    at += 4 * size.velocities;
    block.vectors.set(new Float32Array(bytes, at, size.vectors), i * size.vectors);
  }
  return block;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run that the page computes itself, as far as it is looked at.
import type { SceneHeader } from "../data/header";
import type { FrameBlock, FrameReader, RunSource } from "../data/source";
import { ArrowPlaces } from "./arrow-places";
import { Balance } from "./balance";
import { Geometry, type GeometryMap } from "./geometry";
import { History } from "./history";
import type { Machine, VectorName } from "./machine";

// Loops are closed by Newton's method, which may come out on another branch or some turns further where a length changes by
// much: it changes in steps in which no coordinate goes further than this, rad or sizes of the machine, the shortest a share
// of the whole.
const MOST_TURN = 0.3;
const LEAST_SHARE = 1 / 4096;

// frames lie so close, s: a step of the screen at 120 pictures a second
const FRAME = 1 / 120;

/** A body that is held by a spring: the point of it, and where the spring's other end is, in ground axes. */
export interface Grip {
  body: number;
  point: [number, number, number];
  target: [number, number, number];
}

export class LiveSource implements RunSource, FrameReader {
  readonly live = true;
  failed = false;
  /** Why the machine does not go on; empty while it does. */
  failure = "";
  /** Seconds of the machine for each second that was spent on computing, lately. */
  pace = 0;
  grip: Grip | null = null;
  private readonly history: History;
  private readonly steps: number;
  private readonly listeners: (() => void)[] = [];
  private readonly mass: number;
  private readonly arrows: ArrowPlaces;
  private readonly balance = new Balance();
  private made = 0;
  /** What each position is measured by: a radian, or the size of the machine. */
  private readonly reach: number[];
  private readonly geometry: Geometry;

  constructor(
    readonly name: string,
    public header: SceneHeader,
    readonly machine: Machine,
    readonly step: number,
    map: GeometryMap,
  ) {
    this.history = new History(header.bodies.length, header.vectors.length, header.channels.length);
    this.arrows = new ArrowPlaces(header, machine.values("arrows").length);
    this.reach = machine.quantities("positions").map(({ unit }) => (unit === "m" ? (header.size ?? 1) : 1));
    this.steps = Math.max(1, Math.round(FRAME / step));
    this.mass = header.bodies.reduce((sum, body) => sum + body.mass, 0);
    machine.show();
    this.geometry = new Geometry(header, map, machine.geometryNumbers(), machine.values("geometry"));
    this.begin();
  }

  private reshape(): void {
    this.header = this.geometry.apply(this.machine.values("geometry")) ?? this.header;
  }

  get frames(): number {
    return this.history.count;
  }

  get times(): Float64Array {
    return this.history.allTimes;
  }

  //---- moving

  /** Compute until the machine has come to a time, or for so many ms at most; false when it has not come there. */
  extendTo(time: number, most: number): boolean {
    const { machine, history } = this;
    const started = performance.now();
    const from = history.end;
    while (!this.failure && history.end < time && performance.now() - started < most) this.advance();
    const spent = performance.now() - started;
    if (history.end > from) {
      this.measure(history.end - from, spent / 1000);
      for (const listener of this.listeners) listener();
    }
    return machine.time >= time;
  }

  // clocks of pages are coarse: over 50 ms of computing, or half a second of the machine
  private measure(moved: number, spent: number): void {
    this.moved += moved;
    this.spent += spent;
    if (this.spent < 0.05 && this.moved < 0.5) return;
    this.pace = this.moved / Math.max(1e-4, this.spent);
    this.moved = this.spent = 0;
  }

  private moved = 0;
  private spent = 0;

  private advance(): void {
    const { machine } = this;
    if (this.grip) this.pull(this.grip);
    if (machine.step(this.steps, this.step)) {
      this.made += this.steps;
      if (this.record()) this.balance.add(machine.values("checks"));
    } else this.failure = machine.reason || "a step could not be made";
  }

  // a spring that would swing all of the machine's mass in half a second, damped as much as such a mass needs to come to rest
  private pull({ body, point, target }: Grip): void {
    const { machine } = this;
    const stiffness = this.mass * (4 * Math.PI) ** 2;
    const place = this.placeOf(body, point);
    const before = this.lastPlace ?? place;
    const span = this.steps * this.step;
    const force = place.map((x, k) => stiffness * (target[k] - x) - (2 * stiffness * (x - before[k])) / (4 * Math.PI * span));
    this.lastPlace = place;
    if (!machine.pull(body, point, force)) this.failure = machine.reason;
  }

  private lastPlace: number[] | null = null;

  private placeOf(body: number, [x, y, z]: [number, number, number]): number[] {
    const pose = this.machine.values("poses").subarray(7 * body, 7 * body + 7);
    const [px, py, pz, w, a, b, c] = pose;
    // r + 2 w (u x r) + 2 u x (u x r)
    const t = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
    return [px + x + w * t[0] + b * t[2] - c * t[1], py + y + w * t[1] + c * t[0] - a * t[2], pz + z + w * t[2] + a * t[1] - b * t[0]];
  }

  hold(grip: Grip | null): void {
    if (!grip) this.machine.release();
    if (!this.grip || !grip) this.lastPlace = null;
    this.grip = grip;
  }

  //---- changing

  /** Another value of a parameter or an input, from now on; false, with the old value, where the machine cannot have it. */
  set(vector: VectorName, index: number, value: number): boolean {
    const { machine } = this;
    const state = machine.save();
    const wanted = machine.values(vector).slice();
    wanted[index] = value;
    const taken = this.approach(vector, wanted) && machine.show();
    if (taken) {
      this.failure = "";
      this.balance.jump(machine.values("checks"));
      this.reshape();
    } else machine.restore(state);
    return taken;
  }

  // bring parameters or inputs to other values while the machine stays on its branch
  private approach(vector: VectorName, wanted: Float64Array): boolean {
    const { machine } = this;
    const from = machine.values(vector).slice();
    let [done, share] = [0, 1];
    while (done < 1) {
      const state = machine.save();
      const before = machine.values("positions").slice();
      const next = Math.min(1, done + share);
      machine.values(vector).set(from.map((x, i) => (next === 1 ? wanted[i] : x + next * (wanted[i] - x))));
      if (machine.change() && !this.hasJumped(before)) {
        done = next;
        share *= 2;
      } else {
        machine.restore(state);
        share /= 2;
        if (share < LEAST_SHARE) return false;
      }
    }
    return true;
  }

  private hasJumped(before: Float64Array): boolean {
    return this.machine.values("positions").some((x, i) => !(Math.abs(x - before[i]) <= MOST_TURN * this.reach[i]));
  }

  /** Begin again, with parameters and inputs as they are and with these positions and velocities where they are given. */
  begin(positions?: ArrayLike<number>, velocities?: ArrayLike<number>): boolean {
    const { machine } = this;
    const kept = (["parameters", "inputs"] as const).map((vector) => [vector, this.history.count > 0 ? machine.values(vector).slice() : null] as const);
    machine.start();
    const reached = kept.every(([vector, values]) => !values || this.approach(vector, values));
    // lengths that the start cannot be led to are tried at once
    if (!reached) for (const [vector, values] of kept) if (values) machine.values(vector).set(values);
    if (positions) machine.values("positions").set(positions);
    if (velocities) machine.values("velocities").set(velocities);
    const closed = machine.change() && machine.show();
    this.failure = closed ? "" : machine.reason || "the loops do not close";
    this.reshape();
    this.history.clear();
    this.hold(null);
    this.keepFrame();
    this.made = 0;
    this.balance.begin(machine.values("checks"));
    for (const listener of this.listeners) listener();
    return closed;
  }

  private record(): boolean {
    const shown = this.machine.show();
    if (shown) this.keepFrame();
    else this.failure = this.machine.reason;
    return shown;
  }

  private keepFrame(): void {
    const { machine } = this;
    this.history.add(machine.time, machine.values("poses"), this.arrows.read(machine.values("arrows")), machine.values("outputs"));
  }

  private get certificate(): unknown {
    return this.balance.certificate(this.machine.time, this.made, this.step, this.header.loops.length > 0, this.failure);
  }

  //---- as a source

  block(): FrameBlock {
    return this.history.block();
  }

  prefetch(): void {}

  async readFrames(from: number, to: number, every = 1): Promise<FrameBlock> {
    return this.history.read(from, to, every);
  }

  async readTimes(): Promise<Float64Array> {
    return this.times;
  }

  async readChannel(index: number): Promise<Float64Array> {
    return this.history.channel(index);
  }

  async readCertificate(): Promise<unknown> {
    return this.certificate;
  }

  onGrow(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Whoever listened is gone. */
  forgetListeners(): void {
    this.listeners.length = 0;
  }

  /** The rows computed so far, as a run of their own. */
  keep(name: string): KeptSource {
    return new KeptSource(name, this.header, this.history.copy(), this.certificate);
  }
}

/** A run that was computed before and kept to compare others with. */
export class KeptSource implements RunSource {
  readonly live = false;

  constructor(
    readonly name: string,
    readonly header: SceneHeader,
    private readonly history: History,
    private readonly certificate: unknown,
  ) {}

  get frames(): number {
    return this.history.count;
  }

  async readFrames(from: number, to: number, every = 1): Promise<FrameBlock> {
    return this.history.read(from, to, every);
  }

  async readTimes(): Promise<Float64Array> {
    return this.history.allTimes;
  }

  async readChannel(index: number): Promise<Float64Array> {
    return this.history.channel(index);
  }

  async readCertificate(): Promise<unknown> {
    return this.certificate;
  }

  onGrow(): void {}
}

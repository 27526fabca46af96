// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The clock of the animation: playing, stepping, jumping.
import { frameBefore } from "../data/search";
import { computed, referenceRun, timeSpan, type Session } from "./session";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

// a page that slept goes on where it was, without a jump
const LONGEST_STEP = 0.25;

export class Player {
  constructor(private readonly session: Session) {}

  /** The time that playing comes to after so many seconds of the wall clock, if there are frames. */
  ahead(seconds: number): number {
    const { time, speed } = this.session.store.state;
    return time + speed * Math.min(seconds, LONGEST_STEP);
  }

  /** The time after so many seconds of the wall clock. */
  next(seconds: number): { time: number; ended: boolean } {
    const { loop } = this.session.store.state;
    const [start, end] = timeSpan(this.session);
    const ahead = this.ahead(seconds);
    const machine = computed(this.session);
    if (machine) return { time: Math.min(ahead, end), ended: ahead > end && machine.failure !== "" };
    if (ahead < end) return { time: ahead, ended: false };
    return loop ? { time: start + ((ahead - start) % (end - start)), ended: false } : { time: end, ended: true };
  }

  toggle(): void {
    const { store } = this.session;
    const [start, end] = timeSpan(this.session);
    const atEnd = store.state.time >= end && !store.state.playing && !computed(this.session);
    store.update({ playing: !store.state.playing, ...(atEnd ? { time: start } : {}) });
  }

  seek(time: number): void {
    const [start, end] = timeSpan(this.session);
    this.session.store.update({ time: Math.min(end, Math.max(start, time)) });
  }

  /** Go so many frames of the reference run forward or back, onto a frame exactly. */
  step(frames: number): void {
    const { times } = referenceRun(this.session);
    const { store } = this.session;
    const frame = frameBefore(times, store.state.time);
    const between = store.state.time > times[frame] && frames < 0 ? 1 : 0;
    const next = Math.min(times.length - 1, Math.max(0, frame + between + frames));
    store.update({ playing: false, time: times[next] });
  }

  faster(direction: 1 | -1): void {
    const { speed } = this.session.store.state;
    const next = direction > 0 ? SPEEDS.find((s) => s > speed) : SPEEDS.filter((s) => s < speed).pop();
    if (next !== undefined) this.session.store.update({ speed: next });
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures as good as the machine can draw them: thirty a second in motion, all the finery when at rest.
import type { Detail } from "../scene/shapes";

export interface Quality {
  /** Pixels drawn along an edge of one of the screen's: more than one smooths edges. */
  grain: number;
  shadows: boolean;
  detail: Detail;
}

/** From the best to the quickest. Below half the pixels of the screen nothing can be read: pictures come less often then. */
export const LEVELS: readonly Quality[] = [
  { grain: 2, shadows: true, detail: "fine" },
  { grain: 2, shadows: false, detail: "fine" },
  { grain: 1, shadows: false, detail: "fine" },
  { grain: 1, shadows: false, detail: "coarse" },
  { grain: 0.7, shadows: false, detail: "rough" },
  { grain: 0.5, shadows: false, detail: "rough" },
];

/** The quality of the first picture. */
export const FIRST_LEVEL = 3;

// ms between pictures: too many for thirty a second, which are 33.3 on a screen of 60, and so few that better ones may be tried
const SLOW = 34;
const QUICK = 20;

// pictures until one judges: that many, or as many as come in this many ms
const WINDOW = 20;
const WINDOW_TIME = 600;

// a picture at rest may take so many ms; the next better one, at most so many times as long
const PATIENCE = 300;
const GROWTH = 4;

export class QualityKeeper {
  /** The level for pictures in motion. */
  pace = FIRST_LEVEL;
  private readonly tooSlow = new Set<number>();
  private times: number[] = [];

  private held = false;

  /** Keep to one level with whole pixels until it is released. */
  hold(): void {
    this.pace = Math.min(Math.max(this.pace, 2), FIRST_LEVEL);
    this.held = true;
  }

  release(): void {
    this.held = false;
  }

  /** Tell the time since the last picture of a running animation, in ms; the pace follows. */
  tell(milliseconds: number): void {
    if (this.held) return;
    this.times.push(milliseconds);
    const total = this.times.reduce((sum, time) => sum + time, 0);
    if (this.times.length < WINDOW && !(total > WINDOW_TIME && this.times.length > 4)) return;
    const middle = [...this.times].sort((a, b) => a - b)[this.times.length >> 1];
    this.times = [];
    if (middle > SLOW) this.slowDown(middle);
    else if (middle < QUICK && this.pace > 0 && !this.tooSlow.has(this.pace - 1)) this.pace--;
  }

  /** The level for a picture at rest after one of this level took so many ms. */
  atRest(level: number, milliseconds: number): number {
    if (milliseconds < QUICK && level < this.pace && !this.tooSlow.has(level)) this.pace = level;
    return level > 0 && GROWTH * milliseconds < PATIENCE ? level - 1 : level;
  }

  // one step, or two where one cannot be enough
  private slowDown(middle: number): void {
    this.tooSlow.add(this.pace);
    this.pace = Math.min(LEVELS.length - 1, this.pace + (middle > 2 * SLOW ? 2 : 1));
  }
}

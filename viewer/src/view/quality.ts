// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures as good as the machine can draw them at thirty a second.

export interface Quality {
  pixelRatio: number;
  shadows: boolean;
}

const LEVELS: Quality[] = [
  { pixelRatio: 2, shadows: true },
  { pixelRatio: 1, shadows: true },
  { pixelRatio: 1, shadows: false },
  { pixelRatio: 0.75, shadows: false },
];

const WINDOW = 20;
const SLOW = 1000 / 31;

/** Steps down when the mean time between pictures of a second or so is too long; never up again by itself. */
export class QualityKeeper {
  private level = 0;
  private times: number[] = [];

  constructor(private readonly onChange: (quality: Quality) => void) {}

  get quality(): Quality {
    return LEVELS[this.level];
  }

  /** Tell the time since the last picture of a running animation, in ms. */
  tell(milliseconds: number): void {
    this.times.push(milliseconds);
    if (this.times.length < WINDOW) return;
    const middle = [...this.times].sort((a, b) => a - b)[WINDOW >> 1];
    this.times = [];
    if (middle <= SLOW || this.level + 1 >= LEVELS.length) return;
    this.level++;
    this.onChange(this.quality);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How well a machine that the page computes keeps its energy and its loops, since it began: a certificate as runs of the
// program have one, with the same limits (doc/reference/results.md).
import { readable } from "../view/numbers";

// the numbers of a check as the module gives them
const KINETIC = 0, POTENTIAL = 1, WORK = 2, POSITION = 3, VELOCITY = 4;

/** The status of such a certificate. */
export const ON_PAGE = "computed on this page";

const ENERGY_LIMIT = 1e-3;
const ENERGY_ROUNDING = 1e-9;
const POSITION_LIMIT = 1e-5;
const VELOCITY_LIMIT = 1e-3;

export class Balance {
  private start = 0;
  private potential = 0;
  private work = 0;
  private end = 0;
  private done = 0;
  private error = 0;
  private scale = 0;
  private position = 0;
  private velocity = 0;

  begin(checks: Float64Array): void {
    this.start = this.end = checks[KINETIC] + checks[POTENTIAL];
    this.potential = checks[POTENTIAL];
    this.work = checks[WORK];
    this.done = this.error = this.scale = this.position = this.velocity = 0;
    this.add(checks);
  }

  add(checks: Float64Array): void {
    this.end = checks[KINETIC] + checks[POTENTIAL];
    this.done = checks[WORK] - this.work;
    this.error = worse(this.error, this.end - this.start - this.done);
    this.scale = worse(worse(this.scale, checks[KINETIC]), checks[POTENTIAL] - this.potential);
    this.position = worse(this.position, checks[POSITION]);
    this.velocity = worse(this.velocity, checks[VELOCITY]);
  }

  /** Somebody has changed a parameter, an input or the state: what the energy jumps by is no error. */
  jump(checks: Float64Array): void {
    const jump = checks[KINETIC] + checks[POTENTIAL] - this.end;
    this.start += jump;
    this.end += jump;
  }

  /** In the words of certificate.json. */
  certificate(time: number, steps: number, step: number, hasLoops: boolean, failure: string): unknown {
    const { start, end, error, scale, position, velocity } = this;
    const reasons = this.reasons(hasLoops);
    return {
      status: failure ? "failed" : ON_PAGE,
      verdict: failure ? "failed" : reasons.length > 0 ? "doubtful" : "good",
      reasons,
      ...(failure ? { error: { message: failure } } : {}),
      time,
      study: { method: "generated", integrator: "rk4", step },
      constraints: hasLoops
        ? { position_residual: position, velocity_residual: velocity }
        : { note: "the model is a tree: it has no loop constraints" },
      energy: { start, end, work: this.done, error, scale, relative_error: scale > 0 ? error / scale : error },
      steps: { accepted: steps, evaluations: 4 * steps, shortest: step, longest: step },
    };
  }

  private reasons(hasLoops: boolean): string[] {
    const { error, scale, start, end, done, position, velocity } = this;
    const rounding = ENERGY_ROUNDING * Math.max(Math.abs(start), Math.abs(end), Math.abs(done));
    const open = !(error <= ENERGY_LIMIT * scale || error <= rounding);
    const violated = hasLoops && !(position <= POSITION_LIMIT && velocity <= VELOCITY_LIMIT);
    return [
      ...(open ? [`the energy balance is open by ${readable(error, 2)} J where energies reach ${readable(scale, 3)} J; a shorter step should close it`] : []),
      ...(violated ? [`constraints are violated by up to ${readable(position, 2)} m or rad, rates by ${readable(velocity, 2)} per second`] : []),
    ];
  }
}

// the larger magnitude; what is not a number stays
const worse = (most: number, x: number): number => Math.max(most, Math.abs(x));

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine that computes: the WebAssembly module that `articula export --live` puts into a page.

/** Vectors of the machine, in the order in which the module numbers them. */
const VECTORS = ["time", "positions", "velocities", "states", "inputs", "forces", "parameters", "outputs", "poses", "arrows", "checks", "geometry"] as const;
export type VectorName = (typeof VECTORS)[number];

/** One number of a vector as the model describes it. */
export interface Quantity {
  name: string;
  unit: string;
  value: number;
  lower: number;
  upper: number;
}

interface Module {
  memory: WebAssembly.Memory;
  start(): number;
  change(): number;
  step(n: number, h: number): number;
  show(): number;
  reason(): number;
  vector(which: number): number;
  count(which: number): number;
  entry(which: number, i: number): number;
  parameter(i: number): number;
  geometry_number(i: number): number;
  memory_at(): number;
  memory_size(): number;
  pull(body: number, x: number, y: number, z: number, fx: number, fy: number, fz: number): number;
  release(): void;
}

// an entry of the module: three pointers, padding, value and limits
const ENTRY = { name: 0, unit: 4, value: 16, lower: 24, upper: 32 };

export class Machine {
  private constructor(private readonly module: Module) {}

  static async make(bytes: BufferSource): Promise<Machine> {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    const machine = new Machine(instance.exports as unknown as Module);
    machine.start();
    return machine;
  }

  /** Go to the assembled state of the model, with its parameters and inputs; false when loops do not close. */
  start(): boolean {
    return this.module.start() === 0;
  }

  /** Parameters or coordinates were changed: close the loops by them. */
  change(): boolean {
    return this.module.change() === 0;
  }

  /** n steps of length h; false when one could not be made, after those before it. */
  step(n: number, h: number): boolean {
    return this.module.step(n, h) === 0;
  }

  /** Bring outputs and poses up to date. */
  show(): boolean {
    return this.module.show() === 0;
  }

  /** Why the last call failed, in words. */
  get reason(): string {
    return this.text(this.module.reason());
  }

  get time(): number {
    return this.values("time")[0];
  }

  /** The numbers of a vector: memory of the machine, to be read and written between calls. */
  values(vector: VectorName): Float64Array {
    const which = VECTORS.indexOf(vector);
    return new Float64Array(this.module.memory.buffer, this.module.vector(which), this.module.count(which));
  }

  quantities(vector: VectorName): Quantity[] {
    const which = VECTORS.indexOf(vector);
    const view = new DataView(this.module.memory.buffer);
    return Array.from({ length: this.module.count(which) }, (_, i) => {
      const at = this.module.entry(which, i);
      const number = (offset: number): number => view.getFloat64(at + offset, true);
      const text = (offset: number): string => this.text(view.getUint32(at + offset, true));
      const name = vector === "parameters" ? this.text(this.module.parameter(i)) : text(ENTRY.name);
      return { name, unit: text(ENTRY.unit), value: number(ENTRY.value), lower: number(ENTRY.lower), upper: number(ENTRY.upper) };
    });
  }

  /** Which numbers of the geometry follow parameters, in the order of the vector "geometry". */
  geometryNumbers(): number[] {
    return Array.from({ length: this.values("geometry").length }, (_, i) => this.module.geometry_number(i));
  }

  /** The whole state, to be kept and brought back. */
  save(): Uint8Array {
    return this.bytes().slice();
  }

  restore(state: Uint8Array): void {
    this.bytes().set(state);
  }

  /** Let a force in ground axes act at a point of a body, until it is released or changed. */
  pull(body: number, point: ArrayLike<number>, force: ArrayLike<number>): boolean {
    return this.module.pull(body, point[0], point[1], point[2], force[0], force[1], force[2]) === 0;
  }

  release(): void {
    this.module.release();
  }

  private bytes(): Uint8Array {
    return new Uint8Array(this.module.memory.buffer, this.module.memory_at(), this.module.memory_size());
  }

  private text(at: number): string {
    const bytes = new Uint8Array(this.module.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

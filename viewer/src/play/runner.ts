// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls of the program in workers: one at a time, and the next one ends it.
import type { Order, Report } from "./worker";
import CallWorker from "./worker?worker&inline";

export type Done = Extract<Report, { kind: "done" }>;

export class Runner {
  private worker: Worker | null = null;
  private give: (() => void) | null = null;

  constructor(private readonly module: Promise<WebAssembly.Module>) {}

  /** null when it was ended before it was done. */
  async call(order: Omit<Order, "module">, listen: (report: Report) => void = () => {}): Promise<Done | null> {
    this.stop();
    const module = await this.module;
    const worker = (this.worker = new CallWorker());
    try {
      return await new Promise<Done | null>((resolve, reject) => {
        this.give = () => resolve(null);
        worker.onerror = (event) => reject(new Error(event.message || "the worker failed"));
        worker.onmessage = ({ data }: MessageEvent<Report>) => {
          if (data.kind === "done") resolve(data);
          else if (data.kind === "failed") reject(new Error(data.message));
          else listen(data);
        };
        worker.postMessage({ ...order, module });
      });
    } finally {
      worker.terminate();
      if (this.worker === worker) this.worker = null;
    }
  }

  get busy(): boolean {
    return this.worker !== null;
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.give?.();
    this.give = null;
  }
}

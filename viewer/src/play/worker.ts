// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A call of the program in parallel with the page, which stays awake meanwhile.
import { Files } from "./files";
import { call, type Outcome } from "./program";

export interface Order {
  module: WebAssembly.Module;
  files: [string, Uint8Array][];
  args: string[];
  /** The folder that results go to. */
  folder: string;
}

export type Report =
  | { kind: "wrote"; at: number; bytes: Uint8Array }
  | { kind: "time"; time: number }
  | { kind: "done"; outcome: Outcome; results: [string, Uint8Array][] }
  | { kind: "failed"; message: string };

// ms between two reports of how far it is
const PACE = 100;

const report = (message: Report): void => (self as unknown as Worker).postMessage(message);

// the time at which the last whole line of a table of results begins
function lastTime(bytes: Uint8Array): number {
  const lines = new TextDecoder().decode(bytes.slice(-4000)).split("\n");
  return lines.length > 2 ? parseFloat(lines[lines.length - 2]) : NaN;
}

async function work(order: Order): Promise<void> {
  const files = new Files(order.files);
  let last = performance.now();
  const wrote = (path: string, at: number, bytes: Uint8Array): void => {
    if (path === `${order.folder}/scene.arts`) report({ kind: "wrote", at, bytes: bytes.slice() });
    if (path !== `${order.folder}/results.csv` || performance.now() - last < PACE) return;
    last = performance.now();
    report({ kind: "time", time: lastTime(bytes) });
  };
  const outcome = await call(order.module, files, order.args, wrote);
  const results = files.written(order.folder, new Set(order.files.map(([path]) => path)));
  report({ kind: "done", outcome, results });
}

self.onmessage = (event: MessageEvent<Order>): void => {
  work(event.data).catch((error: unknown) => report({ kind: "failed", message: String(error) }));
};

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A call of the program: its own instance of the module, files in memory, texts and exit status back.
import type { Files } from "./files";
import { Leave } from "./leave";
import { Exit, Wasi } from "./wasi";

export interface Outcome {
  status: number;
  out: string;
  err: string;
}

export type Watch = (path: string, at: number, bytes: Uint8Array) => void;

/** Do what `articula ARGS` does, on these files. */
export async function call(module: WebAssembly.Module, files: Files, args: string[], wrote?: Watch): Promise<Outcome> {
  const text = ["", "", ""];
  const wasi = new Wasi({ args: ["articula", ...args], files, print: (stream, more) => (text[stream] += more), wrote });
  const leave = new Leave();
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.imports, articula: leave.imports });
  leave.parts = instance.exports as unknown as Leave["parts"];
  wasi.memory = instance.exports["memory"] as WebAssembly.Memory;
  let status = 0;
  try {
    (instance.exports["_start"] as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    status = error.status;
  }
  return { status, out: text[1], err: text[2] };
}

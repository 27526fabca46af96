// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Node 18 has compression streams without the format "deflate-raw", which every browser knows: supply it from zlib.
// The bundler puts this file in front of every test.
import { Readable, Writable, type Duplex } from "node:stream";
import { createDeflateRaw, createInflateRaw } from "node:zlib";

function knowsDeflateRaw(): boolean {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

if (!knowsDeflateRaw()) {
  const replace = (name: "CompressionStream" | "DecompressionStream", make: () => Duplex): void => {
    const original = globalThis[name];
    Object.assign(globalThis, {
      [name]: function (format: CompressionFormat) {
        if (format !== "deflate-raw") return new original(format);
        const stream = make();
        return { readable: Readable.toWeb(stream), writable: Writable.toWeb(stream) };
      },
    });
  };
  replace("CompressionStream", createDeflateRaw);
  replace("DecompressionStream", createInflateRaw);
}

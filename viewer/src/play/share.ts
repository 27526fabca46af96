// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model inside an address: its path and text, deflated, after the #.

export interface Shared {
  path: string;
  text: string;
}

const MARK = "#model=";

async function pump(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function encodeModel(model: Shared): Promise<string> {
  const bytes = await pump(new TextEncoder().encode(`${model.path}\n${model.text}`), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return MARK + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** null where the address holds no model, or a damaged one. */
export async function decodeModel(hash: string): Promise<Shared | null> {
  if (!hash.startsWith(MARK)) return null;
  try {
    const binary = atob(hash.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(await pump(Uint8Array.from(binary, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw")));
    const end = text.indexOf("\n");
    return end < 0 ? null : { path: text.slice(0, end), text: text.slice(end + 1) };
  } catch {
    return null;
  }
}

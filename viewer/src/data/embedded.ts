// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scenes inside the page: base64 of the deflated scene file, each followed by its certificate and by how its joints move it.
import { FileSource } from "./file-source";
import { ChainSource, type JointChains } from "./joint-chains";

export const SCENES = 'script[type="application/x-articula-scene"]';
const CERTIFICATE = "data-articula-certificate";
const JOINTS = "data-articula-joints";

/** Every run that the page carries. */
export async function embeddedRuns(page: ParentNode): Promise<FileSource[]> {
  const blocks = [...page.querySelectorAll<HTMLScriptElement>(SCENES)];
  return Promise.all(
    blocks.map(async (block, index) => {
      const file = await inflate(fromBase64(block.textContent ?? ""));
      const name = block.dataset["name"] ?? `run ${index + 1}`;
      block.textContent = "";
      const certificate = read(block, CERTIFICATE);
      const joints = read(block, JOINTS) as JointChains | null;
      return joints ? new ChainSource(name, file, certificate, joints) : new FileSource(name, file, certificate);
    }),
  );
}

// what follows a scene, before the next one
function read(block: Element, kind: string): unknown {
  let next = block.nextElementSibling;
  while (next && !next.hasAttribute(kind) && (next.hasAttribute(CERTIFICATE) || next.hasAttribute(JOINTS))) next = next.nextElementSibling;
  if (!next?.hasAttribute(kind)) return null;
  try {
    return JSON.parse(next.textContent ?? "");
  } catch {
    return null;
  }
}

// newer browsers decode by themselves, ten times as fast
type Decoder = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as Decoder).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts that the page of the playground carries: the program, the sample models, the viewer, the schema, a model of its own.
import { fromBase64, inflate } from "../data/embedded";
import type { Sketch } from "./examples";
import type { Schema } from "./schema";
import type { Shared } from "./share";

async function part(name: string): Promise<ArrayBuffer> {
  const block = document.querySelector(`script[data-part="${name}"]`);
  if (!block) throw new Error(`this page lacks its part '${name}'; build it with: make site`);
  return inflate(fromBase64(block.textContent ?? ""));
}

const text = async (name: string): Promise<string> => new TextDecoder().decode(await part(name));

export const readModule = async (): Promise<WebAssembly.Module> => WebAssembly.compile(await part("module"));
export const readViewer = (): Promise<string> => text("viewer");
export const readSchema = async (): Promise<Schema> => JSON.parse(await text("schema")) as Schema;

/** Paths and texts of the sample models and of what they include. */
export const readFiles = async (): Promise<Record<string, string>> => JSON.parse(await text("files")) as Record<string, string>;

/** Small pictures of the sample models by their paths. */
export const readSketches = async (): Promise<Record<string, Sketch>> => JSON.parse(await text("sketches")) as Record<string, Sketch>;

/** The model that the command put into the page, if any. */
export async function readModel(): Promise<Shared | null> {
  const block = document.querySelector<HTMLScriptElement>('script[type="application/x-articula-model"]');
  if (!block) return null;
  const bytes = await inflate(fromBase64(block.textContent ?? ""));
  return { path: block.dataset["name"] ?? "model.yaml", text: new TextDecoder().decode(bytes) };
}

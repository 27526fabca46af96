// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine inside a page: header of its scene, module and model file, one script after the other.
import { fromBase64, inflate } from "../data/embedded";
import { checkHeader } from "../data/header";
import type { GeometryMap } from "./geometry";
import { LiveSource } from "./live-source";
import { Machine } from "./machine";

export const HEADER = "script[data-articula-live]";
const ABOUT = "script[data-articula-machine]";
const MODULE = 'script[type="application/wasm"]';
const MODEL = 'script[type="text/plain"][data-name]';

/** A slider as the list `live` of the model file has it. */
export interface SliderWish {
  name: string;
  title?: string;
  group?: string;
  lower?: number;
  upper?: number;
}

/** What the page knows of the machine besides its scene. */
interface About {
  geometry: GeometryMap;
  sliders: SliderWish[];
  /** What parameters are, in words, by their names. */
  help: Record<string, string>;
}

/** The text of the model, to be saved. */
export interface ModelFile {
  name: string;
  text: ArrayBuffer;
}

export interface EmbeddedMachine {
  source: LiveSource;
  model: ModelFile | null;
  sliders: SliderWish[];
  help: Record<string, string>;
}

/** The machine that the page carries, if it carries one. */
export async function embeddedMachine(page: ParentNode): Promise<EmbeddedMachine | null> {
  const block = page.querySelector<HTMLScriptElement>(HEADER);
  const module = page.querySelector<HTMLScriptElement>(MODULE);
  const about = page.querySelector<HTMLScriptElement>(ABOUT);
  if (!block || !module || !about) return null;
  const { geometry, sliders, help } = JSON.parse(about.textContent ?? "") as About;
  // the page computes by ways of its own; speeds of bodies are not kept
  const header = { ...checkHeader(JSON.parse(block.textContent ?? "")), method: "generated", integrator: "rk4", velocities: false };
  const machine = await Machine.make(await unpack(module));
  const name = header.model.title || header.model.name || "machine";
  return { source: new LiveSource(name, header, machine, Number(block.dataset["articulaLive"]), geometry), model: await modelFile(page), sliders, help };
}

async function modelFile(page: ParentNode): Promise<ModelFile | null> {
  const block = page.querySelector<HTMLScriptElement>(MODEL);
  return block ? { name: block.dataset["name"] ?? "model.yaml", text: await unpack(block) } : null;
}

async function unpack(block: HTMLScriptElement): Promise<ArrayBuffer> {
  const bytes = await inflate(fromBase64(block.textContent ?? ""));
  block.textContent = "";
  return bytes;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of the section `parameters` of a model file, and the ranges of their sliders.
import { reach } from "../live/reach";

export interface ParameterNumber {
  name: string;
  value: number;
  /** Where the number is in the text. */
  from: number;
  to: number;
  /** Where its slider goes: after its unit. */
  place: number;
  range: [number, number];
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/;
// a number and its unit, up to what ends a value
const VALUE = new RegExp(`^(\\s*(?:\\{(?:[^{}]*?[,\\s])?value:\\s*)?)(${NUMBER.source})(\\s*[^\\s,{}\\[\\]#][^,{}\\[\\]#\\n]*)?`);
const PAIR = new RegExp(`\\[\\s*(${NUMBER.source})([^,\\]]*),\\s*(${NUMBER.source})([^,\\]]*)\\]`);

/** All parameters that are plain numbers, in the order of the file. */
export function parameterNumbers(text: string): ParameterNumber[] {
  const head = /^parameters:[ \t]*/m.exec(text);
  if (!head) return [];
  const start = head.index + head[0].length;
  const found = text[start] === "{" ? flowEntries(text, start + 1) : blockEntries(text, start);
  return found.flatMap((entry) => number(text, entry) ?? []);
}

interface Entry {
  name: string;
  /** After the colon, and the end of the entry. */
  at: number;
  end: number;
}

// lines of one indentation below the key
function blockEntries(text: string, start: number): Entry[] {
  const entries: Entry[] = [];
  let indent = -1;
  for (let at = text.indexOf("\n", start) + 1; at > 0 && at < text.length; ) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, end);
    if (/^[^\s#]/.test(line)) break;
    const key = /^( +)([A-Za-z_]\w*):/.exec(line);
    if (key && indent < 0) indent = key[1].length;
    if (key && key[1].length === indent) entries.push({ name: key[2], at: at + key[0].length, end });
    at = next < 0 ? text.length : next + 1;
  }
  return entries;
}

// entries of a mapping in braces, without those of mappings inside
function flowEntries(text: string, start: number): Entry[] {
  const entries: Entry[] = [];
  let [depth, from] = [0, start];
  for (let at = start; at < text.length && depth >= 0; at++) {
    const c = text[at];
    if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") depth--;
    if (depth >= 0 && !(depth === 0 && c === ",")) continue;
    const key = /^\s*([A-Za-z_]\w*):/.exec(text.slice(from, at));
    if (key) entries.push({ name: key[1], at: from + key[0].length, end: at });
    from = at + 1;
  }
  return entries;
}

function number(text: string, { name, at, end }: Entry): ParameterNumber | null {
  const rest = text.slice(at, end);
  const match = VALUE.exec(rest);
  if (!match) return null;
  const value = Number(match[2]);
  const from = at + match[1].length;
  const unit = (match[3] ?? "").trim();
  const wish = pairAfter(new RegExp(`^live:[\\s\\S]*?\\bname: *${name}\\b[^\\n]*?range: *(\\[[^\\]]*\\])`, "m").exec(text)?.[1], unit);
  const [lower, upper] = pairAfter(/limits: *(\[[^\]]*\])/.exec(rest)?.[1], unit) ?? [-Infinity, Infinity];
  const to = from + match[2].length;
  return { name, value, from, to, place: to + (match[3]?.trimEnd().length ?? 0), range: reach({ value, lower, upper }, wish ? { lower: wish[0], upper: wish[1] } : {}) };
}

// both numbers of a list whose units are those of the value
function pairAfter(list: string | undefined, unit: string): [number, number] | null {
  const match = PAIR.exec(list ?? "");
  if (!match || [match[2], match[4]].some((other) => other.trim() !== "" && other.trim() !== unit)) return null;
  return [Number(match[1]), Number(match[3])];
}

/** A value of a slider as one would write it: three digits of its range. */
export function written(value: number, [low, high]: [number, number]): string {
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  return String(Number((Math.round(value / step) * step).toPrecision(6)));
}

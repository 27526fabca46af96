// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Keys and values that may be at a place of a model file, by the schema of model files.

export interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  if?: Schema;
  then?: Schema;
  else?: Schema;
  definitions?: Record<string, Schema>;
}

export interface Place {
  /** Keys from the top of the file down to the map that the cursor is in. */
  path: string[];
  /** The key whose value is being written; null while a key is. */
  key: string | null;
  /** Keys and plain values that this map has already. */
  siblings: Map<string, string>;
}

export interface Word {
  label: string;
  info: string;
}

//---- places ------------------------------------------------------------------------------------------

const KEY = /^(\s*(?:- )?)([A-Za-z_][\w./-]*):(.*)$/;

// the innermost brace that is open at the end of a text, -1: none
function openBrace(text: string): number {
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    const c = text[i];
    if (c === "}" || c === "]") depth++;
    else if (c === "{" || c === "[") {
      if (depth === 0) return c === "{" ? i : openBrace(text.slice(0, i));
      depth--;
    } else if (c === "\n" && depth === 0 && /^[A-Za-z]/.test(text.slice(i + 1))) return -1;
  }
  return -1;
}

function flowPairs(text: string): Map<string, string> {
  return new Map([...text.matchAll(/([A-Za-z_][\w.-]*):\s*([^,{}[\]\n]*)/g)].map((m) => [m[1], m[2].trim()]));
}

// keys above a line with less and less indentation
function blockPath(lines: string[], indent: number): string[] {
  const path: string[] = [];
  for (let i = lines.length - 1; i >= 0 && indent > 0; i--) {
    const match = KEY.exec(lines[i]);
    if (!match || match[1].length >= indent) continue;
    indent = match[1].length;
    path.unshift(match[2]);
  }
  return path;
}

function blockSiblings(lines: string[], indent: number): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = lines.length - 1; i >= 0; i--) {
    const match = KEY.exec(lines[i]);
    if (match && match[1].length < indent) break;
    if (match && match[1].length === indent) found.set(match[2], match[3].trim());
  }
  return found;
}

/** Where the end of a text is. */
export function placeAtEnd(text: string): Place {
  const brace = openBrace(text);
  if (brace < 0) {
    const lines = text.split("\n");
    const line = lines.pop()!;
    const match = KEY.exec(line);
    const indent = match ? match[1].length : /^\s*(- )?/.exec(line)![0].length;
    return { path: blockPath(lines, indent), key: match ? match[2] : null, siblings: blockSiblings(lines, indent) };
  }
  const outer = placeAtEnd(text.slice(0, brace));
  const inside = text.slice(brace + 1);
  const last = inside.split(/[,{[\n]/).pop()!;
  const pair = /^\s*([A-Za-z_][\w.-]*):/.exec(last);
  return { path: outer.key ? [...outer.path, outer.key] : outer.path, key: pair ? pair[1] : null, siblings: flowPairs(inside) };
}

//---- words -------------------------------------------------------------------------------------------

// whether conditions and constants agree with what is there
function agrees(schema: Schema, siblings: Map<string, string>): boolean {
  return Object.entries(schema.properties ?? {}).every(([key, value]) => value.const === undefined || !siblings.has(key) || siblings.get(key) === value.const);
}

// every schema that a value at this place may follow
function alternatives(root: Schema, schema: Schema, siblings: Map<string, string>): Schema[] {
  if (schema.$ref) {
    const target = root.definitions?.[schema.$ref.replace("#/definitions/", "")];
    return target ? alternatives(root, target, siblings) : [];
  }
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.if && schema.then) parts.push(agrees(schema.if, siblings) ? schema.then : (schema.else ?? {}));
  return [schema, ...parts.flatMap((part) => alternatives(root, part, siblings))].filter((part) => agrees(part, siblings));
}

function descend(root: Schema, place: Place): Schema[] {
  let now: Schema[] = [root];
  for (const key of place.path) {
    now = now.flatMap((schema) => alternatives(root, schema, new Map())).flatMap((schema) => {
      const own = schema.properties?.[key];
      const other = typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
      return own ? [own] : [...other, ...(schema.items ? [schema.items] : [])];
    });
  }
  return now.flatMap((schema) => alternatives(root, schema, place.siblings));
}

/** Keys, or values of the key that is there. */
export function wordsAt(root: Schema, place: Place): Word[] {
  const words = new Map<string, string>();
  for (const schema of descend(root, place)) {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      if (place.key === null) {
        if (!place.siblings.has(key) && !words.has(key)) words.set(key, value.description ?? "");
      } else if (key === place.key) {
        for (const choice of alternatives(root, value, new Map())) {
          for (const word of choice.enum ?? (choice.const !== undefined ? [choice.const] : [])) words.set(String(word), schema.description ?? "");
        }
      }
    }
  }
  return [...words].map(([label, info]) => ({ label, info }));
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages that carry their scenes, as `articula view --html` writes them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { sceneFile, type Motion } from "./scene-writer";

export const VIEWER = join(process.cwd(), "dist", "index.html");
const PLACE = "<!--articula-scenes-->";

export interface NamedRun {
  name: string;
  motion: Motion;
  certificate?: unknown;
}

export interface NamedFile {
  name: string;
  file: ArrayBuffer;
  certificate?: unknown;
}

export function writePage(path: string, runs: NamedRun[]): string {
  return writeFilePage(path, runs.map((run) => ({ ...run, file: sceneFile(run.motion) })));
}

export function writeFilePage(path: string, runs: NamedFile[]): string {
  const blocks = runs.map(({ name, file, certificate }) => {
    const bytes = deflateRawSync(new Uint8Array(file), { level: 6 });
    const proof = JSON.stringify(certificate ?? null).replaceAll("</", "<\\/");
    return (
      `<script type="application/x-articula-scene" data-name="${name}">${bytes.toString("base64")}</script>\n` +
      `<script type="application/json" data-articula-certificate>${proof}</script>\n`
    );
  });
  writeFileSync(path, readFileSync(VIEWER, "utf8").replace(PLACE, () => blocks.join("")));
  return path;
}

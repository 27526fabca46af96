// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The program itself: its runs, its server, its tables.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PLACES = [process.env["ARTICULA"] ?? "", "../build/release/articula", "../build/dev/articula"];

/** Where the program is: named by ARTICULA, or in a build folder; null where it has not been built. */
export const program = PLACES.find((path) => path !== "" && existsSync(path)) ?? null;

// the page just built, wherever the program was told to look
const environment = { ...process.env, ARTICULA_VIEWER: join(process.cwd(), "dist", "index.html") };

export const model = (name: string): string => join(process.cwd(), "..", "models", name);

export function call(...words: string[]): string {
  return execFileSync(program as string, words, { env: environment, encoding: "utf8" });
}

/** A program that serves pages: its address, and a way to end it. */
export interface Serving {
  address: string;
  /** Ctrl-C, and the status it ends with. */
  interrupt(): Promise<number | null>;
}

export async function serve(...words: string[]): Promise<Serving> {
  const child = spawn(program as string, [...words, "--no-browser"], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill());
  child.unref();
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const interrupt = (): Promise<number | null> => {
    child.kill("SIGINT");
    return ended;
  };
  return { address: await addressFrom(child), interrupt };
}

function addressFrom(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("exit", () => reject(new Error(`the program ended without an address: ${text}`)));
    child.stdout?.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}/.exec(text);
      if (found) resolve(found[0]);
    });
  });
}

/** A table of results by the names of its columns, without units. */
export function readTable(path: string): { rows: number; column(name: string): number[] } {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const names = lines[0].split(",").map((field) => field.replace(/ \[.*\]$/, ""));
  const values = lines.slice(1).map((line) => line.split(",").map(Number));
  return { rows: values.length, column: (name) => values.map((row) => row[names.indexOf(name)]) };
}

/** Call the program and say why it failed; nothing when it did not. */
export function tryCall(...words: string[]): string {
  try {
    call(...words);
    return "";
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error).trim();
  }
}

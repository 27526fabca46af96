// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A server like that of `articula view`, for runs that functions give.
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { frameSizes } from "../../src/data/layout";
import { VIEWER, type NamedRun } from "./page";

const MOST_BYTES = 8 << 20;

export class SceneServer {
  private readonly server: Server;
  requests: string[] = [];

  private constructor(private readonly runs: NamedRun[]) {
    this.server = createServer((request, response) => this.answer(new URL(request.url ?? "/", "http://localhost"), response));
  }

  static async start(runs: NamedRun[]): Promise<SceneServer> {
    const server = new SceneServer(runs);
    await new Promise<void>((resolve) => server.server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(url: URL, response: ServerResponse): void {
    this.requests.push(url.pathname + url.search);
    if (url.pathname === "/") return void response.setHeader("Content-Type", "text/html; charset=utf-8").end(readFileSync(VIEWER));
    if (url.pathname === "/api/runs") return sendJson(response, this.runs.map((run, id) => ({ id, name: run.name, frames: framesOf(run), live: false })));
    const [, id, what] = /^\/api\/run\/(\d+)\/(.*)$/.exec(url.pathname) ?? [];
    const run = this.runs[Number(id)];
    if (!run) return void response.writeHead(404).end();
    if (what === "header") return sendJson(response, run.motion.header);
    if (what === "certificate") return sendJson(response, run.certificate ?? null);
    if (what === "times") return sendColumn(response, run, (frame) => outline(run, frame).time);
    if (what === "frames") return sendFrames(response, run, url.searchParams);
    const channel = /^channel\/(\d+)$/.exec(what ?? "");
    if (!channel) return void response.writeHead(404).end();
    sendColumn(response, run, (frame) => outline(run, frame).channels[Number(channel[1])]);
  }
}

const outline = (run: NamedRun, frame: number): { time: number; channels: number[] } => (run.motion.outline ?? run.motion.at)(frame);

const framesOf = (run: NamedRun): number => run.motion.frames;

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
}

function sendColumn(response: ServerResponse, run: NamedRun, value: (frame: number) => number): void {
  const column = Float64Array.from({ length: framesOf(run) }, (_, frame) => value(frame));
  response.end(Buffer.from(column.buffer));
}

function sendFrames(response: ServerResponse, run: NamedRun, query: URLSearchParams): void {
  const size = frameSizes(run.motion.header);
  const from = Number(query.get("from"));
  const every = Number(query.get("every") ?? 1);
  const wanted = Math.ceil((Math.min(Number(query.get("to")), framesOf(run)) - from) / every);
  const count = Math.max(0, Math.min(wanted, Math.floor(MOST_BYTES / size.bytes)));
  const bytes = new ArrayBuffer(count * size.bytes);
  for (let k = 0; k < count; k++) {
    const instant = run.motion.at(from + k * every);
    new Float64Array(bytes, k * size.bytes, 1)[0] = instant.time;
    const numbers = new Float32Array(bytes, k * size.bytes + 8, size.poses + size.velocities + size.vectors);
    numbers.set(instant.poses);
    if (size.velocities > 0) numbers.set(instant.velocities, size.poses);
    numbers.set(instant.vectors, size.poses + size.velocities);
  }
  response.end(Buffer.from(bytes));
}

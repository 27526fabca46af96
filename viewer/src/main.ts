// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the page begins: the scenes it carries, or scenes of the server it came from.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App, type LivePage } from "./app";
import { embeddedRuns, SCENES } from "./data/embedded";
import type { SceneHeader } from "./data/header";
import { serverRuns } from "./data/server-source";
import type { RunSource } from "./data/source";
import { FileSource } from "./data/file-source";
import { embeddedMachine, HEADER as MACHINE } from "./live/embedded-machine";
import { h } from "./view/dom";
import { acceptScenes, GrowingSource } from "./play/growing-source";
import { droppedFiles, type FilesMessage } from "./play/open-files";
import { SCENES_READ, SCRIPT } from "./view/marks";

declare global {
  interface Window {
    articula?: App;
  }
}

// motion before the first picture, from which the page sees how far the machine goes: s of the machine, ms of computing
const FIRST_SECONDS = 3;
const FIRST_COMPUTING = 60;

const root = document.getElementById("app") as HTMLElement;

async function findRuns(): Promise<RunSource[]> {
  performance.mark(SCRIPT);
  const embedded = await embeddedRuns(document);
  performance.mark(SCENES_READ);
  if (embedded.length > 0 || location.protocol === "file:") return embedded;
  return serverRuns();
}

async function open(sources: RunSource[], machine?: LivePage): Promise<void> {
  // the page is built anew around runs that were kept
  const reopen = (next: RunSource[]): void => {
    const link = window.articula?.link();
    if (link) history.replaceState(null, "", link);
    window.articula?.stop();
    void open(next, machine);
  };
  window.articula = await App.start(root, sources, machine, reopen);
  document.title = `${document.querySelector("h1")?.textContent ?? "Run"} – Articula`;
}

// whether the page around this one is the playground, which hands over runs
let inPlayground = false;

// px below which the lists next to the scene make way for it
const NARROW = 1000;

// the same machine is seen from where the last run was, which stays as a ghost; the first ghost stays where it is to be kept
async function openHandedOver(source: RunSource, keepsGhost: boolean): Promise<void> {
  try {
    const last = window.articula;
    for (const { source } of last?.session.runs ?? []) if (source instanceof GrowingSource) source.name = "before";
    const isSame = last !== undefined && areAlike(last.session.runs[0].header, source.header);
    if (isSame && last.session.runs.length === 2) return await last.replaceRuns([source, last.session.runs[keepsGhost ? 1 : 0].source]);
    const viewpoint = isSame ? last.viewpoint : undefined;
    if (!last && window.innerWidth < NARROW) root.classList.add("no-left", "no-right");
    last?.stop();
    await open(isSame ? [source, last.session.runs[0].source] : [source]);
    if (viewpoint) window.articula!.viewpoint = viewpoint;
    window.articula?.session.store.update({ playing: true });
  } catch (error) {
    showProblem("The run cannot be shown", String(error instanceof Error ? error.message : error));
  }
}

// whether runs are of one machine, but for its numbers
function areAlike(a: SceneHeader, b: SceneHeader): boolean {
  const parts = ({ model, bodies, joints, forces, channels }: SceneHeader): string => JSON.stringify([model.title, ...[bodies, joints, forces, channels].map((list) => list.map(({ name }) => name))]);
  return parts(a) === parts(b);
}

function showProblem(title: string, text: string): void {
  root.replaceChildren(h("main", { class: "problem" }, h("h1", {}, title), h("p", {}, text)));
}

// scene files can be dropped onto the page at any time
function acceptFiles(): void {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (isPartOfPage() && !files.every(({ name }) => name.endsWith(".arts"))) return void handOver(event.dataTransfer);
    void openFiles(files);
  });
}

// the playground and pages that this one is a part of open models
const isPartOfPage = (): boolean => window.parent !== window && (inPlayground || window.articula?.session.store.state.embed === true);

async function handOver(data: DataTransfer | null): Promise<void> {
  const message: FilesMessage = { articula: "files", files: await droppedFiles(data) };
  window.parent.postMessage(message, "*");
}

// where a file cannot be shown, what is there stays
async function openFiles(files: File[]): Promise<void> {
  const last = window.articula;
  try {
    const sources = await Promise.all(files.map(readScene));
    if (sources.length === 0) return;
    await open(sources);
    last?.stop();
  } catch (error) {
    const text = String(error instanceof Error ? error.message : error);
    if (last) last.say(text);
    else showProblem("This file cannot be shown", text);
  }
}

async function readScene(file: File): Promise<FileSource> {
  try {
    return new FileSource(file.name.replace(/\.arts$/, ""), await file.arrayBuffer());
  } catch (error) {
    throw new Error(`${file.name} cannot be shown: ${error instanceof Error ? error.message : error}`);
  }
}

async function start(): Promise<void> {
  acceptFiles();
  // a page in a cell of a notebook carries its run or machine
  inPlayground = location.href === "about:srcdoc" && !document.querySelector(`${SCENES}, ${MACHINE}`);
  if (inPlayground) return acceptScenes(openHandedOver);
  try {
    const machine = await embeddedMachine(document);
    machine?.source.extendTo(FIRST_SECONDS, FIRST_COMPUTING);
    if (machine) return await open([machine.source], machine);
    const sources = await findRuns();
    if (sources.length > 0) await open(sources);
    else showProblem("No run on this page", "Drop a scene.arts here, or start the viewer with: articula view RESULT");
  } catch (error) {
    showProblem("The run cannot be shown", String(error instanceof Error ? error.message : error));
  }
}

void start();

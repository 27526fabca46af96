// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The playground: a model file that is written, checked and run on the page, and the viewer next to it.
import "./play.css";
import { FileSource } from "../data/file-source";
import { h, saveFile } from "../view/dom";
import { splitter } from "../view/splitter";
import { askedAt } from "./absent";
import { Editor, type Mistake } from "./editor";
import { ExampleCards } from "./examples";
import { modelPath } from "./files";
import type { SceneMessage } from "./growing-source";
import { readFiles, readModel, readModule, readSchema, readSketches, readViewer } from "./parts";
import { Runner, type Done } from "./runner";
import { chosenFiles, droppedFiles, noModel, readOpened, type FilesMessage, type NamedFile, type OpenedFiles } from "./open-files";
import { decodeModel, encodeModel, type Shared } from "./share";
import type { Drag } from "./sliders";
import { splitWords } from "./words";
import type { Report } from "./worker";

const FIRST = "models/loops/four-bar.yaml";
const FOLDER = "results";
const VERBS = ["run", "check", "info", "assemble", "equil", "linear", "inverse", "kinematics", "response", "compare", "sweep", "export"];

// those that are too much for every step of a slider
const HEAVY = ["compare", "sweep", "export"];

// ms without a key after which the text is checked, and of computing before a run is shown while it goes on
const REST = 350;
const PATIENCE = 500;

// ms that a run may take before a slider that moves on ends it
const DRAG_PATIENCE = 1500;

class Playground {
  private readonly checker: Runner;
  private readonly runner: Runner;
  private readonly editor: Editor;
  private readonly examples: ExampleCards;
  private readonly verb = h("select", { "aria-label": "What to do", title: "What to do" }, ...VERBS.map((verb) => h("option", { value: verb }, verb)));
  private readonly options = h("input", { type: "text", "aria-label": "Options", placeholder: "options, e.g. --until 5", spellcheck: "false" });
  private readonly go = h("button", { class: "go", title: "Ctrl+Enter" }, "Run");
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly out = h("pre", { class: "out", tabindex: "0", "aria-label": "What the program says" });
  private readonly files = h("div", { class: "results" });
  private readonly frame = h("iframe", { title: "The machine in motion" });
  private readonly chooser = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to open" });
  /** Files that were opened, besides the samples, and those that the last run wrote. */
  private opened: [string, Uint8Array][] = [];
  private results: [string, Uint8Array][] = [];
  private path = FIRST;
  private timer = 0;
  private runs = 0;
  private scene = new Uint8Array(1 << 16);
  private size = 0;

  constructor(root: HTMLElement, private readonly samples: Record<string, string>, schema: ConstructorParameters<typeof Editor>[1], viewer: string) {
    const module = readModule();
    this.checker = new Runner(module);
    this.runner = new Runner(module);
    const text = h("div", { class: "text" });
    this.editor = new Editor(text, schema, () => this.checkSoon(), () => void this.run(), (drag) => this.drag(drag));
    this.examples = new ExampleCards(samples, readSketches, (path) => this.openExample(path));
    this.go.onclick = () => (this.runner.busy ? this.runner.stop() : void this.run());
    const bar = h("header", {}, h("a", { class: "brand", href: "index.html", target: "_top" }, "Articula"),
      this.button("Examples", "Sample models with pictures", () => void this.examples.open(this.path)), this.verb, this.options, this.go,
      this.button("Open", "Open a model file, or one of another program: URDF, MJCF, SDF, Robotran, ADAMS", () => this.chooser.click()),
      this.chooser,
      this.button("Share", "Copy an address that holds this model", () => void this.share()),
      this.button("Save model", "Download the model file", () => this.saveModel()));
    const main = h("main");
    main.append(h("section", { class: "left" }, text, this.status, this.out, this.files), splitter(main, "left", 0.75), this.frame);
    root.replaceChildren(bar, main, this.examples.dialog);
    this.frame.srcdoc = viewer;
    this.chooser.onchange = () => {
      void this.openFiles(chosenFiles(this.chooser.files ?? []));
      this.chooser.value = "";
    };
    root.addEventListener("dragover", (event) => event.preventDefault());
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then((files) => this.openFiles(files), (error: unknown) => this.fail(error));
    });
    // dropped on the viewer, or on a page around this one
    window.addEventListener("message", ({ data, source }: MessageEvent<FilesMessage | null>) => {
      const isKnown = source === this.frame.contentWindow || (source === window.parent && source !== window);
      if (isKnown && data?.articula === "files") void this.openFiles(data.files);
    });
  }

  private button(words: string, title: string, act: () => void): HTMLElement {
    const button = h("button", { title }, words);
    button.onclick = act;
    return button;
  }

  //---- the model

  private openExample(path: string): void {
    history.replaceState(null, "", `#example=${path}`);
    this.open({ path, text: this.samples[path] }, true);
  }

  private async openFiles(list: NamedFile[]): Promise<void> {
    const wrong = noModel(list.map(([path]) => path));
    if (wrong) return this.say(wrong, true);
    const opened = await readOpened(list);
    this.opened = opened.files;
    if (opened.isForeign) return this.importFile(opened);
    const bytes = opened.files.find(([path]) => path === opened.model)![1];
    this.open({ path: opened.model, text: new TextDecoder().decode(bytes) }, true);
  }

  // a file of another program becomes a model file, which is opened
  private async importFile({ model }: OpenedFiles): Promise<void> {
    const path = `${model.replace(/\.[^./]*$/, "")}-model.yaml`;
    this.say(`importing ${model} …`);
    try {
      const done = await this.runner.call({ files: this.opened, args: ["import", model, "-o", path], folder: FOLDER });
      if (!done) return;
      const { out, err, status } = done.outcome;
      const text = new Map(done.results).get(path);
      this.out.textContent = out + err;
      if (status !== 0 || !text) return this.say(err.trim().split("\n")[0] || `${model} could not be imported`, true);
      this.open({ path, text: new TextDecoder().decode(text) }, false);
      this.say(`${model} was imported; the text on the left is the model now.`);
      this.checkSoon();
    } catch (error) {
      this.fail(error);
    }
  }

  open(model: Shared, runs: boolean): void {
    this.path = modelPath(model.path);
    this.editor.text = model.text;
    document.title = `${this.path.split("/").pop()} – Articula playground`;
    if (runs) void this.run();
  }

  private async share(): Promise<void> {
    const hash = await encodeModel({ path: this.path, text: this.editor.text });
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`The address of this page holds the model and was copied: ${location.href.length} characters`);
    } catch {
      this.say(`The address of this page holds the model now: ${location.href.length} characters`);
    }
  }

  private saveModel(): void {
    saveFile(this.path.split("/").pop()!, new Blob([this.editor.text], { type: "application/yaml" }));
  }

  // the samples, which models may include, what was opened, and this text instead of its file
  private inputs(): [string, Uint8Array][] {
    const encoder = new TextEncoder();
    const samples = Object.entries(this.samples).map(([path, text]): [string, Uint8Array] => [path, encoder.encode(text)]);
    return [...samples, ...this.opened, [this.path, encoder.encode(this.editor.text)]];
  }

  // a verb reads the model, or, where it is to make a film, what the last run has written
  private orderOf(verb: string): { files: [string, Uint8Array][]; args: string[] } {
    const words = splitWords(this.options.value);
    const takes = ["run", "linear", "inverse", "kinematics", "response", "sweep"].includes(verb);
    if (verb !== "export" || !words.includes("--glb")) return { files: this.inputs(), args: [verb, this.path, ...words, ...(takes ? ["-o", FOLDER] : [])] };
    return { files: this.results.map(([name, bytes]) => [`${FOLDER}/${name}`, bytes]), args: [verb, FOLDER, ...words] };
  }

  //---- checking

  private checkSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), REST);
  }

  private async check(): Promise<void> {
    const done = await this.checker.call({ files: this.inputs(), args: ["check", "--json", this.path], folder: FOLDER }).catch((error: unknown) => (this.say(String(error), true), null));
    if (!done) return;
    const answer = parse(done.outcome.out) as { errors?: Mistake[]; error?: Mistake } | null;
    const mistakes = done.outcome.status === 0 ? [] : (answer?.errors ?? (answer?.error ? [answer.error] : []));
    this.editor.show(mistakes.filter(({ file }) => !file || file === this.path));
    const wasBad = this.status.classList.contains("bad");
    if (!this.runner.busy && (mistakes.length > 0 || wasBad)) this.list(mistakes);
  }

  private mark(mistakes: Mistake[]): void {
    this.editor.show(mistakes);
    this.list(mistakes);
  }

  // mistakes as text, each leading to its place
  private list(mistakes: Mistake[]): void {
    const lines = mistakes.map(({ message, file, line, column }) => {
      const place = line ? `${file && file !== this.path ? `${file}:` : ""}${line}:${column ?? 1}  ` : "";
      const entry = h("button", { class: "mistake" }, place, message);
      entry.onclick = () => line && (!file || file === this.path) && this.editor.goTo(line, column ?? 1);
      return entry;
    });
    this.status.className = mistakes.length > 0 ? "status bad" : "status";
    this.status.replaceChildren(...(lines.length > 0 ? lines : ["No mistakes."]));
  }

  private say(words: string, bad = false): void {
    this.status.className = bad ? "status bad" : "status";
    this.status.textContent = words;
  }

  //---- a slider

  /** Whether a slider is being dragged; the run before it stays as ghost. */
  private dragged = false;
  private keepsGhost = false;
  private shown: (() => void) | null = null;
  private begun = 0;
  private isRerunning = false;
  private wanted = false;

  private drag(drag: Drag): void {
    this.dragged = drag !== "ends";
    if (drag === "begins") this.keepsGhost = false;
    if (HEAVY.includes(this.verb.value)) return;
    if (this.isRerunning && this.runner.busy && performance.now() - this.begun > DRAG_PATIENCE) this.runner.stop();
    void this.rerun();
  }

  // one run after the other, and of several that wait the last; the next one when this one is shown
  private async rerun(): Promise<void> {
    this.wanted = true;
    if (this.isRerunning) return;
    this.isRerunning = true;
    while (this.wanted) {
      this.wanted = false;
      const shown = new Promise<void>((resolve) => (this.shown = resolve));
      if (await this.run()) await shown;
      this.keepsGhost = true;
    }
    this.isRerunning = false;
    if (!this.dragged) this.keepsGhost = false;
  }

  /** The viewer shows the last run. */
  tellShown(): void {
    this.shown?.();
  }

  //---- running

  /** Whether there is a run to be shown. */
  async run(): Promise<boolean> {
    const verb = this.verb.value;
    const name = `run ${++this.runs}`;
    const begun = (this.begun = performance.now());
    this.go.textContent = "Stop";
    this.say("computing …");
    this.size = 0;
    try {
      const done = await this.runner.call({ ...this.orderOf(verb), folder: FOLDER }, (report) => this.follow(report, name, begun));
      if (name === `run ${this.runs}`) this.finish(done, name, performance.now() - begun);
    } catch (error) {
      this.fail(error);
    }
    if (!this.runner.busy) this.go.textContent = "Run";
    return this.size > 0 && name === `run ${this.runs}`;
  }

  private fail(error: unknown): void {
    this.say(`The program failed: ${error instanceof Error ? error.message : String(error)}`, true);
  }

  private follow(report: Report, name: string, begun: number): void {
    if (report.kind === "time") this.say(`computing … ${report.time.toPrecision(4)} s of the motion`);
    if (report.kind !== "wrote") return;
    const end = report.at + report.bytes.length;
    if (end > this.scene.length) {
      const more = new Uint8Array(Math.max(end, 2 * this.scene.length));
      more.set(this.scene.subarray(0, this.size));
      this.scene = more;
    }
    this.scene.set(report.bytes, report.at);
    this.size = Math.max(this.size, end);
    if (!this.dragged && performance.now() - begun > PATIENCE && this.hasMotion()) this.showScene(name, null, true);
  }

  // whether what was written so far has a header and two frames
  private hasMotion(): boolean {
    try {
      return new FileSource("", this.scene.slice(0, this.size).buffer).frames > 1;
    } catch {
      return false;
    }
  }

  private showScene(name: string, certificate: unknown, live: boolean): void {
    if (this.size === 0) return;
    const bytes = this.scene.slice(0, this.size).buffer;
    const message: SceneMessage = { articula: "scene", name, bytes, certificate, live, keeps: this.keepsGhost };
    this.frame.contentWindow?.postMessage(message, "*", [bytes]);
  }

  private finish(done: Done | null, name: string, ms: number): void {
    const results = new Map(done?.results);
    const certificate = results.get("certificate.json");
    this.showScene(name, certificate ? parse(new TextDecoder().decode(certificate)) : null, false);
    if (!done) return this.say("stopped");
    const { status, out, err } = done.outcome;
    if (results.has("scene.arts")) this.results = [...results];
    this.out.textContent = out + err;
    this.say(status === 0 ? `done in ${(ms / 1000).toFixed(2)} s` : err.trim().split("\n")[0] || "the program found mistakes", status !== 0);
    this.files.replaceChildren(...[...results].map(([file, bytes]) => this.button(file, `Download ${file}`, () => saveFile(file.split("/").pop()!, new Blob([bytes.slice()])))));
    const place = status === 0 ? null : askedAt(err, this.editor.text);
    if (place) this.mark([{ message: err.trim().split("\n")[0], ...place }]);
    else if (status !== 0) void this.check();
    performance.mark("articula-run-done");
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

// the viewer says when it can take scenes
const viewerSays = (words: string, act: () => void): void => window.addEventListener("message", ({ data }) => (data as { articula?: string } | null)?.articula === words && act());
const viewerReady = new Promise<void>((resolve) => viewerSays("ready", resolve));

async function start(): Promise<void> {
  const root = document.getElementById("play")!;
  try {
    const [files, schema, viewer, given, shared] = await Promise.all([readFiles(), readSchema(), readViewer(), readModel(), decodeModel(location.hash)]);
    const playground = new Playground(root, files, schema, viewer);
    await viewerReady;
    viewerSays("shown", () => playground.tellShown());
    // the page around this one has them
    if (location.hash === "#files" && window.parent !== window) return window.parent.postMessage({ articula: "wants files" }, "*");
    const example = new URLSearchParams(location.hash.slice(1)).get("example") ?? FIRST;
    // not `in`, which finds the constructor of every object
    const path = Object.prototype.hasOwnProperty.call(files, example) ? example : FIRST;
    playground.open(shared ?? given ?? { path, text: files[path] }, true);
  } catch (error) {
    root.textContent = String(error instanceof Error ? error.message : error);
  }
}

void start();

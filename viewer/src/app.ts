// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The page: puts its parts together and draws when something has changed.
import type { Box3 } from "three";
import type { Vector3 } from "./data/header";
import { Run } from "./data/run";
import { ChainSource } from "./data/joint-chains";
import { ServerSource } from "./data/server-source";
import type { RunSource } from "./data/source";
import type { ModelFile, SliderWish } from "./live/embedded-machine";
import { MachinePanel } from "./live/machine-panel";
import { Puller } from "./live/puller";
import { Bar } from "./panels/bar";
import { CertificatePanel } from "./panels/certificate";
import { CertificateBadge } from "./panels/certificate-badge";
import { ChannelList } from "./panels/channel-list";
import { ComparePanel } from "./panels/compare";
import { Help } from "./panels/help";
import { Inspector } from "./panels/inspector";
import { JointDragger } from "./panels/joint-dragger";
import { JointsPanel } from "./panels/joints-panel";
import { ModelTree } from "./panels/model-tree";
import { OverlayBar } from "./panels/overlay-bar";
import { SaveDialog } from "./panels/save-dialog";
import { Tabs } from "./panels/tabs";
import { Transport } from "./panels/transport";
import { Triad } from "./panels/triad";
import { firstPanes, standingChannels } from "./plots/first-panes";
import { Plots } from "./plots/plots";
import { Director } from "./scene/director";
import { mainBody } from "./scene/framing";
import { chosenBodies, RunView } from "./scene/run-view";
import type { Stage } from "./scene/stage";
import { hide, isolate, lookThrough, showAll } from "./view/bodies";
import { h, saveFile } from "./view/dom";
import { listenToKeys } from "./view/keys";
import { decodeView, encodeView } from "./view/link";
import { FIRST_PICTURE } from "./view/marks";
import { Player } from "./view/player";
import { FIRST_LEVEL } from "./view/quality";
import { Recorder, videoEnding } from "./view/recorder";
import { addPane, canMove, computed, machineTitle, referenceRun, shownRuns, timeSpan, type Session } from "./view/session";
import { splitter } from "./view/splitter";
import { Store, type CameraState, type Overlay, type ViewState } from "./view/state";
import { switchTheme, watchTheme } from "./view/theme";

// ms without a change after which the scene is drawn better than in motion
const REST = 150;

// ms of computing in a picture, of which there shall be sixty a second
const MOST_COMPUTING = 12;

// text that changes with time is written ten times a second, which is as fast as one can read
const TEXT_INTERVAL = 100;

/** Where the page computes: the file that it was made from, its sliders, none for all, and what parameters are. */
export interface LivePage {
  model: ModelFile | null;
  sliders: SliderWish[];
  help: Record<string, string>;
}

const NO_MACHINE: LivePage = { model: null, sliders: [], help: {} };

/** Times of our own work, for tests and the curious. */
export interface Stats {
  frames: number;
  /** ms of the last picture: moving the bodies, and handing them to the graphics. */
  moving: number;
  drawing: number;
}

/** A view of a machine that may drive: the camera relative to the body that is followed. */
interface Viewpoint extends CameraState {
  follow: number | null;
  framesItself: boolean;
  followsItself: boolean;
}

export class App {
  readonly session: Session;
  readonly stats: Stats = { frames: 0, moving: 0, drawing: 0 };
  private readonly director: Director;
  private readonly player: Player;
  private readonly waiting = h("div", { class: "waiting", hidden: true }, "reading frames …");
  private readonly message = h("div", { class: "toast", role: "status" });
  private readonly triad = new Triad();
  private readonly help = new Help();
  private readonly saving = new SaveDialog();
  private recorder: Recorder | null = null;
  private readonly left = h("aside", { class: "left", "aria-label": "Parts and channels" });
  private readonly right = h("aside", { class: "right", "aria-label": "About the selection and the run" });
  private bar!: Bar;
  private plots!: Plots;
  private transport!: Transport;
  private inspector!: Inspector;
  private tree!: ModelTree;
  private channels!: ChannelList;
  private leftTabs!: Tabs;
  private certificate!: CertificatePanel;
  private badge!: CertificateBadge;
  private compare!: ComparePanel;
  private overlays!: OverlayBar;
  private machinePanel: MachinePanel | null = null;
  private jointsPanel: JointsPanel | null = null;
  private readonly ending = new AbortController();
  /** Whether the page has come to rest after its opening: plots are there, and what plays by itself has begun. */
  ready = false;
  private built = false;
  private drawn = false;
  private lastTick = 0;
  private lastText = 0;
  private restTimer = 0;
  private messageTimer = 0;
  private framed!: Box3;

  private constructor(
    private readonly root: HTMLElement,
    sources: RunSource[],
    private readonly machine: LivePage,
    private readonly reopen: (sources: RunSource[]) => void,
  ) {
    const runs = sources.map((source, index) => new Run(source, index, () => this.draw()));
    this.session = { runs, store: new Store(), picked: null };
    this.player = new Player(this.session);
    this.director = new Director(this.session, () => this.draw(), (text) => this.say(text));
  }

  static async start(root: HTMLElement, sources: RunSource[], machine: LivePage = NO_MACHINE, reopen: (sources: RunSource[]) => void = () => {}): Promise<App> {
    const app = new App(root, sources, machine, reopen);
    root.classList.remove("computes", "no-plots", "no-time");
    try {
      await Promise.all(app.session.runs.map((run) => run.refresh()));
      await app.findJoints();
      app.build(await Promise.all(app.session.runs.map((run) => RunView.make(run, run.index > 0))));
    } catch (error) {
      app.stop();
      throw error;
    }
    return app;
  }

  /** Show other runs of the same machine instead of these, as many as they are; the view stays as it is. */
  async replaceRuns(sources: RunSource[]): Promise<void> {
    const { session } = this;
    const runs = sources.map((source, index) => new Run(source, index, () => this.draw()));
    await Promise.all(runs.map((run) => run.refresh()));
    const views = await Promise.all(runs.map((run) => RunView.make(run, run.index > 0)));
    for (const { source } of session.runs) source.forgetListeners?.();
    session.runs.splice(0, session.runs.length, ...runs);
    this.director.replaceRuns(views);
    this.listenToRuns();
    this.showNews();
    this.compare.draw();
    this.inspector.draw();
    this.draw();
  }

  /** Give the page back to another one. */
  stop(): void {
    this.ending.abort();
    clearTimeout(this.restTimer);
    for (const { source } of this.session.runs) source.forgetListeners?.();
    this.plots?.stop();
    this.stage.stop();
  }

  /** Where the camera is relative to the body that it follows, for a page with the next run of the same machine. */
  get viewpoint(): Viewpoint {
    const { follow } = this.session.store.state;
    const place = this.director.placeOfBody(follow);
    const { position, target } = this.stage.cameraState;
    const relative = (point: Vector3): Vector3 => [point[0] - place.x, point[1] - place.y, point[2] - place.z];
    return { follow, position: relative(position), target: relative(target), framesItself: this.framesItself, followsItself: this.followsItself };
  }

  set viewpoint({ follow, position, target, framesItself, followsItself }: Viewpoint) {
    this.session.store.update({ follow });
    const place = this.director.placeOfBody(follow);
    const absolute = (point: Vector3): Vector3 => [point[0] + place.x, point[1] + place.y, point[2] + place.z];
    this.stage.cameraState = { position: absolute(position), target: absolute(target) };
    this.director.startFollowing();
    Object.assign(this, { framesItself, followsItself });
  }

  /** Draw at the next opportunity. */
  draw(): void {
    if (this.drawn || !this.built || this.ending.signal.aborted) return;
    this.drawn = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  get stage(): Stage {
    return this.director.stage;
  }

  /** How well the scene is drawn now: an index of LEVELS. */
  get level(): number {
    return this.director.level;
  }

  /** The address of exactly this view. */
  link(): string {
    const state = { ...this.session.store.state, camera: this.stage.cameraState };
    return `${location.href.split("#")[0]}#${encodeView(state)}`;
  }

  //---- building

  private build(views: RunView[]): void {
    const { store } = this.session;
    const [first] = views;
    const wanted = decodeView(location.hash);
    const growing = first.run.source.live && !first.run.machine;
    store.update({
      time: timeSpan(this.session)[growing ? 1 : 0],
      panes: firstPanes(first.run.header.channels, first.run.rolls),
      follow: first.extent.travels ? mainBody(first.run) : null,
      ...wanted,
    });
    this.root.classList.toggle("embed", store.state.embed);
    this.buildFrame();
    this.director.start(views);
    this.overlays.showPath(this.drives);
    if (wanted.camera) this.stage.cameraState = wanted.camera;
    this.framesItself = !wanted.camera;
    this.followsItself = wanted.follow === undefined && !first.extent.travels;
    this.framed = first.extent.whole.clone();
    watchTheme(store, (mode) => this.showTheme(mode), this.ending.signal);
    this.picture(FIRST_LEVEL);
    this.buildSides();
    this.listen();
    void this.afterFirstPicture(wanted);
  }

  // plots wait for the first picture of the machine, and for its first motion where the page computes it; the picture carries a mark by which one can see how long that took
  private async afterFirstPicture(wanted: Partial<ViewState>): Promise<void> {
    const { session } = this;
    const [first] = session.runs;
    await this.stage.finished();
    performance.mark(FIRST_PICTURE);
    this.built = true;
    if (this.machinePanel) {
      this.beginAgain();
      await new Promise(requestAnimationFrame);
    }
    if (!wanted.panes) session.store.update({ panes: firstPanes(first.header.channels, first.rolls, await standingChannels(first).catch(() => new Set<string>())) });
    this.plots.start();
    if (this.startsPlaying(wanted)) session.store.update({ playing: true });
    this.ready = true;
    this.draw();
  }

  /** Wait for a picture of the view as it is now, with all frames that it needs. */
  async settled(): Promise<void> {
    const next = (): Promise<number> => new Promise(requestAnimationFrame);
    while (!this.ready) await next();
    const { frames } = this.stats;
    this.draw();
    while ((this.stats.frames === frames || !this.waiting.hidden) && !this.ending.signal.aborted) await next();
  }

  // a run that is there plays, unless a link leads to an instant of it or the reader wants no motion
  private startsPlaying(wanted: Partial<ViewState>): boolean {
    const { runs } = this.session;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return wanted.time === undefined && !still && !this.jointsPanel && runs.every((run) => !run.source.live) && runs[0].times.length > 2;
  }

  // the page with its scene, without the lists next to it
  private buildFrame(): void {
    const { session, player, director } = this;
    this.bar = new Bar(session, {
      savePicture: () => this.savePicture(),
      record: () => this.record(),
      saveCsv: () => this.plots.saveCsv(),
      copyLink: () => void this.copyLink(),
      switchTheme: () => switchTheme(session.store),
      help: () => this.help.toggle(),
    });
    this.plots = new Plots(session, player);
    this.transport = new Transport(session, player);
    this.overlays = new OverlayBar(session, (view) => director.viewFrom(view), () => this.stage.frameDefault(), () => director.viewPath());
    this.badge = new CertificateBadge(session);
    const lost = session.runs[0].header.lost_meshes ?? 0;
    const notice = h("p", { class: "notice", hidden: lost === 0 }, `${lost === 1 ? "1 mesh is" : `${lost} meshes are`} missing: these bodies have plain shapes.`);
    director.viewport.append(notice, this.overlays.element, this.triad.element, this.waiting, this.badge.element);
    this.root.replaceChildren(
      this.bar.element,
      this.left,
      splitter(this.root, "left"),
      director.viewport,
      splitter(this.root, "right"),
      this.right,
      this.transport.element,
      splitter(this.root, "plots"),
      this.plots.element,
      this.help.element,
      this.saving.element,
      this.message,
    );
  }

  // while the first picture is drawn
  private buildSides(): void {
    const { session, director } = this;
    this.tree = new ModelTree(session, (kind, index) => director.lookAt({ kind, index }));
    this.channels = new ChannelList(session);
    this.inspector = new Inspector(session, {
      follow: (body) => director.follow(body),
      lookAt: (selection) => director.lookAt(selection),
      addTrail: (body, point) => director.addTrail(body, point),
    });
    this.leftTabs = new Tabs([
      { name: "model", title: "Model", element: this.tree.element },
      { name: "channels", title: "Channels", element: this.channels.element },
    ]);
    this.left.append(this.leftTabs.element);
    this.startMachine();
    this.right.append(this.rightTabs().element);
  }

  // a page that computes begins with the machine's parameters and plays
  private startMachine(): void {
    const { session } = this;
    const source = computed(session);
    if (!source) return;
    this.machinePanel = new MachinePanel(source, {
      begin: (positions, velocities) => this.beginAgain(positions, velocities),
      keep: () => this.reopen([source, ...this.keptSources(), source.keep(`run ${session.runs.length}`)]),
      forget: () => this.reopen([source]),
      kept: session.runs.length - 1,
      model: this.machine.model,
      sliders: this.wishes,
      help: this.machine.help,
    });
    new Puller(session, this.director, source);
    this.root.classList.add("computes");
    session.store.update({ tab: "machine" });
  }

  // those that the address names, else those of the model file
  private get wishes(): SliderWish[] {
    const { sliders } = this.session.store.state;
    const own = this.machine.sliders;
    return sliders.length > 0 ? sliders.map((name) => own.find((wish) => wish.name === name) ?? { name }) : own;
  }

  // a model before any run begins with its joints
  private async findJoints(): Promise<void> {
    const [run] = this.session.runs;
    const { source } = run;
    if (!(source instanceof ServerSource || source instanceof ChainSource) || !canMove(this.session)) return;
    const coordinates = await source.coordinates();
    const reason = source instanceof ChainSource ? source.reason : "";
    this.jointsPanel = new JointsPanel(run, source, coordinates, () => this.draw(), reason);
    if (!reason) new JointDragger(this.session, this.director, this.jointsPanel);
    this.session.store.update({ tab: "joints", tool: reason ? "look" : "pull" });
    // there is no time and nothing to plot yet
    this.root.classList.add("no-plots", "no-time");
  }

  private beginAgain(positions?: ArrayLike<number>, velocities?: ArrayLike<number>): boolean {
    const { store } = this.session;
    const closed = computed(this.session)!.begin(positions, velocities);
    this.lastTick = performance.now();
    store.update({ time: this.session.runs[0].computeTo(-Infinity, 0), playing: closed });
    this.draw();
    return closed;
  }

  private keptSources(): RunSource[] {
    return this.session.runs.slice(1).map((run) => run.source);
  }

  private rightTabs(): Tabs {
    const { session } = this;
    const { store } = session;
    const pages = [
      ...(this.jointsPanel ? [{ name: "joints", title: "Joints", element: this.jointsPanel.element }] : []),
      ...(this.machinePanel ? [{ name: "machine", title: "Machine", element: this.machinePanel.element }] : []),
      { name: "inspect", title: "Inspect", element: this.inspector.element },
      { name: "certificate", title: "Certificate", element: (this.certificate = new CertificatePanel(session)).element },
      { name: "compare", title: "Compare", element: (this.compare = new ComparePanel(session)).element },
    ];
    const tabs = new Tabs(pages, (name) => store.update({ tab: name as typeof store.state.tab }));
    const show = (): void => tabs.show(store.state.tab);
    store.on(["tab"], show);
    show();
    return tabs;
  }

  private listen(): void {
    const { store } = this.session;
    store.on(["time", "playing"], () => this.draw());
    store.on(["follow"], () => (this.followsItself = false));
    this.stage.controls.addEventListener("start", () => (this.framesItself = false));
    this.listenToRuns();
    window.addEventListener("hashchange", () => this.openLink(), { signal: this.ending.signal });
    this.listenToKeys();
  }

  private listenToRuns(): void {
    for (const run of this.session.runs) {
      run.source.onGrow(() => this.grow(run));
      // it may have grown while the page was built
      if (!run.machine && run.source.frames !== run.times.length) this.grow(run);
    }
  }

  private listenToKeys(): void {
    const { store } = this.session;
    const { player, director } = this;
    const show = (overlay: Overlay) => () => store.toggleOverlay(overlay);
    listenToKeys({
      " ": () => player.toggle(),
      ArrowLeft: () => player.step(-1),
      ArrowRight: () => player.step(1),
      "Shift+ArrowLeft": () => player.step(-10),
      "Shift+ArrowRight": () => player.step(10),
      Home: () => player.seek(timeSpan(this.session)[0]),
      End: () => player.seek(timeSpan(this.session)[1]),
      ArrowUp: () => player.faster(1),
      ArrowDown: () => player.faster(-1),
      l: () => store.update({ loop: !store.state.loop }),
      "0": () => this.stage.frameDefault(),
      "1": () => director.viewFrom("corner"),
      "2": () => director.viewFrom("front"),
      "3": () => director.viewFrom("side"),
      "4": () => director.viewFrom("top"),
      "5": () => this.drives && director.viewPath(),
      f: () => director.followSelected(),
      z: () => store.state.selection && director.lookAt(store.state.selection),
      a: show("axes"),
      b: show("frames"),
      c: show("com"),
      v: show("forces"),
      y: show("contacts"),
      r: show("reactions"),
      t: () => director.toggleTrails(),
      g: show("ground"),
      h: show("shadows"),
      x: () => this.withBodies(hide),
      i: () => this.withBodies(isolate),
      w: () => this.withBodies(lookThrough),
      u: () => showAll(this.session),
      o: () => store.update({ flat: !store.state.flat }),
      m: () => store.toggleTool("measure"),
      ...(computed(this.session) || canMove(this.session) ? { q: () => store.toggleTool("pull") } : {}),
      p: () => addPane(this.session),
      e: () => this.plots.saveCsv(),
      "/": () => this.focusSearch(),
      s: () => this.savePicture(),
      n: () => this.record(),
      k: () => void this.copyLink(),
      d: () => switchTheme(store),
      "[": () => this.root.classList.toggle("no-left"),
      "]": () => this.root.classList.toggle("no-right"),
      "\\": () => this.root.classList.toggle("no-plots"),
      "?": () => this.help.toggle(),
      "Escape": () => this.escape(),
    }, this.ending.signal);
  }

  //---- drawing

  private tick(now: number): void {
    if (this.ending.signal.aborted) return;
    this.drawn = false;
    const { store } = this.session;
    if (store.state.playing) {
      if (this.lastTick > 0) {
        this.director.quality.tell(now - this.lastTick);
        this.advance(Math.max(0, now - this.lastTick) / 1000);
      }
      this.lastTick = now;
      this.draw();
    } else {
      this.lastTick = 0;
    }
    this.picture(this.director.quality.pace);
    this.restSoon();
    if (now - this.lastText > TEXT_INTERVAL || !store.state.playing) {
      this.lastText = now;
      this.inspector.refresh();
      this.director.ruler.refresh();
      this.machinePanel?.refresh();
      this.badge.refresh();
      this.plots.showValues();
      this.showProgress();
    }
  }

  // of a video that ends by itself
  private showProgress(): void {
    if (!this.recorder || computed(this.session)) return;
    const [start, end] = timeSpan(this.session);
    this.say(`Recording … ${Math.round((100 * (this.session.store.state.time - start)) / (end - start))} %`);
  }

  // while frames are missing the clock waits for them
  private advance(seconds: number): void {
    const { store } = this.session;
    for (const run of this.session.runs) run.computeTo(this.player.ahead(seconds), MOST_COMPUTING);
    const { time, ended } = this.player.next(seconds);
    const runs = shownRuns(this.session);
    const ready = runs.map((run) => run.moveTo(time)).every(Boolean);
    for (const run of runs) run.prefetch(time, 1);
    if (ready) store.update(ended ? { time, playing: false } : { time });
    if (ended) this.endVideo();
  }

  // with the last picture in it
  private endVideo(): void {
    const { recorder } = this;
    if (recorder) setTimeout(() => recorder.stop(), 200);
  }

  private picture(level: number): void {
    const started = performance.now();
    this.director.reshape();
    this.waiting.hidden = this.director.moveRuns();
    this.waiting.textContent = this.session.runs.some((run) => run.store.failed) ? "the server does not answer, asking again …" : "reading frames …";
    const moved = performance.now();
    this.director.renderAt(level);
    this.triad.show(this.stage.camera, this.director.upright);
    this.stats.frames++;
    this.stats.moving = moved - started;
    this.stats.drawing = performance.now() - moved;
  }

  private restSoon(): void {
    clearTimeout(this.restTimer);
    if (!this.session.store.state.playing && !this.recorder) this.restTimer = window.setTimeout(() => void this.refine(), REST);
  }

  // at rest pictures become better one by one, as long as the next will not take too long; each is drawn twice, as
  // shaders are compiled for the first
  private async refine(): Promise<void> {
    const { frames } = this.stats;
    const drawn = async (level: number): Promise<number> => {
      const started = performance.now();
      this.director.renderAt(level);
      await this.stage.finished();
      return performance.now() - started;
    };
    for (let level = this.director.level; level > 0; ) {
      const next = this.director.quality.atRest(level, await drawn(level));
      if (next === level || this.stats.frames !== frames) return;
      level = next;
      await drawn(level);
      if (this.stats.frames !== frames) return;
    }
  }

  /** Draw the scene with all finery, however long it takes. */
  drawBest(): void {
    this.picture(0);
  }

  private showTheme(mode: "light" | "dark"): void {
    this.director.recolour(mode);
    this.bar.showTheme(mode);
    this.plots.recolour();
  }

  //---- actions

  private savePicture(): void {
    const { width, height } = this.stage.bestSize;
    this.saving.ask({ title: "Save a picture", name: `${this.slug()} ${this.transport.timeText}`, ending: "png", hint: `${width} × ${height} pixels, as the scene is now.`, act: "Save" }, (name) => {
      this.drawBest();
      this.stage.renderer.domElement.toBlob((blob) => blob && saveFile(name, blob), "image/png");
    });
  }

  // the machine's name as that of a file
  private slug(): string {
    return machineTitle(referenceRun(this.session)).slice(0, 60);
  }

  private record(): void {
    if (this.recorder) return this.recorder.stop();
    const ending = videoEnding();
    if (!ending) return this.say("This browser records no videos.");
    const hint = computed(this.session) ? "Records what the scene shows until the button is pressed again." : "Plays the run once from its start at the chosen speed; the button ends it earlier.";
    this.saving.ask({ title: "Record a video", name: this.slug(), ending, hint, act: "Record" }, (name) => this.startVideo(name));
  }

  // pictures keep their size while they are recorded
  private startVideo(name: string): void {
    const { store } = this.session;
    const { loop } = store.state;
    this.director.quality.hold();
    this.picture(this.director.quality.pace);
    const recorder = new Recorder(this.stage.renderer.domElement, (video) => {
      this.recorder = null;
      this.director.quality.release();
      this.bar.showRecording(false);
      store.update({ loop, playing: false });
      saveFile(name, video);
    });
    this.recorder = recorder;
    this.bar.showRecording(true);
    store.update(computed(this.session) ? { playing: true } : { playing: true, loop: false, time: timeSpan(this.session)[0] });
  }

  private async copyLink(): Promise<void> {
    const link = this.link();
    history.replaceState(null, "", link);
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    this.say(copied ? "The link to this view is on the clipboard." : "The address of this page now leads to this view.");
  }

  private openLink(): void {
    const view = decodeView(location.hash);
    this.session.store.update(view);
    if (view.camera) this.stage.cameraState = view.camera;
    this.director.startFollowing();
  }

  // the bodies that are lit
  private withBodies(act: (session: Session, bodies: ReadonlySet<number>) => void): void {
    const bodies = chosenBodies(referenceRun(this.session), this.session.store.state.selection);
    if (bodies.size > 0) act(this.session, bodies);
    else this.say("Select a body first.");
  }

  private focusSearch(): void {
    this.root.classList.remove("no-left");
    if (this.leftTabs.current === "channels") this.channels.focusSearch();
    else this.tree.focusSearch();
  }

  private escape(): void {
    if (this.help.element.open) return this.help.element.close();
    if (this.saving.element.open) return this.saving.element.close();
    const field = document.activeElement;
    if (field instanceof HTMLInputElement) field.blur();
    else if (this.session.store.state.tool !== "look") this.session.store.update({ tool: "look" });
    else this.session.store.update({ selection: null });
  }

  /** Tell something for a while: long enough to read it. */
  say(text: string): void {
    this.message.textContent = text;
    this.message.classList.add("shown");
    clearTimeout(this.messageTimer);
    this.messageTimer = window.setTimeout(() => this.message.classList.remove("shown"), 1500 + 50 * text.length);
  }

  //---- a run that grows

  private readonly growing = new Set<Run>();

  // whether the camera is still as the page chose it, and whether the page chooses whom it follows
  private framesItself = true;
  private followsItself = true;

  // at most twice a second: a run writes far faster than one can look
  private grow(run: Run): void {
    if (this.growing.has(run)) return;
    this.growing.add(run);
    setTimeout(() => {
      if (!this.ending.signal.aborted) this.readNews(run).catch(() => this.loseServer(run));
    }, run.source.live ? 500 : 0);
  }

  private loseServer(run: Run): void {
    run.store.failed = true;
    this.transport.showTime();
    this.say("The server does not answer any more. The rows read so far are still here.");
  }

  private async readNews(run: Run): Promise<void> {
    this.growing.delete(run);
    const { store } = this.session;
    const atEnd = store.state.time >= timeSpan(this.session)[1] - 1e-12;
    await run.refresh();
    await this.director.grow(run);
    if (this.ending.signal.aborted) return;
    this.frameGrowth();
    if (atEnd && !store.state.playing) store.update({ time: timeSpan(this.session)[1] });
    this.showNews();
    this.director.showOverlays();
  }

  private get drives(): boolean {
    return this.director.firstExtent.travels && !computed(this.session);
  }

  private showNews(): void {
    this.overlays.showPath(this.drives);
    this.transport.showTime();
    this.plots.reload();
    this.certificate.draw();
    this.badge.refresh();
    this.inspector.refresh();
  }

  // a machine that proves to drive away is followed; one that reaches further is seen as a whole
  private frameGrowth(): void {
    const { store } = this.session;
    const { travels, whole } = this.director.firstExtent;
    if (travels && this.followsItself) {
      this.followsItself = false;
      this.director.moveRuns();
      store.update({ follow: mainBody(this.session.runs[0]) });
      if (this.framesItself) this.director.viewFrom(null);
    } else if (!travels && this.framesItself && !this.framed.containsBox(whole)) {
      this.framed = whole.clone().expandByScalar(0.1 * this.director.size);
      this.director.viewFrom(null);
    }
  }
}

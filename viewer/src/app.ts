// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The page: puts its parts together and draws when something has changed.
import * as THREE from "three";
import { Run } from "./data/run";
import type { RunSource } from "./data/source";
import { Bar } from "./panels/bar";
import { CertificatePanel } from "./panels/certificate";
import { ChannelList } from "./panels/channel-list";
import { ComparePanel } from "./panels/compare";
import { Help } from "./panels/help";
import { Inspector } from "./panels/inspector";
import { ModelTree } from "./panels/model-tree";
import { OverlayBar, type ViewName } from "./panels/overlay-bar";
import { Tabs } from "./panels/tabs";
import { Transport } from "./panels/transport";
import { Triad } from "./panels/triad";
import { firstPanes, Plots } from "./plots/plots";
import { mainBody } from "./scene/framing";
import { transform } from "./scene/matrix";
import { RunView } from "./scene/run-view";
import { Stage } from "./scene/stage";
import { h, saveFile } from "./view/dom";
import { listenToKeys } from "./view/keys";
import { decodeView, encodeView } from "./view/link";
import { Player } from "./view/player";
import { QualityKeeper } from "./view/quality";
import { addPane, referenceRun, selectedName, shownRuns, timeSpan, type Session } from "./view/session";
import { splitter } from "./view/splitter";
import { Store, type Overlay, type Selection } from "./view/state";
import { switchTheme, themeMode, watchTheme } from "./view/theme";

const DIRECTIONS: Record<ViewName, [number, number, number]> = {
  corner: [0.95, -1.1, 0.62],
  front: [1, 0, 0.0001],
  side: [0, -1, 0.0001],
  top: [0, -0.0001, 1],
};

// text that changes with time is written ten times a second, which is as fast as one can read
const TEXT_INTERVAL = 100;

/** Times of our own work, for tests and the curious. */
export interface Stats {
  frames: number;
  /** ms of the last picture: moving the bodies, and handing them to the graphics. */
  moving: number;
  drawing: number;
}

export class App {
  readonly session: Session;
  readonly stats: Stats = { frames: 0, moving: 0, drawing: 0 };
  readonly stage: Stage;
  private readonly player: Player;
  private readonly viewport = h("div", { class: "viewport", id: "viewport" });
  private readonly label = h("div", { class: "label", hidden: true });
  private readonly panelNames = h("div", { class: "panel-names" });
  private readonly waiting = h("div", { class: "waiting", hidden: true }, "reading frames …");
  private readonly message = h("div", { class: "toast", role: "status" });
  private readonly triad = new Triad();
  private readonly help = new Help();
  private readonly quality: QualityKeeper;
  private views: RunView[] = [];
  private plots!: Plots;
  private inspector!: Inspector;
  private tree!: ModelTree;
  private channels!: ChannelList;
  private leftTabs!: Tabs;
  private drawn = false;
  private lastTick = 0;
  private lastText = 0;

  private constructor(
    private readonly root: HTMLElement,
    sources: RunSource[],
  ) {
    const runs = sources.map((source, index) => new Run(source, index, () => this.draw()));
    this.session = { runs, store: new Store(), picked: null };
    this.player = new Player(this.session);
    this.stage = new Stage(this.viewport, () => this.draw());
    this.quality = new QualityKeeper(() => this.applyQuality());
  }

  static async start(root: HTMLElement, sources: RunSource[]): Promise<App> {
    const app = new App(root, sources);
    await Promise.all(app.session.runs.map((run) => run.refresh()));
    app.views = await Promise.all(app.session.runs.map((run) => RunView.make(run, run.index > 0)));
    app.build();
    return app;
  }

  /** Draw at the next opportunity. */
  draw(): void {
    if (this.drawn || this.views.length === 0) return;
    this.drawn = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  link(): string {
    const state = { ...this.session.store.state, camera: this.stage.cameraState };
    return `${location.href.split("#")[0]}#${encodeView(state)}`;
  }

  //---- building

  private build(): void {
    const { store } = this.session;
    const [start] = timeSpan(this.session);
    const [first] = this.views;
    store.update({
      time: start,
      panes: firstPanes(this.session),
      follow: first.extent.travels ? mainBody(first.run) : null,
    });
    const wanted = decodeView(location.hash);
    store.update(wanted);
    this.buildPage();
    this.stage.resize();
    this.stage.setRuns(this.views);
    this.listen();
    this.moveRuns();
    this.stage.frameDefault();
    if (wanted.camera) this.stage.cameraState = wanted.camera;
    watchTheme(store, (mode) => this.showTheme(mode));
    this.showOverlays();
    this.startFollowing();
    this.draw();
  }

  private bar!: Bar;

  private buildPage(): void {
    const { session, player } = this;
    this.bar = new Bar(session, {
      savePicture: () => this.savePicture(),
      saveCsv: () => this.plots.saveCsv(),
      copyLink: () => void this.copyLink(),
      switchTheme: () => switchTheme(session.store),
      help: () => this.help.toggle(),
    });
    this.tree = new ModelTree(session, (kind, index) => this.lookAt({ kind, index }));
    this.channels = new ChannelList(session);
    this.plots = new Plots(session, player);
    this.inspector = new Inspector(session, {
      follow: (body) => this.follow(body),
      lookAt: (selection) => this.lookAt(selection),
      addTrail: (body, point) => this.addTrail(body, point),
    });
    this.leftTabs = new Tabs([
      { name: "model", title: "Model", element: this.tree.element },
      { name: "channels", title: "Channels", element: this.channels.element },
    ]);
    this.viewport.append(
      new OverlayBar(session, (view) => this.viewFrom(view), () => this.stage.frameDefault()).element,
      this.triad.element,
      this.label,
      this.panelNames,
      this.waiting,
    );
    this.root.replaceChildren(
      this.bar.element,
      h("aside", { class: "left" }, this.leftTabs.element),
      splitter(this.root, "left"),
      this.viewport,
      splitter(this.root, "right"),
      h("aside", { class: "right" }, this.rightTabs().element),
      new Transport(session, player).element,
      splitter(this.root, "plots"),
      this.plots.element,
      this.help.element,
      this.message,
    );
  }

  private rightTabs(): Tabs {
    const { session } = this;
    const { store } = session;
    const pages = [
      { name: "inspect", title: "Inspect", element: this.inspector.element },
      { name: "certificate", title: "Certificate", element: (this.certificate = new CertificatePanel(session)).element },
      { name: "compare", title: "Compare", element: new ComparePanel(session).element },
    ];
    const tabs = new Tabs(pages, (name) => store.update({ tab: name as typeof store.state.tab }));
    const show = (): void => tabs.show(store.state.tab);
    store.on(["tab"], show);
    show();
    return tabs;
  }

  private certificate!: CertificatePanel;

  private listen(): void {
    const { store } = this.session;
    store.on(["time", "playing"], () => this.draw());
    store.on(["overlays", "arrowScale", "trails"], () => this.showOverlays());
    store.on(["selection"], () => this.showSelection());
    store.on(["hiddenRuns", "layout"], () => this.showRuns());
    store.on(["layout"], () => this.viewFrom(null));
    store.on(["follow"], () => this.startFollowing());
    for (const run of this.session.runs) run.source.onGrow(() => this.grow(run));
    window.addEventListener("hashchange", () => this.openLink());
    this.listenToPointer();
    this.listenToKeys();
    this.showRuns();
    this.showSelection();
  }

  private listenToPointer(): void {
    const canvas = this.stage.renderer.domElement;
    let down = { x: 0, y: 0 };
    canvas.addEventListener("pointerdown", (event) => (down = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("pointerup", (event) => {
      const moved = Math.hypot(event.clientX - down.x, event.clientY - down.y);
      if (event.button === 0 && moved < 4) this.pick(event);
    });
    canvas.addEventListener("dblclick", () => {
      const { selection } = this.session.store.state;
      if (selection) this.lookAt(selection);
    });
  }

  private listenToKeys(): void {
    const { store } = this.session;
    const { player } = this;
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
      "1": () => this.viewFrom("corner"),
      "2": () => this.viewFrom("front"),
      "3": () => this.viewFrom("side"),
      "4": () => this.viewFrom("top"),
      f: () => this.followSelected(),
      z: () => store.state.selection && this.lookAt(store.state.selection),
      a: show("axes"),
      b: show("frames"),
      c: show("com"),
      v: show("forces"),
      r: show("reactions"),
      t: () => this.toggleTrails(),
      g: show("ground"),
      h: show("shadows"),
      p: () => addPane(this.session),
      e: () => this.plots.saveCsv(),
      "/": () => this.focusSearch(),
      s: () => this.savePicture(),
      k: () => void this.copyLink(),
      d: () => switchTheme(store),
      "[": () => this.root.classList.toggle("no-left"),
      "]": () => this.root.classList.toggle("no-right"),
      "\\": () => this.root.classList.toggle("no-plots"),
      "?": () => this.help.toggle(),
      "Escape": () => this.escape(),
    });
  }

  //---- drawing

  private tick(now: number): void {
    this.drawn = false;
    const { store } = this.session;
    if (store.state.playing) {
      if (this.lastTick > 0) {
        this.quality.tell(now - this.lastTick);
        this.advance((now - this.lastTick) / 1000);
      }
      this.lastTick = now;
      this.draw();
    } else {
      this.lastTick = 0;
    }
    this.picture();
    if (now - this.lastText > TEXT_INTERVAL || !store.state.playing) {
      this.lastText = now;
      this.inspector.refresh();
      this.plots.showValues();
    }
  }

  // while frames are missing the clock waits for them
  private advance(seconds: number): void {
    const { store } = this.session;
    const { time, ended } = this.player.next(seconds);
    const runs = shownRuns(this.session);
    const ready = runs.map((run) => run.moveTo(time)).every(Boolean);
    for (const run of runs) run.prefetch(time, 1);
    if (ready) store.update(ended ? { time, playing: false } : { time });
  }

  private picture(): void {
    const started = performance.now();
    const ready = this.moveRuns();
    this.waiting.hidden = ready;
    const moved = performance.now();
    this.followBody();
    this.stage.render();
    this.triad.show(this.stage.camera, this.views[0].upright);
    this.placeLabel();
    this.stats.frames++;
    this.stats.moving = moved - started;
    this.stats.drawing = performance.now() - moved;
  }

  private moveRuns(): boolean {
    const { time } = this.session.store.state;
    let ready = true;
    for (const view of this.views) {
      if (this.session.store.state.hiddenRuns.has(view.run.index)) continue;
      if (view.run.moveTo(time)) view.update(time);
      else ready = false;
    }
    return ready;
  }

  private bodyPlace(body: number): THREE.Vector3 {
    const { bodies } = this.views[referenceRun(this.session).index];
    return new THREE.Vector3().fromArray(bodies.values, bodies.at(body) + 12);
  }

  private followBody(): void {
    const { follow } = this.session.store.state;
    if (follow !== null) this.stage.follow(this.bodyPlace(follow));
  }

  private startFollowing(): void {
    const { follow } = this.session.store.state;
    if (follow !== null) this.stage.startFollowing(this.bodyPlace(follow));
  }

  private placeLabel(): void {
    const { selection } = this.session.store.state;
    const point = selection && this.partPlace(selection);
    const place = point && this.stage.project(point);
    this.label.hidden = !place;
    if (place) this.label.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
  }

  // where a part is: the mass centre of a body, the place of a joint, the middle of a force
  private partPlace({ kind, index }: Selection): THREE.Vector3 | null {
    const { header } = referenceRun(this.session);
    const { bodies } = this.views[referenceRun(this.session).index];
    const at = [0, 0, 0];
    const place = (body: number, point: ArrayLike<number>): THREE.Vector3 => {
      transform(at, 0, bodies.values, bodies.at(body), point);
      return new THREE.Vector3().fromArray(at);
    };
    if (kind === "body" && header.bodies[index]) return place(index, header.bodies[index].com);
    if (kind === "joint" && header.joints[index]) return place(header.joints[index].to, header.joints[index].at.to);
    const ends = kind === "force" ? (header.forces[index]?.ends ?? []) : [];
    if (ends.length === 0) return null;
    const points = ends.map((end) => place(end.body, end.point));
    return points.reduce((sum, point) => sum.add(point)).divideScalar(points.length);
  }

  //---- showing changes of the state

  private showTheme(mode: "light" | "dark"): void {
    this.stage.recolour(mode);
    this.bar.showTheme(mode);
    this.plots.recolour();
    this.showSelection();
  }

  private showOverlays(): void {
    const { state } = this.session.store;
    for (const view of this.views) view.show(state, () => this.draw());
    this.stage.showGround(state.overlays.has("ground"));
    this.applyQuality();
    this.draw();
  }

  private applyQuality(): void {
    const { pixelRatio, shadows } = this.quality?.quality ?? { pixelRatio: 2, shadows: true };
    this.stage.setQuality(pixelRatio, shadows && this.session.store.state.overlays.has("shadows"));
  }

  private showSelection(): void {
    const { selection } = this.session.store.state;
    const alone = this.stage.sideBySide || this.stage.shown.length < 2;
    for (const view of this.views) view.recolour(this.stage.colours, selection, alone);
    if (selection) this.label.textContent = selectedName(referenceRun(this.session), selection);
    this.draw();
  }

  private showRuns(): void {
    const { hiddenRuns, layout } = this.session.store.state;
    this.stage.shown = this.views.filter((view) => !hiddenRuns.has(view.run.index));
    this.stage.sideBySide = layout === "side";
    const names = this.stage.shown.map((view) => h("span", {}, view.run.name));
    this.panelNames.replaceChildren(...(this.stage.sideBySide && names.length > 1 ? names : []));
    this.showSelection();
  }

  //---- actions

  private pick(event: PointerEvent): void {
    const { store } = this.session;
    const found = this.stage.pick(event.offsetX, event.offsetY);
    const selection = found && found.view.selectionOf(found.hit);
    this.session.picked = null;
    if (found && selection?.kind === "body") this.rememberPoint(found.view, selection.index, found.hit.point);
    store.update({ selection, ...(selection ? { tab: "inspect" as const } : {}) });
  }

  private rememberPoint(view: RunView, body: number, point: THREE.Vector3): void {
    const matrix = new THREE.Matrix4().fromArray(view.bodies.values, view.bodies.at(body)).invert();
    this.session.picked = { body, point: point.clone().applyMatrix4(matrix).toArray() };
  }

  private follow(body: number): void {
    const { store } = this.session;
    store.update({ follow: store.state.follow === body ? null : body });
  }

  private followSelected(): void {
    const { store } = this.session;
    const { selection, follow } = store.state;
    if (selection?.kind === "body") this.follow(selection.index);
    else if (follow !== null) store.update({ follow: null });
    else this.say("Select a body to follow it.");
  }

  private lookAt(selection: Selection): void {
    const view = this.views[referenceRun(this.session).index];
    const box = new THREE.Box3();
    if (selection.kind === "body") view.meshes.extend(box, view.bodies, selection.index);
    const place = this.partPlace(selection);
    if (box.isEmpty() && place) box.setFromCenterAndSize(place, new THREE.Vector3().setScalar(0.2 * view.size));
    if (!box.isEmpty()) this.stage.frame(box.expandByScalar(0.15 * view.size));
    this.startFollowing();
  }

  private addTrail(body: number, point: [number, number, number]): void {
    const { store } = this.session;
    store.update({ trails: [...store.state.trails, { body, point }], overlays: new Set([...store.state.overlays, "trails" as const]) });
  }

  // without points of one's own: the mass centre of the selected body, or of the last ones of the chains
  private toggleTrails(): void {
    const { store } = this.session;
    const { header } = referenceRun(this.session);
    const { selection, trails, overlays } = store.state;
    if (overlays.has("trails") || trails.length > 0) return store.toggleOverlay("trails");
    const bodies = selection?.kind === "body" ? [selection.index] : lastBodies(header.bodies.map((body) => body.parent)).slice(0, 8);
    store.update({
      trails: bodies.map((body) => ({ body, point: header.bodies[body].com })),
      overlays: new Set([...overlays, "trails" as const]),
    });
  }

  /** See all of the machine, from a named direction or from where the camera is. */
  private viewFrom(view: ViewName | null): void {
    const box = new THREE.Box3();
    const shown = this.views[referenceRun(this.session).index];
    if (shown.extent.travels) shown.meshes.extend(box, shown.bodies);
    else box.copy(shown.extent.whole);
    this.stage.frame(box, view ? new THREE.Vector3(...DIRECTIONS[view]).normalize() : undefined);
    this.startFollowing();
  }

  private savePicture(): void {
    this.picture();
    this.stage.renderer.domElement.toBlob((blob) => blob && saveFile("articula.png", blob), "image/png");
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
    this.startFollowing();
  }

  private focusSearch(): void {
    this.root.classList.remove("no-left");
    if (this.leftTabs.current === "channels") this.channels.focusSearch();
    else this.tree.focusSearch();
  }

  private escape(): void {
    if (this.help.element.open) return this.help.element.close();
    const field = document.activeElement;
    if (field instanceof HTMLInputElement) field.blur();
    else this.session.store.update({ selection: null });
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.classList.add("shown");
    setTimeout(() => this.message.classList.remove("shown"), 2500);
  }

  //---- a run that grows

  private growing = false;

  // at most twice a second: a run writes far faster than one can look
  private grow(run: Run): void {
    if (this.growing) return;
    this.growing = true;
    setTimeout(() => this.readNews(run).catch(() => this.say("The server does not answer any more.")), 500);
  }

  private async readNews(run: Run): Promise<void> {
    this.growing = false;
    const { store } = this.session;
    const atEnd = store.state.time >= timeSpan(this.session)[1] - 1e-12;
    await run.refresh();
    const [, end] = timeSpan(this.session);
    if (atEnd && !store.state.playing) store.update({ time: end });
    this.plots.reload();
    this.certificate.draw();
    this.showOverlays();
  }

  /** Light or dark at this moment. */
  get mode(): "light" | "dark" {
    return themeMode(this.session.store.state.theme);
  }
}

/** Bodies that carry no other. */
function lastBodies(parents: number[]): number[] {
  const carriers = new Set(parents);
  return [...parents.keys()].filter((body) => !carriers.has(body));
}

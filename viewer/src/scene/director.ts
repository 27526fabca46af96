// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The director of the scene moves the runs, follows bodies, picks, looks at parts and shows the layers that are switched on.
import * as THREE from "three";
import { ArrowLegend } from "../panels/arrow-legend";
import type { ViewName } from "../panels/overlay-bar";
import type { Run } from "../data/run";
import { h } from "../view/dom";
import { FIRST_LEVEL, LEVELS, QualityKeeper } from "../view/quality";
import { referenceRun, selectedName, type Session } from "../view/session";
import type { BodyPoint, Selection } from "../view/state";
import { ArrowLabels } from "./arrow-labels";
import { mainBody } from "./framing";
import { transform } from "./matrix";
import type { RunView } from "./run-view";
import { Ruler } from "./ruler";
import { Stage } from "./stage";

// joints and mass centres attract a point that is measured from, as far as so many pixels
const ATTRACTION = 10;

const DIRECTIONS: Record<ViewName | "path", [number, number, number]> = {
  corner: [0.95, -1.1, 0.62],
  front: [1, 0, 0.0001],
  side: [0, -1, 0.0001],
  top: [0, -0.0001, 1],
  path: [0.2, -1, 0.7],
};

export class Director {
  readonly viewport = h("div", { class: "viewport", id: "viewport" });
  readonly stage: Stage;
  readonly quality = new QualityKeeper();
  /** How well the scene is drawn now: an index of LEVELS. */
  level = FIRST_LEVEL;
  private readonly label = h("div", { class: "label", hidden: true });
  private readonly panelNames = h("div", { class: "panel-names" });
  readonly ruler: Ruler;
  private readonly arrowLabels = new ArrowLabels();
  private readonly legend: ArrowLegend;
  private views: RunView[] = [];

  constructor(
    private readonly session: Session,
    private readonly onChange: () => void,
    private readonly onMessage: (text: string) => void,
  ) {
    this.stage = new Stage(this.viewport, onChange);
    this.ruler = new Ruler(session, ({ body, point }) => this.partPoint(body, point));
    this.stage.add(this.ruler.group);
    this.legend = new ArrowLegend(session);
    this.viewport.append(this.arrowLabels.element, this.label, this.panelNames, this.legend.element, this.ruler.element);
  }

  /** Put the runs on the stage and listen to the state and the pointer. */
  start(views: RunView[]): void {
    const { store } = this.session;
    this.views = views;
    this.stage.resize();
    this.stage.setRuns(views);
    store.on(["overlays", "arrowScale", "trails", "hiddenBodies", "clearBodies"], () => this.showOverlays());
    store.on(["selection"], () => this.showSelection());
    store.on(["hiddenRuns", "layout"], () => this.showRuns());
    store.on(["layout"], () => this.viewFrom(null));
    store.on(["measure", "flat"], () => this.showLens());
    store.on(["follow"], () => this.startFollowing());
    this.listenToPointer();
    this.stage.flat = store.state.flat;
    this.showRuns();
    this.showOverlays();
    this.moveRuns();
    this.stage.frameDefault();
    this.startFollowing();
  }

  /** Show other runs of the same machine, from where the camera is. */
  replaceRuns(views: RunView[]): void {
    const before = this.views;
    this.views = views;
    this.stage.setRuns(views);
    for (const view of before) view.dispose();
    this.showRuns();
    this.showOverlays();
    this.moveRuns();
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

  private render(): void {
    this.followBody();
    this.ruler.place();
    this.stage.render();
    this.placeLabel();
    this.arrowLabels.place(this.views[referenceRun(this.session).index], this.stage);
  }

  recolour(mode: "light" | "dark"): void {
    this.stage.recolour(mode);
    this.showSelection();
  }

  get upright(): RunView["upright"] {
    return this.views[0].upright;
  }

  /** How far the first run goes, and how large its machine is. */
  get firstExtent(): RunView["extent"] {
    return this.views[0].extent;
  }

  get size(): number {
    return this.views[0].size;
  }

  //---- where things are

  /** Move every shown run to the time of the view; false while frames are missing. */
  moveRuns(): boolean {
    const { time } = this.session.store.state;
    let ready = true;
    for (const view of this.views) {
      if (this.session.store.state.hiddenRuns.has(view.run.index)) continue;
      if (view.run.moveTo(time)) view.update(time);
      else ready = false;
    }
    return ready;
  }

  /** Draw the runs whose shapes have changed by these. */
  reshape(): void {
    for (const view of this.views) {
      if (!view.reshape()) continue;
      this.showSelection();
      this.showOverlays();
    }
  }

  /** Take in how far a run goes that has grown. */
  async grow(run: Run): Promise<void> {
    await this.views[run.index].grow();
  }

  /** Where a body is; the scene's origin for none. */
  placeOfBody(body: number | null): THREE.Vector3 {
    return body === null || body >= referenceRun(this.session).header.bodies.length ? new THREE.Vector3() : this.bodyPlace(body);
  }

  private bodyPlace(body: number): THREE.Vector3 {
    const { bodies } = this.views[referenceRun(this.session).index];
    return new THREE.Vector3().fromArray(bodies.values, bodies.at(body) + 12);
  }

  /** Where a point of a body is, in the scene. */
  partPoint(body: number, point: ArrayLike<number>): THREE.Vector3 {
    const { bodies } = this.views[referenceRun(this.session).index];
    const at = [0, 0, 0];
    transform(at, 0, bodies.values, bodies.at(body), point);
    return new THREE.Vector3().fromArray(at);
  }

  /** A direction or place of the scene in the axes of ground: the scene stands upright, they need not. */
  inGround(point: THREE.Vector3): [number, number, number] {
    const [w, x, y, z] = this.upright;
    return point.clone().applyQuaternion(new THREE.Quaternion(-x, -y, -z, w)).toArray();
  }

  private followBody(): void {
    const { follow } = this.session.store.state;
    if (follow !== null) this.stage.follow(this.bodyPlace(follow));
  }

  startFollowing(): void {
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
  partPlace({ kind, index }: Selection): THREE.Vector3 | null {
    const { header } = referenceRun(this.session);
    const place = (body: number, point: ArrayLike<number>): THREE.Vector3 => this.partPoint(body, point);
    if (kind === "body" && header.bodies[index]) return place(index, header.bodies[index].com);
    if (kind === "joint" && header.joints[index]) return place(header.joints[index].to, header.joints[index].at.to);
    const ends = kind === "force" ? (header.forces[index]?.ends ?? []) : [];
    if (ends.length === 0) return null;
    const points = ends.map((end) => place(end.body, end.point));
    return points.reduce((sum, point) => sum.add(point)).divideScalar(points.length);
  }

  //---- showing changes of the state

  private showLens(): void {
    this.stage.flat = this.session.store.state.flat;
    this.onChange();
  }

  showOverlays(): void {
    const { state } = this.session.store;
    const reference = this.views[referenceRun(this.session).index];
    const ready = (): void => {
      this.legend.show(reference.arrowKinds);
      this.onChange();
    };
    for (const view of this.views) view.show(state, ready, ({ message }) => this.onMessage(message));
    this.stage.showGround(state.overlays.has("ground"));
    this.onChange();
  }

  /** Draw the scene as well as a level says. */
  renderAt(level: number): void {
    const { shadows, ...rest } = LEVELS[level];
    this.level = level;
    this.stage.setQuality({ ...rest, shadows: shadows && this.session.store.state.overlays.has("shadows") });
    this.render();
  }

  private showSelection(): void {
    const { selection } = this.session.store.state;
    const alone = this.stage.sideBySide || this.stage.shown.length < 2;
    for (const view of this.views) view.recolour(this.stage.colours, selection, alone);
    if (selection) this.label.textContent = selectedName(referenceRun(this.session), selection);
    this.onChange();
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
    if (store.state.tool === "measure") return this.measureFrom(event.offsetX, event.offsetY);
    const found = this.stage.pick(event.offsetX, event.offsetY);
    const selection = found && found.view.selectionOf(found.hit);
    this.session.picked = null;
    if (found && selection?.kind === "body") this.session.picked = this.pointOf(found.view, selection.index, found.hit.point);
    store.update({ selection, ...(selection ? { tab: "inspect" as const } : {}) });
  }

  /** A place of the scene as a point of a body. */
  pointOf(view: RunView, body: number, place: THREE.Vector3): BodyPoint {
    const matrix = new THREE.Matrix4().fromArray(view.bodies.values, view.bodies.at(body)).invert();
    return { body, point: place.clone().applyMatrix4(matrix).toArray() };
  }

  private measureFrom(x: number, y: number): void {
    const point = this.markNear(x, y) ?? this.pointUnder(x, y);
    if (point) this.ruler.take(point);
    else this.onMessage("There is no body here.");
  }

  private pointUnder(x: number, y: number): BodyPoint | null {
    const found = this.stage.pick(x, y);
    const body = found?.hit.instanceId === undefined ? null : found.view.meshes.bodyOf(found.hit.object, found.hit.instanceId);
    return found && body !== null ? this.pointOf(found.view, body, found.hit.point) : null;
  }

  // the joint or mass centre nearest to a place of the canvas
  private markNear(x: number, y: number): BodyPoint | null {
    const { joints, bodies } = referenceRun(this.session).header;
    const { hiddenBodies } = this.session.store.state;
    const marks: BodyPoint[] = [
      ...joints.map(({ to, at }) => ({ body: to, point: at.to.slice(0, 3) as BodyPoint["point"] })),
      ...bodies.map(({ com }, body) => ({ body, point: com })),
    ].filter(({ body }) => !hiddenBodies.has(body));
    let nearest: BodyPoint | null = null;
    let least = ATTRACTION;
    for (const mark of marks) {
      const place = this.stage.project(this.partPoint(mark.body, mark.point));
      const away = place ? Math.hypot(place.x - x, place.y - y) : Infinity;
      if (away < least) [nearest, least] = [mark, away];
    }
    return nearest;
  }

  follow(body: number): void {
    const { store } = this.session;
    store.update({ follow: store.state.follow === body ? null : body });
  }

  followSelected(): void {
    const { store } = this.session;
    const { selection, follow } = store.state;
    if (selection?.kind === "body") this.follow(selection.index);
    else if (follow !== null) store.update({ follow: null });
    else this.onMessage("Select a body to follow it.");
  }

  lookAt(selection: Selection): void {
    const view = this.views[referenceRun(this.session).index];
    const box = new THREE.Box3();
    if (selection.kind === "body") view.meshes.extend(box, view.bodies, (body) => body === selection.index);
    const place = this.partPlace(selection);
    if (box.isEmpty() && place) box.setFromCenterAndSize(place, new THREE.Vector3().setScalar(0.2 * view.size));
    if (!box.isEmpty()) this.stage.frame(box.expandByScalar(0.15 * view.size));
    this.startFollowing();
  }

  addTrail(body: number, point: [number, number, number]): void {
    const { store } = this.session;
    store.update({ trails: [...store.state.trails, { body, point }], overlays: new Set([...store.state.overlays, "trails" as const]) });
  }

  // without points of one's own: the mass centre of the selected body, or of the last ones of the chains
  toggleTrails(): void {
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

  /** See all of the way that a machine drives, as a line on the ground, without going along. */
  viewPath(): void {
    const { store } = this.session;
    const body = mainBody(referenceRun(this.session));
    const { whole } = this.views[referenceRun(this.session).index].extent;
    if (body === null) return;
    const com = referenceRun(this.session).header.bodies[body].com;
    if (store.state.trails.length === 0) this.addTrail(body, com);
    else store.update({ overlays: new Set([...store.state.overlays, "trails" as const]) });
    store.update({ follow: null, flat: false });
    this.stage.frame(whole, new THREE.Vector3(...DIRECTIONS.path).normalize());
  }

  /** See all of the machine, from a named direction or from where the camera is; along an axis without perspective. */
  viewFrom(view: ViewName | null): void {
    if (view) this.session.store.update({ flat: view !== "corner" });
    const box = new THREE.Box3();
    const shown = this.views[referenceRun(this.session).index];
    if (shown.extent.travels) shown.meshes.extend(box, shown.bodies, (body) => body >= 0 && !this.session.store.state.hiddenBodies.has(body));
    else box.copy(shown.extent.whole);
    this.stage.frame(box, view ? new THREE.Vector3(...DIRECTIONS[view]).normalize() : undefined);
    this.startFollowing();
  }
}

/** Bodies that carry no other. */
function lastBodies(parents: number[]): number[] {
  const carriers = new Set(parents);
  return [...parents.keys()].filter((body) => !carriers.has(body));
}

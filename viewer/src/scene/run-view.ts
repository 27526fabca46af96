// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One run in the scene: bodies, force elements, marks, arrows and trails.
import * as THREE from "three";
import type { Joint, SceneHeader } from "../data/header";
import type { Run } from "../data/run";
import type { Quality } from "../view/quality";
import type { Selection, ViewState } from "../view/state";
import { Arrows, type ArrowKind, type ArrowTip } from "./arrows";
import { BodyMeshes, type BodyStyle } from "./body-meshes";
import { diagonal, measure, widened, type Extent } from "./framing";
import { ForceElements } from "./force-elements";
import { Glyphs } from "./glyphs";
import { BodyMatrices, uprightTurn, type Quaternion } from "./matrix";
import { curveColour, type SceneColours } from "./palette";
import { release } from "./instances";
import { glassMaterial, Surface } from "./surface";
import { Trails } from "./trails";

export class RunView {
  readonly group = new THREE.Group();
  readonly bodies: BodyMatrices;
  meshes: BodyMeshes;
  extent: Extent;
  readonly size: number;
  readonly upright: Quaternion;
  private readonly surface: Surface;
  private readonly edges: THREE.LineBasicMaterial;
  private readonly style: BodyStyle;
  private drawn: SceneHeader;
  private elements: ForceElements;
  private glyphs: Glyphs;
  private readonly arrows: Arrows;
  private readonly trails = new Trails();

  private constructor(
    readonly run: Run,
    private readonly ghost: boolean,
    block: Awaited<ReturnType<Run["wholeRun"]>>,
  ) {
    // a run that coincides with the first is hidden by it
    this.surface = new Surface({ offset: ghost ? 3 : 1, ghost });
    this.edges = new THREE.LineBasicMaterial({ transparent: true });
    this.style = { surface: this.surface.material(false), edges: this.edges, glass: glassMaterial() };
    this.drawn = run.header;
    this.upright = uprightTurn(run.header.gravity);
    this.bodies = new BodyMatrices(run.header.bodies.length, this.upright);
    this.meshes = new BodyMeshes(run.header, run.header.size ?? 1, this.style);
    this.extent = measure(run, this.meshes, this.bodies, block);
    this.size = diagonal(this.extent.start);
    this.bodies.set(block.poses);
    this.elements = new ForceElements(run.header, this.size, this.bodies, this.surface.material(false));
    this.glyphs = new Glyphs(run.header, this.size);
    this.arrows = new Arrows(run.header, this.size);
    const [w, x, y, z] = this.upright;
    for (const { group } of [this.arrows, this.trails]) group.quaternion.set(x, y, z, w);
    this.group.add(this.meshes.group, this.elements.group, this.glyphs.group, this.arrows.group, this.trails.group);
  }

  static async make(run: Run, ghost: boolean): Promise<RunView> {
    return new RunView(run, ghost, await run.wholeRun());
  }

  /** Give back what the graphics holds of it. */
  dispose(): void {
    this.meshes.dispose();
    this.elements.dispose();
    this.glyphs.dispose();
    this.trails.clear();
    release(this.arrows.group, true);
    this.surface.dispose();
    this.edges.dispose();
    this.style.glass.dispose();
  }

  /** Build everything anew that has a shape or a place in a body, where the header has others. */
  reshape(): boolean {
    const { run, size, bodies } = this;
    if (run.header === this.drawn) return false;
    this.drawn = run.header;
    this.group.remove(this.meshes.group, this.elements.group, this.glyphs.group);
    this.meshes.dispose();
    this.elements.dispose();
    this.glyphs.dispose();
    this.meshes = new BodyMeshes(run.header, run.header.size ?? 1, this.style);
    this.elements = new ForceElements(run.header, size, bodies, this.surface.material(false));
    this.glyphs = new Glyphs(run.header, size);
    this.group.add(this.meshes.group, this.elements.group, this.glyphs.group);
    return true;
  }

  /** Take in how far the machine goes in frames that have come: in the last one, or in all of them once the run has ended. */
  async grow(): Promise<void> {
    const { run } = this;
    const last = run.times.length - 1;
    if (last < 0) return;
    const block = run.source.live ? await run.source.readFrames(last, last + 1) : await run.wholeRun();
    this.extent = widened(this.extent, run, this.meshes, new BodyMatrices(run.header.bodies.length, this.upright), block);
  }

  /** Draw the run as its snapshot says. */
  update(time: number): void {
    this.bodies.set(this.run.now.poses);
    this.meshes.update(this.bodies);
    this.elements.update(this.bodies);
    this.glyphs.update(this.bodies);
    this.arrows.update(this.run.now.vectors);
    this.trails.update(time);
  }

  setQuality({ detail, shadows }: Quality): void {
    const material = this.surface.material(shadows);
    this.meshes.setLook(detail, material);
    this.elements.setLook(detail, material);
  }

  /** Switch marks, arrows and trails; what needs more frames first is drawn when they are there. */
  show(state: ViewState, onReady: () => void, onFailure: (error: Error) => void): void {
    const on = state.overlays;
    this.glyphs.show(on.has("axes"), on.has("frames"), on.has("com"));
    this.arrows.show(on.has("forces"), on.has("contacts"), on.has("reactions"));
    this.trails.group.visible = on.has("trails");
    this.elements.hide(state.hiddenBodies);
    this.glyphs.hidden = state.hiddenBodies;
    this.meshes.show(state.hiddenBodies, state.clearBodies);
    Promise.all([this.fitArrows(state.arrowScale), this.setTrails(state)]).then(onReady, onFailure);
  }

  /** Take the colours of the theme; what is laid over another run shows it through and has the colour of its curves. */
  recolour(colours: SceneColours, selection: Selection | null, alone: boolean): void {
    const over = this.ghost && !alone;
    this.surface.setOpacity(over ? 0.45 : 1, !over);
    this.meshes.setSolid(!over);
    this.edges.color.set(colours.edge);
    this.edges.opacity = colours.edgeOpacity;
    this.meshes.colour(chosenBodies(this.run, selection), colours.accent, over ? curveColour(this.run.index) : null);
    this.elements.colour(selection?.kind === "force" ? selection.index : null, colours.accent);
  }

  /** The part that a ray has met by meeting this object. */
  selectionOf(hit: THREE.Intersection): Selection | null {
    if (hit.instanceId === undefined) return null;
    const body = this.meshes.bodyOf(hit.object, hit.instanceId);
    if (body !== null) return body < 0 ? null : { kind: "body", index: body };
    const force = this.elements.forceOf(hit.object, hit.instanceId);
    return force === null ? null : { kind: "force", index: force };
  }

  /** Where the arrows of this instant end, the largest first, and what kinds there are. */
  arrowTips(): ArrowTip[] {
    return this.arrows.tips(this.run.now.vectors);
  }

  get arrowKinds(): ArrowKind[] {
    return this.arrows.shownKinds;
  }

  private async fitArrows(factor: number): Promise<void> {
    if (this.run.header.vectors.length === 0 || !this.arrows.group.visible) return;
    const block = await this.run.wholeRun();
    this.arrows.fit(block.vectors, this.run.header.vectors.map((vector) => vector.unit), factor);
    this.arrows.update(this.run.now.vectors);
  }

  private async setTrails(state: ViewState): Promise<void> {
    if (!state.overlays.has("trails")) return this.trails.clear();
    this.trails.set(state.trails, await this.run.wholeRun(), this.run.header.bodies.length);
    this.trails.update(state.time);
  }
}

/** The bodies that a selection lights up. */
export function chosenBodies(run: Run, selection: Selection | null): ReadonlySet<number> {
  const { joints, forces, loops } = run.header;
  if (selection?.kind === "body") return new Set([selection.index]);
  if (selection?.kind === "joint") return jointBodies([joints[selection.index]]);
  if (selection?.kind === "force") return new Set((forces[selection.index]?.ends ?? []).length === 1 ? [forces[selection.index].ends[0].body] : []);
  if (selection?.kind === "loop") return loopBodies(run, loops[selection.index]?.joint ?? -1);
  return new Set();
}

function jointBodies(joints: (Joint | undefined)[]): Set<number> {
  return new Set(joints.flatMap((joint) => (joint ? [joint.from, joint.to] : [])).filter((body) => body >= 0));
}

// from both sides of the cut towards ground, as far as the two ways differ
function loopBodies(run: Run, cut: number): Set<number> {
  const joint = run.header.joints[cut];
  if (!joint) return new Set();
  const [a, b] = [joint.from, joint.to].map((body) => wayToGround(run, body));
  const shared = a.filter((body) => b.includes(body));
  return new Set([...a, ...b].filter((body) => !shared.slice(1).includes(body) && body >= 0));
}

function wayToGround(run: Run, body: number): number[] {
  const way: number[] = [];
  for (let at = body; at >= 0 && !way.includes(at); at = run.header.bodies[at].parent) way.push(at);
  return way;
}

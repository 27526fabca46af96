// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Facts about the selected part, with numbers that move with the animation.
import type { Run } from "../data/run";
import { POSE, VECTOR, VELOCITY } from "../data/layout";
import { placeOf } from "../scene/place";
import { hide, isolate, lookThrough } from "../view/bodies";
import { h, replace } from "../view/dom";
import { icon, type Icon } from "../view/icons";
import { readable, steady } from "../view/numbers";
import { channelsOf, machineTitle, referenceRun, selectedName, togglePlot, type Session } from "../view/session";
import type { Kind, Selection } from "../view/state";

export interface InspectorActions {
  follow(body: number): void;
  lookAt(selection: Selection): void;
  addTrail(body: number, point: [number, number, number]): void;
}

type Live = () => string;

export class Inspector {
  readonly element = h("div", { class: "panel inspector", id: "inspector" });
  private live: { cell: HTMLElement; text: Live }[] = [];

  constructor(
    private readonly session: Session,
    private readonly actions: InspectorActions,
  ) {
    session.store.on(["selection", "reference", "follow", "hiddenBodies", "clearBodies"], () => this.draw());
    this.draw();
  }

  /** Write the numbers of this instant. */
  refresh(): void {
    for (const { cell, text } of this.live) {
      const now = text();
      if (cell.textContent !== now) cell.textContent = now;
    }
  }

  draw(): void {
    this.live = [];
    const { selection } = this.session.store.state;
    const run = referenceRun(this.session);
    if (!selection || selectedName(run, selection) === "") return replace(this.element, ...this.machine(run));
    const parts: Record<Kind, () => HTMLElement[]> = {
      body: () => this.body(run, selection.index),
      joint: () => this.joint(run, selection.index),
      force: () => this.force(run, selection.index),
      loop: () => this.loop(run, selection.index),
    };
    replace(this.element, ...parts[selection.kind]());
    this.refresh();
  }

  //---- the machine as a whole

  private machine(run: Run): HTMLElement[] {
    const { header } = run;
    const mass = header.bodies.reduce((sum, body) => sum + (body.mass > 0 ? body.mass : 0), 0);
    return [
      h("h2", {}, machineTitle(run)),
      table([
        ["Bodies", String(header.bodies.length)],
        ["Joints", String(header.joints.length)],
        ["Forces", String(header.forces.length)],
        ["Loops", String(header.loops.length)],
        ["Mass", `${readable(mass)} kg`],
        ["Gravity", header.gravity ? `${header.gravity.map((x) => readable(x, 4)).join("  ")} m/s^2` : "–"],
        ["Frames", this.liveCell(() => String(run.times.length))],
        ["From, to", this.liveCell(() => `${readable(run.start)} s, ${readable(run.end)} s`)],
        ["Method", header.method ?? "–"],
        ["Integrator", header.integrator ?? "–"],
        ["Model file", header.model.file ?? "–"],
        ["Fingerprint", header.model.hash ?? "–"],
        ["Program", header.program ?? "–"],
      ]),
      h("p", { class: "hint" }, "Click a part of the machine, or a name in the list, to see what it is."),
    ];
  }

  // a run may grow while one looks
  private liveCell(text: Live): HTMLElement {
    const cell = h("span", {}, text());
    this.live.push({ cell, text });
    return cell;
  }

  //---- a body

  private body(run: Run, index: number): HTMLElement[] {
    const body = run.header.bodies[index];
    const following = this.session.store.state.follow === index;
    const { picked } = this.session;
    const { hiddenBodies, clearBodies } = this.session.store.state;
    const own = new Set([index]);
    const trail = (point: [number, number, number]): (() => void) => () => this.actions.addTrail(index, point);
    return [
      this.title("body", body.name, body.rod ? "rod" : "body"),
      h(
        "div",
        { class: "actions" },
        action("target", following ? "Stop following" : "Follow", () => this.actions.follow(index)),
        action("fit", "Look at", () => this.actions.lookAt({ kind: "body", index })),
        action("eye", hiddenBodies.has(index) ? "Show" : "Hide", () => hide(this.session, own)),
        action("glass", clearBodies.has(index) ? "Solid" : "See through", () => lookThrough(this.session, own)),
        action("alone", "Isolate", () => isolate(this.session, own)),
        action("trail", "Trail of mass centre", trail(body.com)),
        picked?.body === index ? action("trail", "Trail of clicked point", trail(picked.point)) : null,
      ),
      table([
        ["Mass", `${readable(body.mass)} kg`],
        ["Mass centre", `${body.com.map((x) => readable(x, 4)).join("  ")} m`],
        ...(body.inertia ? ([["Inertia", inertiaText(body.inertia)]] as [string, string][]) : []),
        ["Carried by", body.parent >= 0 ? (run.header.bodies[body.parent]?.name ?? "–") : "ground"],
      ]),
      h("h3", {}, "Position"),
      this.components(["x", "y", "z"], "m", (c) => run.now.poses[POSE * index + c]),
      h("h3", {}, "Attitude"),
      this.components(["yaw", "pitch", "roll"], "rad", (c) => yawPitchRoll(run.now.poses, POSE * index + 3)[c], 4),
      ...(run.header.velocities
        ? [
            h("h3", {}, "Velocity"),
            this.components(["x", "y", "z", "size"], "m/s", (c) => component(run.now.velocities, VELOCITY * index, c)),
            h("h3", {}, "Angular velocity"),
            this.components(["x", "y", "z", "size"], "rad/s", (c) => component(run.now.velocities, VELOCITY * index + 3, c)),
          ]
        : []),
      ...this.joints(run, index),
      ...this.channels(run, body.name),
    ];
  }

  private joints(run: Run, body: number): HTMLElement[] {
    const links = run.header.joints.flatMap((joint, index) =>
      joint.from === body || joint.to === body ? [this.partLink("joint", index, joint.name, joint.type)] : [],
    );
    return links.length > 0 ? [h("h3", {}, "Joints"), h("div", { class: "links" }, ...links)] : [];
  }

  //---- a joint, a force, a loop

  private joint(run: Run, index: number): HTMLElement[] {
    const joint = run.header.joints[index];
    return [
      this.title("joint", joint.name, joint.type + (joint.cut ? ", cut" : "")),
      h("div", { class: "actions" }, action("fit", "Look at", () => this.actions.lookAt({ kind: "joint", index }))),
      h("h3", {}, "Between"),
      h("div", { class: "links" }, this.bodyLink(run, joint.from), this.bodyLink(run, joint.to)),
      h("h3", {}, "Place, in ground"),
      this.components(["x", "y", "z"], "m", (c) => placeOf(run, joint.to, joint.at.to)[c]),
      ...this.vectors(run, joint.name),
      ...this.channels(run, joint.name),
    ];
  }

  private force(run: Run, index: number): HTMLElement[] {
    const force = run.header.forces[index];
    const ends = force.ends ?? [];
    const length = (): number => {
      const [a, b] = ends.map((end) => placeOf(run, end.body, end.point));
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    return [
      this.title("force", force.name, force.type),
      ...(ends.length > 0 ? [h("h3", {}, "Acts on"), h("div", { class: "links" }, ...ends.map((end) => this.bodyLink(run, end.body)))] : []),
      ...(ends.length === 2 ? [h("h3", {}, "Length"), this.components([""], "m", length)] : []),
      ...(force.rest ? [table([["Free length", `${readable(force.rest)} m`]])] : []),
      ...(force.width ? [table([["Radius", `${readable(force.radius ?? NaN)} m`], ["Width", `${readable(force.width)} m`]])] : []),
      ...this.vectors(run, force.name),
      ...this.channels(run, force.name),
    ];
  }

  private loop(run: Run, index: number): HTMLElement[] {
    const loop = run.header.loops[index];
    const joint = run.header.joints[loop.joint ?? -1];
    return [
      this.title("loop", loop.name, loop.type ?? "loop"),
      ...(joint ? [h("h3", {}, "Closed by"), h("div", { class: "links" }, this.partLink("joint", loop.joint ?? 0, joint.name, joint.type))] : []),
      h("p", { class: "hint" }, "The bodies of the loop are lit in the scene."),
    ];
  }

  //---- pieces of these pages

  private title(kind: Kind, name: string, note: string): HTMLElement {
    const signs: Record<Kind, Icon> = { body: "body", joint: "joint", force: "force", loop: "loops" };
    return h("h2", {}, icon(signs[kind]), h("span", {}, name), h("small", {}, note));
  }

  private components(names: string[], unit: string, value: (component: number) => number, digits = 4): HTMLElement {
    const rows = names.map((name, c) => {
      const cell = h("td", { class: "number" });
      this.live.push({ cell, text: () => steady(value(c), digits) });
      return h("tr", {}, h("th", {}, name), cell, h("td", { class: "unit" }, unit));
    });
    return h("table", { class: "values" }, h("tbody", {}, ...rows));
  }

  private vectors(run: Run, name: string): HTMLElement[] {
    return run.header.vectors.flatMap((vector, index) => {
      if (vector.name !== name && !vector.name.startsWith(`${name}.`)) return [];
      const value = (c: number): number => component(run.now.vectors, VECTOR * index + 3, c);
      const title = vector.unit === "N m" ? "Reaction torque" : "Reaction force";
      return [h("h3", {}, vector.kind === "reaction" ? title : vector.name), this.components(["x", "y", "z", "size"], vector.unit, value, 2)];
    });
  }

  private channels(run: Run, name: string): HTMLElement[] {
    const channels = channelsOf(run, name);
    if (channels.length === 0) return [];
    const buttons = channels.map((channel) => h("button", { class: "chip", onclick: () => togglePlot(this.session, channel) }, channel));
    return [h("h3", {}, "Channels"), h("div", { class: "chips" }, ...buttons)];
  }

  private bodyLink(run: Run, body: number): HTMLElement {
    return body < 0 ? h("span", { class: "part" }, "ground") : this.partLink("body", body, run.header.bodies[body].name, "");
  }

  private partLink(kind: Kind, index: number, name: string, note: string): HTMLElement {
    const onclick = (): void => this.session.store.update({ selection: { kind, index } });
    return h("button", { class: "part", onclick }, name, h("small", {}, note));
  }
}

function action(sign: Icon, text: string, onclick: () => void): HTMLElement {
  return h("button", { class: "action", onclick }, icon(sign), text);
}

export function table(rows: [string, string | HTMLElement][]): HTMLElement {
  return h("table", { class: "facts" }, h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", {}, name), h("td", {}, value)))));
}

const inertiaText = (inertia: number[]): string => `${inertia.map((x) => readable(x, 3)).join("  ")} kg m²`;

// components 0, 1, 2, then the size of the whole
function component(values: Float32Array, at: number, c: number): number {
  return c < 3 ? values[at + c] : Math.hypot(values[at], values[at + 1], values[at + 2]);
}

/** Turns about z, then y, then x, in rad, of the quaternion w x y z at q[i...]. */
export function yawPitchRoll(q: ArrayLike<number>, i: number): [number, number, number] {
  const [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - x * z)));
  return [
    Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)),
    Math.asin(sine),
    Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
  ];
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts of the machine as a list that can be searched: bodies, joints, forces, loops.
import type { SceneHeader } from "../data/header";
import { hide, lookThrough } from "../view/bodies";
import { h, replace } from "../view/dom";
import { icon, type Icon } from "../view/icons";
import { referenceRun, type Session } from "../view/session";
import type { Kind } from "../view/state";
import { marked, searchBox } from "./search-box";

interface Row {
  kind: Kind;
  index: number;
  name: string;
  note: string;
  depth: number;
}

const SECTIONS: { kind: Kind; title: string; icon: Icon }[] = [
  { kind: "body", title: "Bodies", icon: "body" },
  { kind: "joint", title: "Joints", icon: "joint" },
  { kind: "force", title: "Forces", icon: "force" },
  { kind: "loop", title: "Loops", icon: "loops" },
];

const LONG_LIST = 400;

export class ModelTree {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "tree", role: "tree", "aria-label": "Parts of the machine" });
  private readonly search: HTMLInputElement;
  private readonly rows: Row[];
  private readonly closed = new Set<Kind>();

  constructor(
    private readonly session: Session,
    private readonly onOpen: (kind: Kind, index: number) => void,
  ) {
    this.rows = listRows(referenceRun(session).header);
    const { box, input } = searchBox("Search parts", "search-parts", () => this.draw());
    this.search = input;
    this.element = h("div", { class: "side-page" }, box, this.list);
    for (const { kind } of SECTIONS) if (this.rows.filter((row) => row.kind === kind).length > LONG_LIST) this.closed.add(kind);
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("dblclick", (event) => this.open(event));
    session.store.on(["selection"], () => this.showSelection(true));
    session.store.on(["hiddenBodies", "clearBodies"], () => this.showBodies());
    this.draw();
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  private draw(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.rows.filter((row) => row.name.toLowerCase().includes(wanted) || (wanted !== "" && row.note.toLowerCase().includes(wanted)));
    replace(this.list, ...SECTIONS.map((section) => this.section(section, found, wanted)));
    if (found.length === 0) this.list.append(h("p", { class: "empty" }, `Nothing is called “${this.search.value}”.`));
    this.showSelection(false);
  }

  private section({ kind, title, icon: sign }: (typeof SECTIONS)[number], found: Row[], wanted: string): HTMLElement | null {
    const rows = found.filter((row) => row.kind === kind);
    if (rows.length === 0) return null;
    const open = wanted !== "" ? rows.length <= LONG_LIST : !this.closed.has(kind);
    const section = h("details", { "data-kind": kind }, h("summary", {}, title, h("span", { class: "count" }, String(rows.length))));
    const fill = (): void => {
      if (section.childElementCount === 1) section.append(...rows.map((row) => treeRow(row, sign, wanted)));
      this.showBodies();
    };
    section.open = open;
    if (open) fill();
    section.addEventListener("toggle", () => {
      if (section.open) fill();
      if (wanted === "") this.closed[section.open ? "delete" : "add"](kind);
    });
    return section;
  }

  private rowOf(event: Event): { kind: Kind; index: number } | null {
    const row = (event.target as Element).closest<HTMLElement>(".row");
    return row ? { kind: row.dataset["kind"] as Kind, index: Number(row.dataset["index"]) } : null;
  }

  private click(event: Event): void {
    const row = this.rowOf(event);
    const tool = (event.target as Element).closest<HTMLElement>(".row-tool");
    if (row && tool) return (tool.dataset["act"] === "hide" ? hide : lookThrough)(this.session, new Set([row.index]));
    if (row) this.session.store.update({ selection: row, tab: "inspect" });
  }

  // hidden bodies are faint, those that one looks through carry their sign
  private showBodies(): void {
    const { hiddenBodies, clearBodies } = this.session.store.state;
    for (const row of this.list.querySelectorAll<HTMLElement>(".row[data-kind=body]")) {
      const body = Number(row.dataset["index"]);
      row.classList.toggle("hidden-body", hiddenBodies.has(body));
      row.classList.toggle("clear-body", clearBodies.has(body));
    }
  }

  private open(event: Event): void {
    const row = (event.target as Element).closest(".row-tool") ? null : this.rowOf(event);
    if (row) this.onOpen(row.kind, row.index);
  }

  private showSelection(scroll: boolean): void {
    const { selection } = this.session.store.state;
    for (const row of this.list.querySelectorAll(".row.selected")) {
      row.classList.remove("selected");
      row.removeAttribute("aria-selected");
    }
    if (!selection) return;
    const row = this.list.querySelector(`.row[data-kind="${selection.kind}"][data-index="${selection.index}"]`);
    row?.classList.add("selected");
    row?.setAttribute("aria-selected", "true");
    if (scroll) row?.scrollIntoView({ block: "nearest" });
  }
}

function treeRow(row: Row, sign: Icon, wanted: string): HTMLElement {
  return h(
    "div",
    { class: "row", role: "treeitem", tabindex: 0, title: row.note ? `${row.name}, ${row.note}` : row.name, "data-kind": row.kind, "data-index": row.index, style: `--depth:${row.depth}` },
    icon(sign),
    h("span", { class: "name" }, ...marked(row.name, wanted)),
    h("span", { class: "note" }, row.note),
    ...(row.kind === "body" ? [rowTool("hide", "eye", "Hide or show"), rowTool("clear", "glass", "See through or not")] : []),
  );
}

// by keys one reaches these through the row and its page on the right
function rowTool(act: string, sign: Icon, title: string): HTMLElement {
  return h("button", { class: "row-tool", "data-act": act, title, "aria-label": title, tabindex: -1 }, icon(sign));
}

function listRows(header: SceneHeader): Row[] {
  return [
    ...bodyRows(header),
    ...header.joints.map((joint, index): Row => ({ kind: "joint", index, name: joint.name, note: joint.type + (joint.cut ? " · cut" : ""), depth: 0 })),
    ...header.forces.map((force, index): Row => ({ kind: "force", index, name: force.name, note: force.type, depth: 0 })),
    ...header.loops.map((loop, index): Row => ({ kind: "loop", index, name: loop.name, note: loop.type ?? "", depth: 0 })),
  ];
}

// every body below the one that carries it
function bodyRows(header: SceneHeader): Row[] {
  const children = new Map<number, number[]>();
  header.bodies.forEach((body, index) => {
    const parent = body.parent < 0 || body.parent >= header.bodies.length ? -1 : body.parent;
    children.set(parent, [...(children.get(parent) ?? []), index]);
  });
  const rows: Row[] = [];
  const stack = [...(children.get(-1) ?? [])].reverse().map((index) => ({ index, depth: 0 }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { index, depth } = top;
    rows.push({ kind: "body", index, name: header.bodies[index].name, note: header.bodies[index].rod ? "rod" : "", depth: Math.min(depth, 8) });
    for (const child of [...(children.get(index) ?? [])].reverse()) stack.push({ index: child, depth: depth + 1 });
  }
  return rows;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The sample models as cards: a picture, the title and a line each, in groups, with a search.
import { h } from "../view/dom";

/** A small PNG in base64, "" for none, and what the machine shows. */
export interface Sketch {
  picture: string;
  says: string;
}

export interface Example {
  path: string;
  title: string;
  says: string;
}

// folders of the samples, in the order of the page
const GROUPS: Record<string, string> = {
  models: "First machines",
  "models/loops": "Closed loops and parallel robots",
  "models/vehicles": "Vehicles",
  "models/vehicles/manoeuvres": "Vehicle manoeuvres",
  "models/plant": "Motors, hydraulics, control",
  "models/benchmarks": "Published benchmarks",
  "models/experiments": "Experiments of papers",
  "models/generator": "Robots and trees for generated code",
  "models/adams": "Comparisons with ADAMS",
};

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");
const place = (folder: string): number => [...Object.keys(GROUPS), folder].indexOf(folder);

export const isExample = (path: string): boolean => path.endsWith(".yaml") && !path.includes("/parts/");

/** Examples by the titles of their groups. */
export function groupExamples(samples: Record<string, string>, sketches: Record<string, Sketch>): [string, Example[]][] {
  const groups = new Map<string, Example[]>();
  for (const path of Object.keys(samples).filter(isExample).sort()) {
    const title = /^title: *"?(.*?)"? *$/m.exec(samples[path])?.[1] ?? path;
    groups.set(folderOf(path), [...(groups.get(folderOf(path)) ?? []), { path, title, says: sketches[path]?.says ?? "" }]);
  }
  return [...groups].sort(([a], [b]) => place(a) - place(b)).map(([folder, list]) => [GROUPS[folder] ?? folder, list]);
}

/** Whether an example has all words of a search. */
export function matches({ path, title, says }: Example, search: string): boolean {
  const all = `${path} ${title} ${says}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}

export class ExampleCards {
  readonly dialog = h("dialog", { class: "examples", "aria-label": "Examples" });
  private readonly search = h("input", { type: "search", placeholder: "Search examples", "aria-label": "Search examples", oninput: () => this.filter() });
  private readonly none = h("p", { class: "none", role: "status" });
  private readonly cards = new Map<HTMLButtonElement, Example>();
  private sections: HTMLElement[] = [];

  constructor(
    private readonly samples: Record<string, string>,
    private readonly readSketches: () => Promise<Record<string, Sketch>>,
    private readonly choose: (path: string) => void,
  ) {
    const close = h("button", { class: "close", onclick: () => this.dialog.close() }, "Close");
    this.dialog.append(h("header", {}, h("h1", {}, "Examples"), this.search, close), this.none);
    this.dialog.addEventListener("keydown", (event) => this.press(event));
  }

  /** Show the cards, with the model that is open in focus; pictures are unpacked the first time. */
  async open(path: string): Promise<void> {
    this.dialog.showModal();
    if (this.cards.size === 0) this.fill(await this.readSketches());
    this.search.value = "";
    this.filter();
    const current = [...this.cards].find(([, example]) => example.path === path)?.[0];
    for (const card of this.cards.keys()) card.toggleAttribute("aria-current", card === current);
    if (current) this.focus(current);
    else this.search.focus();
  }

  private fill(sketches: Record<string, Sketch>): void {
    this.sections = groupExamples(this.samples, sketches).map(([title, list]) => h("section", {}, h("h2", {}, title), h("div", { class: "cards" }, ...list.map((example) => this.card(example, sketches[example.path]?.picture)))));
    this.dialog.append(...this.sections);
  }

  private card(example: Example, picture = ""): HTMLButtonElement {
    const image = picture ? h("img", { src: `data:image/png;base64,${picture}`, alt: "", width: 180, height: 120, loading: "lazy" }) : h("span", { class: "no-picture" });
    const card = h("button", { class: "card", tabindex: -1, title: example.path }, image, h("b", {}, example.title), h("span", {}, example.says));
    card.onclick = () => {
      this.dialog.close();
      this.choose(example.path);
    };
    this.cards.set(card, example);
    return card;
  }

  private filter(): void {
    for (const [card, example] of this.cards) card.hidden = !matches(example, this.search.value.trim());
    for (const section of this.sections) section.hidden = section.querySelector(".card:not([hidden])") === null;
    const shown = this.shown();
    this.none.textContent = shown.length === 0 ? "No example has all these words." : "";
    this.makeReachable(shown[0]);
  }

  private shown(): HTMLButtonElement[] {
    return [...this.cards.keys()].filter((card) => !card.hidden);
  }

  //---- keys: one card is reached by Tab, the others by arrows

  private makeReachable(card: HTMLButtonElement | undefined): void {
    for (const other of this.cards.keys()) other.tabIndex = other === card ? 0 : -1;
  }

  private focus(card: HTMLButtonElement | undefined): void {
    if (!card) return;
    this.makeReachable(card);
    card.focus();
    card.scrollIntoView({ block: "nearest" });
  }

  private press(event: KeyboardEvent): void {
    const shown = this.shown();
    if (event.target === this.search) {
      if (event.key === "Enter" && shown.length > 0) shown[0].click();
      else if (event.key === "ArrowDown") this.focus(shown[0]);
      else return;
      return event.preventDefault();
    }
    const now = shown.indexOf(event.target as HTMLButtonElement);
    if (now < 0) return;
    const next = neighbour(shown, now, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next === null) this.search.focus();
    else this.focus(next);
  }
}

// null: above the first row; undefined: no key for it
function neighbour(cards: HTMLButtonElement[], now: number, key: string): HTMLButtonElement | null | undefined {
  const places = cards.map((card) => card.getBoundingClientRect());
  const { left, top } = places[now];
  const nearest = (row: number): number => places.reduce((best, place, k) => (place.top === row && (best < 0 || Math.abs(place.left - left) < Math.abs(places[best].left - left)) ? k : best), -1);
  const rows = places.map((place) => place.top);
  const step = (): number => {
    if (key === "ArrowRight") return Math.min(now + 1, cards.length - 1);
    if (key === "ArrowLeft") return Math.max(now - 1, 0);
    if (key === "ArrowDown") return nearest(Math.min(...rows.filter((row) => row > top)));
    if (key === "ArrowUp") return nearest(Math.max(...rows.filter((row) => row < top)));
    return key === "Home" ? 0 : key === "End" ? cards.length - 1 : -2;
  };
  const next = step();
  if (next === -2) return undefined;
  return next >= 0 ? cards[next] : key === "ArrowUp" ? null : cards[now];
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages of which one is in front.
import { h } from "../view/dom";

export interface Page {
  name: string;
  title: string;
  element: HTMLElement;
}

export class Tabs {
  readonly element: HTMLElement;
  current: string;
  private readonly buttons: Map<string, HTMLElement>;

  constructor(
    private readonly pages: Page[],
    onShow: (name: string) => void = () => {},
  ) {
    this.current = pages[0].name;
    const open = (name: string): void => {
      this.show(name);
      onShow(name);
    };
    this.buttons = new Map(
      pages.map(({ name, title }) => [name, h("button", { class: "tab", role: "tab", id: `tab-${name}`, onclick: () => open(name) }, title)]),
    );
    const list = h("nav", { role: "tablist", onkeydown: (event: KeyboardEvent) => this.turn(event, open) }, ...this.buttons.values());
    this.element = h("div", { class: "tabs" }, list, ...pages.map((page) => page.element));
    for (const { name, element } of pages) {
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", `tab-${name}`);
    }
    this.show(this.current);
  }

  show(name: string): void {
    this.current = name;
    for (const page of this.pages) {
      page.element.hidden = page.name !== name;
      const button = this.buttons.get(page.name);
      button?.setAttribute("aria-selected", String(page.name === name));
      button?.setAttribute("tabindex", page.name === name ? "0" : "-1");
    }
  }

  // arrows go from one to the next, as one stop of the Tab key
  private turn(event: KeyboardEvent, open: (name: string) => void): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.pages.findIndex(({ name }) => name === this.current);
    const { name } = this.pages[(at + step + this.pages.length) % this.pages.length];
    open(name);
    this.buttons.get(name)?.focus();
  }
}

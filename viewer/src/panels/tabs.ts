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
    this.element = h("div", { class: "tabs" }, h("nav", { role: "tablist" }, ...this.buttons.values()), ...pages.map((page) => page.element));
    this.show(this.current);
  }

  show(name: string): void {
    this.current = name;
    for (const page of this.pages) {
      page.element.hidden = page.name !== name;
      this.buttons.get(page.name)?.setAttribute("aria-selected", String(page.name === name));
    }
  }
}

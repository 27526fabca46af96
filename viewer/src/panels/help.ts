// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The sheet of keys and mouse.
import { h } from "../view/dom";

const SHEETS: [string, [string, string][]][] = [
  [
    "Time",
    [
      ["Space", "play, pause"],
      ["← →", "one frame back, on"],
      ["Shift ← →", "ten frames"],
      ["Home End", "start, end"],
      ["↑ ↓", "faster, slower"],
      ["L", "loop"],
    ],
  ],
  [
    "Camera",
    [
      ["Drag", "orbit"],
      ["Right drag", "pan"],
      ["Wheel", "zoom"],
      ["0", "whole machine"],
      ["1 2 3 4", "corner, front, side, top; 5: the whole path of a machine that drives"],
      ["O", "with or without perspective"],
      ["M", "measure between points"],
      ["Q", "move or pull bodies, where a page does"],
      ["F", "follow the selected body"],
      ["Z", "look at what is selected"],
    ],
  ],
  [
    "Show",
    [
      ["A", "joint axes"],
      ["B", "frames of the bodies"],
      ["C", "centres of mass"],
      ["V", "forces"],
      ["Y", "contact points and their forces"],
      ["R", "reactions"],
      ["T", "trails"],
      ["G", "ground"],
      ["H", "shadows"],
      ["X", "hide what is selected"],
      ["I", "isolate it"],
      ["W", "see through it"],
      ["U", "show all bodies"],
    ],
  ],
  [
    "Plots",
    [
      ["Drag", "zoom in time"],
      ["Wheel", "zoom about the pointer"],
      ["Click", "go to that instant"],
      ["Double click", "whole run"],
      ["P", "another plot"],
      ["E", "save the curves as CSV"],
    ],
  ],
  [
    "Page",
    [
      ["Tab Enter", "from part to part, choose"],
      ["/", "search"],
      ["S", "save a picture"],
      ["N", "record a video"],
      ["K", "copy a link to this view"],
      ["D", "dark, light"],
      ["[ ]", "hide the left, right side"],
      ["\\", "hide the plots"],
      ["Esc", "select nothing, close"],
      ["?", "this sheet"],
    ],
  ],
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor() {
    const key = ([keys, text]: [string, string]): HTMLElement =>
      h("div", { class: "key" }, h("kbd", {}, keys), h("span", {}, text));
    this.element = h(
      "dialog",
      { class: "help", id: "help", "aria-labelledby": "help-title", onclick: () => this.element.close() },
      h("h2", { id: "help-title" }, "Keys and mouse"),
      h("div", { class: "sheets" }, ...SHEETS.map(([title, keys]) => h("section", {}, h("h3", {}, title), ...keys.map(key)))),
    );
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

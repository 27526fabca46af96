// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Under which name a picture or a video is saved.
import { h, replace } from "../view/dom";

export interface Wanted {
  title: string;
  /** Without ending. */
  name: string;
  ending: string;
  hint: string;
  act: string;
}

export class SaveDialog {
  readonly element: HTMLDialogElement;
  private readonly form = h("form", { method: "dialog", onsubmit: () => this.save() });
  private readonly field = h("input", { type: "text", id: "save-name", "aria-label": "Name of the file", autocomplete: "off", spellcheck: "false" });
  private onSave: (name: string) => void = () => {};
  private ending = "";

  constructor() {
    this.element = h("dialog", { class: "save", id: "save", "aria-label": "Save" }, this.form);
  }

  /** Ask for a name; the answer comes with its ending. */
  ask({ title, name, ending, hint, act }: Wanted, onSave: (name: string) => void): void {
    this.onSave = onSave;
    this.ending = ending;
    this.field.value = name;
    replace(
      this.form,
      h("h2", { id: "save-title" }, title),
      h("label", { class: "file" }, this.field, h("span", { class: "unit" }, `.${ending}`)),
      h("p", { class: "hint" }, hint),
      h("div", { class: "actions" }, h("button", { class: "action", id: "save-now", type: "submit" }, act), h("button", { class: "action", type: "button", onclick: () => this.element.close() }, "Cancel")),
    );
    this.element.showModal();
    this.field.select();
  }

  private save(): void {
    this.onSave(fileName(this.field.value, this.ending));
  }
}

/** A name that every system takes, with its ending once. */
export function fileName(wanted: string, ending: string): string {
  const plain = wanted.replace(/[\\/:*?"<>|\p{Cc}]+/gu, "-").replace(/^[.\s-]+|[.\s]+$/g, "");
  const bare = plain.toLowerCase().endsWith(`.${ending}`) ? plain.slice(0, -ending.length - 1) : plain;
  return `${bare || "articula"}.${ending}`;
}

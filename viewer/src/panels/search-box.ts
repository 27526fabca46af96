// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A field to search a list with, and the found letters marked.
import { h } from "../view/dom";
import { icon } from "../view/icons";

export function searchBox(label: string, id: string, onInput: () => void): { box: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "search", placeholder: label, id, "aria-label": label, autocomplete: "off", spellcheck: "false", oninput: onInput });
  return { box: h("label", { class: "search" }, icon("search"), input), input };
}

export function marked(text: string, wanted: string): (Node | string)[] {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return [text];
  return [text.slice(0, at), h("mark", {}, text.slice(at, at + wanted.length)), text.slice(at + wanted.length)];
}

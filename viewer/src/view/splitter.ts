// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Edges between the parts of the page that one can drag.
import { h } from "./dom";

type Side = "left" | "right" | "plots";

const LEAST = 140;

/** An edge that sets the size of a side in pixels, as a variable of the style. */
export function splitter(root: HTMLElement, side: Side): HTMLElement {
  const edge = h("div", { class: `splitter ${side}`, role: "separator", "aria-orientation": side === "plots" ? "horizontal" : "vertical" });
  edge.addEventListener("pointerdown", (event) => {
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener("pointermove", (event) => {
    if (!edge.hasPointerCapture(event.pointerId)) return;
    const box = root.getBoundingClientRect();
    const sizes = { left: event.clientX - box.left, right: box.right - event.clientX, plots: box.bottom - event.clientY };
    const most = side === "plots" ? 0.75 * box.height : 0.4 * box.width;
    root.style.setProperty(`--${side}`, `${Math.min(most, Math.max(LEAST, sizes[side]))}px`);
  });
  return edge;
}

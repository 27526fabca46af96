// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Edges between the parts of the page that one can drag.
import { h } from "./dom";

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

type Side = "left" | "right" | "plots";

const NAMES: Record<Side, string> = { left: "left side", right: "right side", plots: "plots" };

const LEAST = 140;

// px that an arrow key moves it
const STEP = 24;

/** An edge that sets the size of a side in pixels, as a variable of the style; `widest`: the most of the width that it may take. */
export function splitter(root: HTMLElement, side: Side, widest = 0.4): HTMLElement {
  const edge = h("div", { class: `splitter ${side}`, role: "separator", tabindex: 0, "aria-label": `Size of the ${NAMES[side]}`, "aria-orientation": side === "plots" ? "horizontal" : "vertical" });
  const place = (x: number, y: number): void => {
    const box = root.getBoundingClientRect();
    const sizes = { left: x - box.left, right: box.right - x, plots: box.bottom - y };
    const most = side === "plots" ? 0.75 * box.height : widest * box.width;
    root.style.setProperty(`--${side}`, `${Math.min(most, Math.max(LEAST, sizes[side]))}px`);
  };
  edge.addEventListener("pointerdown", (event) => {
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener("pointermove", (event) => {
    if (edge.hasPointerCapture(event.pointerId)) place(event.clientX, event.clientY);
  });
  edge.addEventListener("keydown", (event) => {
    const [x, y] = ARROWS[event.key] ?? [0, 0];
    if ((side === "plots" ? y : x) === 0) return;
    const { left, top } = edge.getBoundingClientRect();
    place(left + STEP * x, top + STEP * y);
    event.preventDefault();
    event.stopPropagation();
  });
  return edge;
}

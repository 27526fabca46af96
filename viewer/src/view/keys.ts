// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Keys to actions; what is typed into fields is left alone.

export type Keymap = Record<string, (event: KeyboardEvent) => void>;

export function listenToKeys(keymap: Keymap, signal: AbortSignal): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) && event.key !== "Escape") return;
    if (["Enter", " "].includes(event.key) && reachedByKeys(event.target)) return press(event);
    const name = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const action = keymap[name];
    if (!action) return;
    event.preventDefault();
    action(event);
  }, { signal });
}

// an item reached with Tab takes Enter and space for itself; a clicked one leaves space to the animation
function reachedByKeys(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches("button, summary, input, [tabindex]") && target.matches(":focus-visible");
}

// rows of lists and tables are no buttons to the browser
function press(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (!target.hasAttribute("tabindex")) return;
  event.preventDefault();
  target.click();
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type === "search" || target.type === "text";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

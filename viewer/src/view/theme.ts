// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Light or dark: as the system has it until one chooses.
import type { Store, Theme } from "./state";

const SYSTEM = window.matchMedia("(prefers-color-scheme: dark)");

export const themeMode = (theme: Theme): "light" | "dark" => (theme === "auto" ? (SYSTEM.matches ? "dark" : "light") : theme);

/** Keep the page in the mode of the state and tell who draws by hand. */
export function watchTheme(store: Store, onMode: (mode: "light" | "dark") => void, signal: AbortSignal): void {
  const apply = (): void => {
    const mode = themeMode(store.state.theme);
    document.documentElement.dataset["theme"] = mode;
    onMode(mode);
  };
  store.on(["theme"], apply);
  SYSTEM.addEventListener("change", apply, { signal });
  apply();
}

export function switchTheme(store: Store): void {
  store.update({ theme: themeMode(store.state.theme) === "dark" ? "light" : "dark" });
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The bar at the top: what one looks at, what can be saved, light or dark.
import { h, replace } from "../view/dom";
import { icon, type Icon } from "../view/icons";
import { machineTitle, referenceRun, type Session } from "../view/session";

export interface BarActions {
  savePicture(): void;
  /** Begin or end a video. */
  record(): void;
  saveCsv(): void;
  copyLink(): void;
  switchTheme(): void;
  help(): void;
}

export class Bar {
  readonly element: HTMLElement;
  private readonly theme: HTMLButtonElement;
  private readonly video: HTMLButtonElement;

  constructor(session: Session, actions: BarActions) {
    const { header } = referenceRun(session);
    const several = session.runs.length > 1;
    const notes = several ? [`${session.runs.length} runs`] : [header.study, header.method, header.integrator].filter((note) => note && note !== "automatic");
    this.theme = this.button("theme", "moon", "Dark or light (D)", actions.switchTheme);
    this.video = this.button("save-video", "video", "Record a video, or end it (N)", actions.record);
    this.element = h(
      "header",
      { class: "bar" },
      h("span", { class: "brand" }, "Articula"),
      h("h1", {}, machineTitle(referenceRun(session))),
      ...notes.map((note) => h("span", { class: "tag" }, note)),
      h("span", { class: "space" }),
      this.button("save-picture", "image", "Save a picture (S)", actions.savePicture),
      this.video,
      this.button("save-csv", "table", "Save the curves of the active plot as CSV (E)", actions.saveCsv),
      this.button("copy-link", "link", "Copy a link to this view (K)", actions.copyLink),
      this.theme,
      this.button("open-help", "help", "Keys and mouse (?)", actions.help),
    );
  }

  showRecording(on: boolean): void {
    this.video.setAttribute("aria-pressed", String(on));
  }

  showTheme(mode: "light" | "dark"): void {
    replace(this.theme, icon(mode === "dark" ? "sun" : "moon"));
  }

  private button(id: string, sign: Icon, title: string, onclick: () => void): HTMLButtonElement {
    return h("button", { class: "tool", id, title, "aria-label": title, onclick: () => onclick() }, icon(sign));
  }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The bar below the scene: play, pause, step, loop, speed, scrub.
import { frameBefore } from "../data/search";
import { h, replace } from "../view/dom";
import { icon, type Icon } from "../view/icons";
import { SPEEDS, type Player } from "../view/player";
import { referenceRun, timeSpan, type Session } from "../view/session";

export class Transport {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, max: 1, step: "any", value: 0, id: "scrub", "aria-label": "Time" });
  private readonly clock = h("output", { class: "clock", id: "clock" });
  private readonly frame = h("output", { class: "frame-count" });
  private readonly speed = h("select", { id: "speed", title: "Speed (↑ ↓)", "aria-label": "Speed" });
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly live = h("span", { class: "badge live", hidden: true }, "live");
  private readonly lost = h("span", { class: "badge lost", hidden: true, title: "The program that served this page has ended. The rows read so far are still here." }, "no server");

  constructor(
    private readonly session: Session,
    private readonly player: Player,
  ) {
    this.playButton = this.button("play", "Play or pause (space)", () => player.toggle(), "play");
    this.loopButton = this.button("loop", "Loop (L)", () => session.store.update({ loop: !session.store.state.loop }), "loop");
    this.element = h(
      "div",
      { class: "transport", role: "toolbar", "aria-label": "Animation" },
      this.button("first", "To the start (Home)", () => player.seek(timeSpan(session)[0]), "first"),
      this.button("back", "One frame back (←)", () => player.step(-1), "back"),
      this.playButton,
      this.button("forward", "One frame on (→)", () => player.step(1), "forward"),
      this.button("last", "To the end (End)", () => player.seek(timeSpan(session)[1]), "last"),
      this.loopButton,
      this.clock,
      this.slider,
      this.frame,
      this.live,
      this.lost,
      this.speed,
    );
    this.fillSpeeds();
    this.slider.addEventListener("input", () => this.scrub());
    session.store.on(["playing", "loop", "speed"], () => this.showState());
    session.store.on(["time"], () => this.showTime());
    this.showState();
    this.showTime();
  }

  showTime(): void {
    const { time } = this.session.store.state;
    const [start, end] = timeSpan(this.session);
    const { times, source, store } = referenceRun(this.session);
    const share = (time - start) / (end - start);
    this.slider.value = String(share);
    this.slider.style.setProperty("--share", `${100 * share}%`);
    this.clock.textContent = this.timeText;
    this.frame.textContent = times.length > 0 ? `${frameBefore(times, time) + 1} / ${times.length}` : "";
    this.live.hidden = !source.live;
    this.lost.hidden = !store.failed;
  }

  /** The time as it is on the clock. */
  get timeText(): string {
    const [start, end] = timeSpan(this.session);
    return `${this.session.store.state.time.toFixed(timeDigits(end - start))} s`;
  }

  private showState(): void {
    const { playing, loop, speed } = this.session.store.state;
    replace(this.playButton, icon(playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-pressed", String(playing));
    this.loopButton.setAttribute("aria-pressed", String(loop));
    this.fillSpeeds();
    this.speed.value = String(speed);
  }

  private scrub(): void {
    const [start, end] = timeSpan(this.session);
    this.player.seek(start + Number(this.slider.value) * (end - start));
  }

  private fillSpeeds(): void {
    const { speed } = this.session.store.state;
    const speeds = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
    replace(this.speed, ...speeds.map((value) => h("option", { value }, `${value} ×`)));
    this.speed.onchange = () => this.session.store.update({ speed: Number(this.speed.value) });
  }

  private button(name: Icon, title: string, onclick: () => void, id: string): HTMLButtonElement {
    return h("button", { id, title, "aria-label": title, class: "tool", onclick }, icon(name));
  }
}

/** Decimals that let one see steps of about a thousandth of the run. */
export function timeDigits(span: number): number {
  return Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(span))));
}

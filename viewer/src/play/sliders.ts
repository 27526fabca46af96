// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A slider next to each parameter in the editor, which writes its number.
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { h } from "../view/dom";
import { parameterNumbers, written, type ParameterNumber } from "./parameters";

/** What happens with a slider: its drag begins, goes on, ends. */
export type Drag = "begins" | "moves" | "ends";

class SliderWidget extends WidgetType {
  constructor(
    private readonly number: ParameterNumber,
    private readonly onDrag: (drag: Drag) => void,
  ) {
    super();
  }

  override eq({ number }: SliderWidget): boolean {
    return number.name === this.number.name && number.value === this.number.value && number.range.join() === this.number.range.join();
  }

  override toDOM(view: EditorView): HTMLElement {
    const slider = h("input", { type: "range", class: "parameter-slider", step: "any" });
    this.fill(slider);
    slider.addEventListener("input", () => {
      const drag = slider.dataset["dragged"] ? "moves" : "begins";
      slider.dataset["dragged"] = "yes";
      write(view, slider);
      this.onDrag(drag);
    });
    slider.addEventListener("change", () => {
      delete slider.dataset["dragged"];
      this.onDrag("ends");
    });
    return slider;
  }

  // the element that is dragged stays, with the range that it had
  override updateDOM(slider: HTMLElement): boolean {
    if (slider.dataset["name"] !== this.number.name) return false;
    if (!slider.dataset["dragged"]) this.fill(slider as HTMLInputElement);
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  private fill(slider: HTMLInputElement): void {
    const { name, value, range } = this.number;
    slider.dataset["name"] = name;
    slider.min = String(range[0]);
    slider.max = String(range[1]);
    slider.value = String(value);
    slider.title = name;
    slider.setAttribute("aria-label", `Parameter ${name}`);
  }
}

// the number where it is now
function write(view: EditorView, slider: HTMLInputElement): void {
  const number = parameterNumbers(view.state.doc.toString()).find(({ name }) => name === slider.dataset["name"]);
  if (!number) return;
  const insert = written(Number(slider.value), [Number(slider.min), Number(slider.max)]);
  view.dispatch({ changes: { from: number.from, to: number.to, insert }, userEvent: "input.type.slider" });
}

export function parameterSliders(onDrag: (drag: Drag) => void) {
  const all = (view: EditorView): DecorationSet =>
    Decoration.set(parameterNumbers(view.state.doc.toString()).map((number) => Decoration.widget({ widget: new SliderWidget(number, onDrag), side: 1 }).range(number.place)));
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = all(view);
      }

      update({ docChanged, view }: ViewUpdate): void {
        if (docChanged) this.decorations = all(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The editor of the model file: completion by the schema, mistakes at their places, sliders of parameters.
import { autocompletion, closeBrackets, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { parameterSliders, type Drag } from "./sliders";
import { placeAtEnd, wordsAt, type Schema } from "./schema";

export interface Mistake {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

function complete(schema: Schema, context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w-]*/);
  if (!context.explicit && (!word || word.from === word.to)) return null;
  const from = word?.from ?? context.pos;
  const place = placeAtEnd(context.state.sliceDoc(0, from));
  const options = wordsAt(schema, place).map(({ label, info }) => ({ label, info, type: place.key === null ? "property" : "enum", ...(place.key === null ? { apply: `${label}: ` } : {}) }));
  return options.length > 0 ? { from, options, validFor: /^[\w-]*$/ } : null;
}

export class Editor {
  private readonly view: EditorView;

  constructor(parent: HTMLElement, private readonly schema: Schema, private readonly changed: () => void, private readonly run: () => void, private readonly drag: (drag: Drag) => void) {
    this.view = new EditorView({ parent, state: this.state("") });
  }

  private state(text: string): EditorState {
    const extensions = [
      lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
      yaml(), indentUnit.of("  "), syntaxHighlighting(classHighlighter),
      autocompletion({ override: [(context) => complete(this.schema, context)] }),
      keymap.of([{ key: "Mod-Enter", run: () => (this.run(), true) }, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => update.docChanged && this.changed()),
      EditorView.lineWrapping, parameterSliders(this.drag),
      EditorView.contentAttributes.of({ "aria-label": "Model file" }),
    ];
    return EditorState.create({ doc: text, extensions });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.setState(this.state(text));
    this.changed();
  }

  /** Underline mistakes of this file from their places to the end of the words there. */
  show(mistakes: Mistake[]): void {
    const { doc } = this.view.state;
    const placed = mistakes.filter(({ line }) => line && line <= doc.lines).map(({ message, line, column }) => {
      const row = doc.line(line!);
      const from = Math.min(row.to, row.from + Math.max(0, (column ?? 1) - 1));
      const length = /^[^\s,{}[\]]*/.exec(row.text.slice(from - row.from))![0].length;
      return { from, to: Math.min(row.to, from + Math.max(1, length)), severity: "error" as const, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, placed.sort((a, b) => a.from - b.from)));
  }

  goTo(line: number, column: number): void {
    const row = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: Math.min(row.to, row.from + column - 1) }, scrollIntoView: true });
    this.view.focus();
  }
}

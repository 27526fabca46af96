// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Texts of the page can be read: contrasts of at least 4.5 to 1, in light and dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const style = readFileSync("src/style.css", "utf8");

/** Colours by name, of the rule that begins so. */
function coloursOf(rule: string): Map<string, string> {
  const from = style.indexOf(rule);
  const text = style.slice(from, style.indexOf("}", from));
  return new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]));
}

// relative luminance as WCAG 2 has it
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

for (const [theme, rule] of [["light", ":root {"], ["dark", ':root[data-theme="dark"] {']]) {
  test(`texts can be read in ${theme}`, () => {
    const colours = coloursOf(rule);
    const pairs = ["text", "text-soft", "text-faint", "accent"].flatMap((text) => ["page", "panel", "raised"].map((back) => [text, back]));
    for (const [text, back] of [...pairs, ["accent-text", "accent"], ["good", "good-back"], ["bad", "bad-back"], ["text", "pressed"], ["text", "mark"]]) {
      const ratio = contrast(colours.get(text)!, colours.get(back)!);
      assert.ok(ratio >= 4.5, `${text} on ${back}: ${ratio.toFixed(2)}`);
    }
  });
}

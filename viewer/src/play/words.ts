// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A line of options as a shell would split it: spaces part words, quotes keep them together.

export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"']|"[^"]*"|'[^']*')+)/g)].map((m) => m[1] ?? m[2] ?? m[3].replace(/["']/g, ""));
}

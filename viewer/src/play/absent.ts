// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a model asks for what a page has not: compiled equations, and libraries in C++.

const ASKED: [said: RegExp, asks: RegExp][] = [
  [/method generated/, /\bmethod:\s*generated\b/],
  [/no umfpack/, /\bredundant:\s*umfpack\b/],
  [/no spqr/, /\bredundant:\s*spqr\b/],
];

/** The place in the text that a message without one speaks of, or null. */
export function askedAt(message: string, text: string): { line: number; column: number } | null {
  const asks = ASKED.find(([said]) => said.test(message))?.[1];
  const at = asks ? text.search(asks) : -1;
  if (at < 0) return null;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before[before.length - 1].length + 1 };
}

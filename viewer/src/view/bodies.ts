// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which bodies are drawn: hidden, alone, or so that one looks through them.
import { referenceRun, type Session } from "./session";
import { toggled } from "./state";

/** Hide bodies; show them where all of them are hidden already. */
export function hide({ store }: Session, bodies: ReadonlySet<number>): void {
  const { hiddenBodies } = store.state;
  store.update({ hiddenBodies: switched(hiddenBodies, bodies) });
}

/** Look through bodies, or no longer. */
export function lookThrough({ store }: Session, bodies: ReadonlySet<number>): void {
  const { clearBodies } = store.state;
  store.update({ clearBodies: switched(clearBodies, bodies) });
}

/** Hide all others; show them again where these stand alone already. */
export function isolate(session: Session, bodies: ReadonlySet<number>): void {
  const { store } = session;
  const others = new Set([...referenceRun(session).header.bodies.keys()].filter((body) => !bodies.has(body)));
  const { hiddenBodies } = store.state;
  const isAlone = hiddenBodies.size === others.size && [...others].every((body) => hiddenBodies.has(body));
  store.update({ hiddenBodies: isAlone ? new Set() : others });
}

export function showAll({ store }: Session): void {
  store.update({ hiddenBodies: new Set(), clearBodies: new Set() });
}

function switched(set: ReadonlySet<number>, bodies: ReadonlySet<number>): ReadonlySet<number> {
  const all = [...bodies].every((body) => set.has(body));
  return [...bodies].reduce((next, body) => (next.has(body) === all ? toggled(next, body) : next), set);
}

/** Automata of texts that are listed: one state for each beginning. */
import { AutomatonLimitError, type Automaton } from "./automaton.ts";
import { anyCodePoint, complement, intersection, union } from "./code-points.ts";

/** Characters that the texts begin with in different ways. */
const mostBeginnings = 50_000;

interface Beginning {
  isText: boolean;
  /** By code point. */
  readonly next: Map<number, number>;
}

function beginningsOf(texts: readonly string[]): readonly Beginning[] {
  const all: Beginning[] = [{ isText: false, next: new Map() }];
  for (const text of texts) {
    let here = all[0];
    for (const character of text) {
      const point = character.codePointAt(0) ?? 0;
      const at = here?.next.get(point) ?? all.push({ isText: false, next: new Map() }) - 1;
      if (all.length > mostBeginnings)
        throw new AutomatonLimitError(`its texts have more than ${String(mostBeginnings)} characters`);
      here?.next.set(point, at);
      here = all[at];
    }
    if (here !== undefined) here.isText = true;
  }
  return all;
}

/** These texts and no others. @throws AutomatonLimitError */
export function textsAutomaton(texts: readonly string[]): Automaton {
  if (texts.length === 0) return [];
  return beginningsOf(texts).map(({ isText, next }) => ({
    accepts: isText,
    moves: [...next].map(([point, to]) => ({ on: [point, point], to })),
  }));
}

/** Every text but these. @throws AutomatonLimitError */
export function textsBut(texts: readonly string[]): Automaton {
  const beginnings = beginningsOf(texts);
  const other = beginnings.length;
  return [
    ...beginnings.map(({ isText, next }) => {
      const rest = intersection(complement(union(...[...next.keys()].map((point) => [point, point]))), anyCodePoint);
      return {
        accepts: !isText,
        moves: [...[...next].map(([point, to]) => ({ on: [point, point], to })), { on: rest, to: other }],
      };
    }),
    { accepts: true, moves: [{ on: anyCodePoint, to: other }] },
  ];
}

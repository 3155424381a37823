/** Languages of texts as deterministic automata: what patterns, lengths and formats allow together, exactly. */
import { spend } from "../work-budget.ts";
import { anyCodePoint, hasCodePoint, lastCodePoint, rangesOf, union, type CodePoints } from "./code-points.ts";

export interface State {
  /** Whether a text may end here. */
  readonly accepts: boolean;
  /** Where a character leads; the sets do not overlap. A character in none of them ends nowhere. */
  readonly moves: readonly Move[];
}
export interface Move {
  readonly on: CodePoints;
  readonly to: number;
}
/** A text begins in state 0. There is a way from every state to the end of a text; no states: no text at all. */
export type Automaton = readonly State[];

/** The automaton of a pattern, or what two have in common, would be too large. */
export class AutomatonLimitError extends Error {
  override readonly name = "AutomatonLimitError";
}

const mostStates = 20_000;
/** Ways that are looked at while one is made; takes some 0.2 s. */
const mostSteps = 400_000;

/** How to find the states that can be reached. A key says where one is; a target is a number that means something to it. */
interface Exploration<Key> {
  /** Whether a text may end here, and where ranges of characters lead. They may overlap: one leads to all of its targets. */
  look(key: Key): { accepts: boolean; ranges: readonly Range[] };
  nameOf(key: Key): string;
  /** Where several targets at once are; undefined leads nowhere. */
  next(targets: readonly number[]): Key | undefined;
}
type Range = readonly [first: number, last: number, target: number];

/** @throws AutomatonLimitError */
export function explore<Key>(start: Key, by: Exploration<Key>): Automaton {
  const keys = [start];
  const numbers = new Map([[by.nameOf(start), 0]]);
  const states: State[] = [];
  let steps = 0;
  function numberOf(key: Key): number {
    const name = by.nameOf(key);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    if (keys.length >= mostStates) throw new AutomatonLimitError(`it needs more than ${String(mostStates)} states`);
    numbers.set(name, keys.length);
    return keys.push(key) - 1;
  }
  for (const key of keys) {
    const { accepts, ranges } = by.look(key);
    const sets = new Map<number, number[]>();
    const before = steps;
    steps += ranges.length;
    for (const { first, last, targets } of apart(ranges)) {
      steps += targets.length + 1;
      if (steps > mostSteps) throw new AutomatonLimitError("it can be read in too many ways");
      const to = by.next(targets);
      if (to === undefined) continue;
      const number = numberOf(to);
      sets.set(number, [...(sets.get(number) ?? []), first, last]);
    }
    spend(steps - before);
    states.push({ accepts, moves: [...sets].map(([to, set]) => ({ to, on: union(set) })) });
  }
  return trimmed(states);
}

/** The same ranges, cut where others begin and end, each with all of its targets. */
function apart(ranges: readonly Range[]): { first: number; last: number; targets: number[] }[] {
  const begins = Map.groupBy(ranges, ([first]) => first);
  const ends = Map.groupBy(ranges, ([, last]) => last + 1);
  const cuts = [...new Set([...begins.keys(), ...ends.keys()])].sort((a, b) => a - b);
  const open = new Map<number, number>();
  const pieces: { first: number; last: number; targets: number[] }[] = [];
  for (const [at, cut] of cuts.entries()) {
    for (const [, , target] of ends.get(cut) ?? []) {
      const count = (open.get(target) ?? 0) - 1;
      if (count === 0) open.delete(target);
      else open.set(target, count);
    }
    for (const [, , target] of begins.get(cut) ?? []) open.set(target, (open.get(target) ?? 0) + 1);
    if (open.size > 0)
      pieces.push({ first: cut, last: (cuts[at + 1] ?? lastCodePoint + 1) - 1, targets: [...open.keys()] });
  }
  return pieces;
}

/** Only the states from which a text can end. */
function trimmed(states: readonly State[]): Automaton {
  const sources = predecessorsOf(states);
  const alive = new Set(states.flatMap(({ accepts }, at) => (accepts ? [at] : [])));
  for (const at of alive) for (const from of sources[at] ?? []) alive.add(from);
  if (!alive.has(0)) return [];
  const order = [...alive].sort((a, b) => a - b);
  const numbers = new Map(order.map((old, at) => [old, at]));
  return order.map((old) => {
    const { accepts = false, moves = [] } = states[old] ?? {};
    return {
      accepts,
      moves: moves.flatMap(({ on, to }) => (alive.has(to) ? [{ on, to: numbers.get(to) ?? 0 }] : [])),
    };
  });
}

/** The states that lead to each state. */
export function predecessorsOf(states: readonly State[]): number[][] {
  const sources = states.map((): number[] => []);
  for (const [from, { moves }] of states.entries()) for (const { to } of moves) sources[to]?.push(from);
  return sources;
}

const nowhere = -1;

/**
 * The texts for which `accepts` says so, told of each automaton whether it takes them.
 * @throws AutomatonLimitError
 */
export function combine(automata: readonly Automaton[], accepts: (taken: readonly boolean[]) => boolean): Automaton {
  /** The states of all automata have numbers one behind the other. */
  const owners = automata.flatMap((automaton, which) => automaton.map(() => which));
  const starts = automata.map((_, which) => automata.slice(0, which).reduce((sum, { length }) => sum + length, 0));
  const states = automata.flat();
  const takesRest = accepts(automata.map(() => false));
  const rest: readonly Range[] = takesRest ? rangesOf(anyCodePoint).map(([first, last]) => [first, last, nowhere]) : [];
  return explore<readonly number[]>(
    automata.map(({ length }, which) => (length === 0 ? nowhere : (starts[which] ?? nowhere))),
    {
      look: (key) => ({
        accepts: accepts(key.map((at) => states[at]?.accepts === true)),
        ranges: [
          ...rest,
          ...key.flatMap((at, which) =>
            (states[at]?.moves ?? []).flatMap(({ on, to }) =>
              rangesOf(on).map(([first, last]) => [first, last, (starts[which] ?? 0) + to] as const),
            ),
          ),
        ],
      }),
      nameOf: (key) => key.join(),
      next(targets) {
        const key = automata.map(() => nowhere);
        for (const target of targets) if (target !== nowhere) key[owners[target] ?? 0] = target;
        return takesRest || key.some((at) => at !== nowhere) ? key : undefined;
      },
    },
  );
}

/** The texts that all of these take. @throws AutomatonLimitError */
export const intersectionOf = (automata: readonly Automaton[]): Automaton =>
  automata.length === 1 ? (automata[0] ?? []) : combine(automata, (taken) => taken.every(Boolean));
/** Those of the first that the other does not take. @throws AutomatonLimitError */
export const differenceOf = (a: Automaton, b: Automaton): Automaton =>
  combine([a, b], ([inA, inB]) => inA === true && !inB);

/** Texts of these characters, so many of them. */
export function lengths(least: number, most: number | undefined, character: CodePoints): Automaton {
  const last = most ?? least;
  return Array.from({ length: last + 1 }, (_, at) => ({
    accepts: at >= least,
    moves: at < last ? [{ on: character, to: at + 1 }] : most === undefined ? [{ on: character, to: at }] : [],
  }));
}

export const anyText = lengths(0, undefined, anyCodePoint);

/** Characters of the longest text; undefined where there is none. */
export function longestOf(automaton: Automaton): number | undefined {
  const left = automaton.map(() => 0);
  for (const { moves } of automaton) for (const { to } of moves) left[to] = (left[to] ?? 0) + 1;
  const lengths = automaton.map(() => 0);
  const order = left.flatMap((count, at) => (count === 0 ? [at] : []));
  for (const at of order)
    for (const { to } of automaton[at]?.moves ?? []) {
      lengths[to] = Math.max(lengths[to] ?? 0, (lengths[at] ?? 0) + 1);
      left[to] = (left[to] ?? 0) - 1;
      if (left[to] === 0) order.push(to);
    }
  // States behind a circle are never reached.
  return order.length === automaton.length ? Math.max(0, ...lengths) : undefined;
}

/** Characters of the shortest text; Infinity where there is none. */
export function shortestOf(automaton: Automaton): number {
  const lengths = new Map(automaton.length === 0 ? [] : [[0, 0]]);
  for (const [at, length] of lengths) {
    const { accepts = false, moves = [] } = automaton[at] ?? {};
    if (accepts) return length;
    for (const { to } of moves) if (!lengths.has(to)) lengths.set(to, length + 1);
  }
  return Infinity;
}

/** How long texts may be for no more than so many states once an automaton counts their characters, too. */
export function longestWithin(automaton: Automaton, mostStates: number): number {
  let reached = new Set(automaton.length === 0 ? [] : [0]);
  let states = 0;
  for (let length = 0; reached.size > 0; length++) {
    states += reached.size;
    if (states > mostStates) return length - 1;
    reached = new Set([...reached].flatMap((at) => (automaton[at]?.moves ?? []).map(({ to }) => to)));
  }
  return Infinity;
}

/** Where an automaton only counts characters of one set: the set, and how many there may be. */
export function countedSetOf(
  automaton: Automaton,
): { readonly set: CodePoints; readonly least: number; readonly most: number | undefined } | undefined {
  const set = automaton[0]?.moves[0]?.on;
  if (set === undefined) return undefined;
  const least = automaton.findIndex(({ accepts }) => accepts);
  const last = automaton.length - 1;
  const isRow = automaton.every(({ accepts, moves: [move, ...others] }, at) => {
    if (accepts !== at >= least || others.length > 0) return false;
    if (move === undefined) return at === last;
    return (move.to === at + 1 || (at === last && move.to === last)) && move.on.join() === set.join();
  });
  return isRow ? { set, least, most: automaton[last]?.moves.length === 0 ? last : undefined } : undefined;
}

/** A character takes some 0.1 µs. */
const charactersOfStep = 10;

export function takes(automaton: Automaton, text: string): boolean {
  spend(text.length / charactersOfStep);
  let state = automaton[0];
  for (const character of text) {
    const move = state?.moves.find(({ on }) => hasCodePoint(on, character.codePointAt(0) ?? 0));
    if (move === undefined) return false;
    state = automaton[move.to];
  }
  return state?.accepts === true;
}

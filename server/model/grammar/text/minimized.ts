import { predecessorsOf, type Automaton, type Move, type State } from "./automaton.ts";
import { union, type CodePoints } from "./code-points.ts";

/** The characters of all these moves. */
const allOf = (moves: readonly Move[]): CodePoints =>
  moves.length === 1 && moves[0] !== undefined ? moves[0].on : union(...moves.map(({ on }) => on));

/** The same texts with as few states as it takes. Its time grows with the square of the states. */
export function minimized(automaton: Automaton): Automaton {
  const sources = predecessorsOf(automaton);
  /** States of different kinds are told apart. */
  const kinds: number[] = automaton.map(({ accepts }) => (accepts ? 1 : 0));
  let count = 2;
  /** The signature of each state, by the kinds known so far. */
  const signs = automaton.map(() => "");
  const setNames = new WeakMap<CodePoints, string>();
  function nameOf(set: CodePoints): string {
    const name = setNames.get(set) ?? set.join();
    setNames.set(set, name);
    return name;
  }
  const movesByKind = ({ moves }: State) =>
    [...Map.groupBy(moves, ({ to }) => kinds[to] ?? 0)].sort(([a], [b]) => a - b);
  const signOf = (state: State) =>
    movesByKind(state)
      .map(([to, all]) => `${String(to)}:${nameOf(allOf(all))}`)
      .join(" ");

  for (let stale = new Set(automaton.keys()); stale.size > 0;) {
    for (const at of stale) signs[at] = signOf(automaton[at] ?? { accepts: false, moves: [] });
    const touched = new Set([...stale].map((at) => kinds[at]));
    const states = [...automaton.keys()].filter((at) => touched.has(kinds[at]));
    const changed: number[] = [];
    for (const alike of Map.groupBy(states, (at) => kinds[at]).values()) {
      const [, ...others] = [...Map.groupBy(alike, (at) => signs[at]).values()].sort((a, b) => b.length - a.length);
      for (const group of others) {
        for (const at of group) kinds[at] = count;
        changed.push(...group);
        count++;
      }
    }
    stale = new Set(changed.flatMap((at) => sources[at] ?? []));
  }
  const firsts = new Map<number, State>();
  for (const [at, state] of automaton.entries()) if (!firsts.has(kinds[at] ?? 0)) firsts.set(kinds[at] ?? 0, state);
  const numbers = new Map([...firsts.keys()].map((kind, at) => [kind, at]));
  return [...firsts.values()].map((state) => ({
    accepts: state.accepts,
    moves: movesByKind(state).map(([kind, all]) => ({ to: numbers.get(kind) ?? 0, on: allOf(all) })),
  }));
}

/** Places in a pattern that is being made into an automaton, from its end to its beginning: each knows what may follow. */
import { explore, type Automaton, type Move } from "./automaton.ts";
import { anyCodePoint, rangesOf, type CodePoints } from "./code-points.ts";

export interface Places {
  /** A place from which one may go on at any of these without a character. */
  either(next: readonly number[]): number;
  /** A place from which one of these characters leads on. */
  on(set: CodePoints, next: number): number;
  /** A place behind which a text may end and nothing follows. */
  end(): number;
  /** `body` gets the place that it makes, and may lead back to it; one may also go on at `next`. */
  loop(next: number | undefined, body: (start: number) => number): number;
  /** Where these texts begin; an automaton as a part. */
  embed(automaton: Automaton): number;
  /** The automaton of the texts that may follow a place. @throws AutomatonLimitError */
  automatonFrom(start: number): Automaton;
}

/** Places in a pattern, each repetition counted. */
const mostPlaces = 50_000;

interface Place {
  readonly accepts: boolean;
  readonly free: number[];
  readonly moves: Move[];
}

export function createPlaces(): Places {
  const places: Place[] = [];

  function add({ accepts = false, free = [], moves = [] }: Partial<Place>): number {
    if (places.length >= mostPlaces) throw new Error(`it stands for more than ${String(mostPlaces)} characters`);
    return places.push({ accepts, free, moves }) - 1;
  }
  function reached(from: readonly number[]): readonly number[] {
    const all = new Set(from);
    for (const at of all) for (const to of places[at]?.free ?? []) all.add(to);
    return [...all].sort((a, b) => a - b);
  }

  return {
    either: (next) => add({ free: [...next] }),
    on: (set, next) => add({ moves: [{ on: set, to: next }] }),
    end: () => add({ accepts: true }),
    loop(next, body) {
      const start = add({ free: next === undefined ? [] : [next] });
      const first = body(start);
      places[start]?.free.push(first);
      return start;
    },
    embed(automaton) {
      const first = places.length;
      for (const { accepts } of automaton) add({ accepts });
      for (const [at, { moves }] of automaton.entries())
        places[first + at]?.moves.push(...moves.map(({ on, to }) => ({ on, to: first + to })));
      return automaton.length === 0 ? add({}) : first;
    },
    automatonFrom: (start) =>
      explore<readonly number[]>(reached([start]), {
        look(key) {
          const here = key.flatMap((at) => places[at] ?? []);
          const ranges = here.flatMap(({ moves }) =>
            moves.flatMap(({ on, to }) => rangesOf(on).map(([first, last]) => [first, last, to] as const)),
          );
          return { accepts: here.some(({ accepts }) => accepts), ranges };
        },
        nameOf: (key) => key.join(),
        next: (targets) => reached(targets),
      }),
  };
}

/** Any characters, then the end. */
export const anyEnd = (places: Places): number => places.loop(places.end(), (start) => places.on(anyCodePoint, start));

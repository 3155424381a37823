/** Automata of patterns and formats. The newest are kept: schemas come again with every request. */
import type { Automaton } from "./automaton.ts";
import { minimized } from "./minimized.ts";
import { patternAutomaton } from "./pattern-automaton.ts";
import { formatPattern } from "./string-formats.ts";

const mostKept = 100;
/** In states: what is larger is made anew. */
const largestKept = 2000;
/** In states, too: larger ones take longer to make smaller than that saves. */
const mostMinimized = 500;
const kept = new Map<string, Automaton>();

/** The texts in which the pattern is found. @throws Error that says what cannot be expressed */
export function patternOf(pattern: string): Automaton {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const exact = patternAutomaton(pattern);
  const made = exact.length > mostMinimized ? exact : minimized(exact);
  if (made.length > largestKept) return made;
  const [oldest = ""] = kept.keys();
  if (kept.size >= mostKept) kept.delete(oldest);
  kept.set(pattern, made);
  return made;
}

/** The texts of a format; undefined for one that says nothing of its texts. */
export function formatAutomaton(format: unknown): Automaton | undefined {
  const pattern = formatPattern(format);
  return pattern === undefined ? undefined : patternOf(pattern);
}

/** Automata as rules of a grammar: a rule for each state to which several lead, all others in a row. */
import { oneOf, times, type GrammarRules } from "../grammar-rules.ts";
import type { Automaton, Move } from "./automaton.ts";
import { complement, intersection, rangesOf, union, type CodePoints } from "./code-points.ts";

/** A repetition of more is more than the engine takes. */
const longestRow = 1000;

/** How texts are written: in JSON between quotes, or as they are, where markup that begins with "<" ends them. */
export type Writing = "json" | "plain";

function hexadecimal(point: number): string {
  const digits = point.toString(16);
  if (point < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return point < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
const inBrackets = (point: number) =>
  (point >= 0x30 && point <= 0x39) || (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a)
    ? String.fromCharCode(point)
    : hexadecimal(point);
const brackets = (set: CodePoints) =>
  `[${rangesOf(set)
    .map(([first, last]) => (first === last ? inBrackets(first) : `${inBrackets(first)}-${inBrackets(last)}`))
    .join("")}]`;

/** In JSON: characters that are written as two, and those that are written by their numbers. */
const escaped: CodePoints = [0x08, 0x0a, 0x0c, 0x0d, 0x22, 0x22, 0x5c, 0x5c];
const shortEscapes = new Map([...'\b\t\n\f\r"\\'].map((one) => [one.charCodeAt(0), JSON.stringify(one).charAt(2)]));
const byNumber: CodePoints = [0x00, 0x07, 0x0b, 0x0b, 0x0e, 0x1f];
const plainInJson = complement([0x00, 0x1f, 0x22, 0x22, 0x5c, 0x5c]);
/** The set of the digits, as characters. */
const hexDigits = (digits: readonly number[]) => `[${digits.map((digit) => digit.toString(16)).join("")}]`;

function escapesOf(set: CodePoints): string[] {
  const points = rangesOf(set).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  const short = points.flatMap((point) => shortEscapes.get(point) ?? []);
  const numbers = Map.groupBy(
    points.filter((point) => !shortEscapes.has(point)),
    (point) => point >> 4,
  );
  return [
    ...(short.length === 0 ? [] : [`[${short.map((one) => hexadecimal(one.charCodeAt(0))).join("")}]`]),
    ...[...numbers].map(([high, low]) => `"u00${String(high)}" ${hexDigits(low.map((point) => point & 15))}`),
  ];
}

const special = union(escaped, byNumber);
/** Most sets have all of them. */
const allEscapes = escapesOf(special);

/** Bodies of more characters become a rule of their own. */
const longestInPlace = 40;

/** The body of a rule for one of these characters. */
export function characterBody(set: CodePoints, rules: GrammarRules, writing: Writing): string {
  if (writing === "plain") return brackets(set);
  const plain = intersection(set, plainInJson);
  const found = intersection(set, special);
  const escapes = found.join() === special.join() ? allEscapes : escapesOf(found);
  const bodies = [
    ...(plain.length === 0 ? [] : [brackets(plain)]),
    ...(escapes.length === 0 ? [] : [`("\\\\" ${oneOf(escapes)})`]),
  ];
  const body = bodies.join(" | ");
  if (body.length > longestInPlace) return rules.once(`one of ${body}`, "character", () => body);
  return bodies.length === 1 ? body : `(${body})`;
}

/**
 * The body of a rule for the texts of an automaton that has some.
 * @throws GrammarLimitError
 */
export function automatonBody(automaton: Automaton, rules: GrammarRules, writing: Writing = "json"): string {
  const sources = automaton.map(() => 0);
  for (const { moves } of automaton) for (const { to } of moves) sources[to] = (sources[to] ?? 0) + 1;
  const names = new Map<number, string>();

  const bodies = new Map<string, string>();
  function bodyFor(set: CodePoints): string {
    const body = bodies.get(set.join()) ?? characterBody(set, rules, writing);
    bodies.set(set.join(), body);
    return body;
  }
  /** Characters in a row, up to where a text may end or several ways lead on. */
  function chain(first: Move): string {
    const parts: [body: string, count: number][] = [];
    for (let move = first; ;) {
      const body = bodyFor(move.on);
      const last = parts.at(-1);
      if (last?.[0] === body && last[1] < longestRow) last[1]++;
      else parts.push([body, 1]);
      const { accepts = true, moves = [] } = automaton[move.to] ?? {};
      const [next] = moves;
      if (next === undefined || moves.length > 1 || accepts || sources[move.to] !== 1 || move.to === 0)
        return `${parts.map(([one, count]) => times(one, count, count)).join(" ")}${follow(move.to)}`;
      move = next;
    }
  }
  const follow = (at: number) => ((automaton[at]?.moves.length ?? 0) === 0 ? "" : ` ${nameOf(at)}`);
  const pending: number[] = [];
  function nameOf(at: number): string {
    const known = names.get(at);
    if (known !== undefined) return known;
    const name = rules.reserve("text");
    names.set(at, name);
    pending.push(at);
    return name;
  }
  const bodyOf = (at: number) => {
    const { accepts = false, moves = [] } = automaton[at] ?? {};
    return [...(accepts ? ['""'] : []), ...moves.map(chain)].join(" | ");
  };
  const root = nameOf(0);
  for (const at of pending) rules.fill(names.get(at) ?? "", bodyOf(at));
  return root;
}

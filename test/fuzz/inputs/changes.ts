/** Good inputs, changed as strangers change them: cut off, repeated, nested deep, with other characters in them. */
import fc from "fast-check";
import { anyBytes, anyText } from "./texts.ts";

/** No input is longer. */
const longest = 256 * 1024;

type Change = (text: string) => string;

/** A place in a text of any length. */
const anyPlace = fc.nat({ max: 0xffff_ffff });
const placeIn = (text: string, place: number) => place % (text.length + 1);
const within = (text: string, some: number, other: number) =>
  [placeIn(text, some), placeIn(text, other)].sort((a, b) => a - b) as [number, number];

/** So often; seldom so often that the text becomes as long as it may. */
const anyNumberOfTimes = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 2, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60, max: 5_000 }) },
  { weight: 1, arbitrary: fc.constant(longest) },
);
const timesIn = (text: string, piece: string, times: number) =>
  Math.max(0, Math.min(times, Math.floor((longest - text.length) / Math.max(1, piece.length))));

const anywhere = (what: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(anyPlace, anyPlace, what, fc.boolean()).map(([at, end, piece, replaces]): Change => (text) => {
    const [from, to] = within(text, at, end);
    return text.slice(0, from) + piece + text.slice(replaces ? Math.min(to, from + piece.length) : from);
  });

const cut: fc.Arbitrary<Change> = fc.tuple(anyPlace, anyPlace, fc.boolean()).map(([at, end, isEnd]) => (text) => {
  const [from, to] = within(text, at, end);
  return isEnd ? text.slice(0, to) : text.slice(0, from) + text.slice(to);
});
const swapped: fc.Arbitrary<Change> = fc.tuple(anyPlace, anyPlace, fc.nat(12)).map(([at, end, length]) => (text) => {
  const [from, to] = within(text, at, end);
  const size = Math.min(length, to - from);
  const [first, second] = [text.slice(from, from + size), text.slice(to, to + size)];
  return text.slice(0, from) + second + text.slice(from + size, to) + first + text.slice(to + size);
});
const flipped: fc.Arbitrary<Change> = fc.tuple(anyPlace, fc.nat(7)).map(([at, bit]) => (text) => {
  const place = placeIn(text, at);
  const code = String.fromCharCode((text.charCodeAt(place) || 0) ^ (1 << bit));
  return text.slice(0, place) + code + text.slice(place + 1);
});
const repeated: fc.Arbitrary<Change> = fc
  .tuple(anyPlace, fc.integer({ min: 1, max: 40 }), anyNumberOfTimes)
  .map(([at, length, times]) => (text) => {
    const place = placeIn(text, at);
    const piece = text.slice(place, place + length);
    return text.slice(0, place) + piece.repeat(timesIn(text, piece, times)) + text.slice(place);
  });

/** Opens what is then not closed, or closed as often. */
const nested = (brackets: readonly (readonly [open: string, close: string])[]): fc.Arbitrary<Change> =>
  fc
    .tuple(fc.constantFrom(...brackets), anyPlace, anyNumberOfTimes, fc.boolean())
    .map(([[open, close], at, times, isClosed]) => (text) => {
      const place = placeIn(text, at);
      const count = timesIn(text, open + close, times);
      return text.slice(0, place) + open.repeat(count) + text.slice(place) + (isClosed ? close.repeat(count) : "");
    });

interface Manner {
  /** Words of the language that the inputs are written in. */
  readonly words?: readonly string[];
  readonly brackets?: readonly (readonly [open: string, close: string])[];
}

const usualBrackets = [
  ["[", "]"],
  ['{"a":', "}"],
  ["<a>", "</a>"],
  ["(", ")"],
] as const;

/** Texts like these, with some changes, or none. */
export function changed(texts: fc.Arbitrary<string>, { words = [], brackets = usualBrackets }: Manner = {}) {
  const change = fc.oneof(
    { weight: 3, arbitrary: cut },
    { weight: 2, arbitrary: swapped },
    { weight: 2, arbitrary: flipped },
    { weight: 3, arbitrary: repeated },
    { weight: 1, arbitrary: nested(brackets) },
    { weight: 2, arbitrary: anywhere(anyText) },
    { weight: 1, arbitrary: anywhere(anyBytes) },
    ...(words.length === 0 ? [] : [{ weight: 6, arbitrary: anywhere(fc.constantFrom(...words)) }]),
  );
  return fc
    .tuple(texts, fc.array(change, { maxLength: 4 }))
    .map(([text, changes]) => changes.reduce((so, next) => next(so), text).slice(0, longest));
}

/** The same for bytes. */
export const changedBytes = (bytes: fc.Arbitrary<Buffer>, manner?: Manner): fc.Arbitrary<Buffer> =>
  changed(
    bytes.map((one) => one.toString("latin1")),
    manner,
  ).map((text) => Buffer.from(text, "latin1"));

/** Values that a member may not be expected to have. */
const oddValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, "", [], {}, [[]], [null], [{}], {} as unknown) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, -1, 1, 2, 0.5, -0, 1e9, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324),
  },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: anyNumberOfTimes.map((times) => "x".repeat(times)) },
  { weight: 1, arbitrary: anyNumberOfTimes.map((times) => Array.from({ length: Math.min(times, 20_000) }, () => 0)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 300 }).map((depth) => {
      let value: unknown = {};
      for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { items: value };
      return value;
    }),
  },
);

type Place = readonly [holder: Record<string, unknown>, name: string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name): Place[] => [[holder, name], ...placesIn(holder[name])]);
}

type ValueChange = (root: { value: unknown }) => void;

/** JSON values like these, with some members changed, moved, added or left out. `names`: those that readers know. */
export function changedJson(values: fc.Arbitrary<unknown>, names: readonly string[]): fc.Arbitrary<unknown> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "", "0", "length", "$ref") },
    { weight: 1, arbitrary: anyText },
  );
  const at = (root: { value: unknown }, place: number): Place => {
    const places = placesIn(root);
    return places[place % places.length] as Place;
  };
  const set = (holder: Record<string, unknown>, key: string, value: unknown) => {
    if (Array.isArray(holder) && key === "length") return;
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  };
  const change = fc.oneof(
    fc.tuple(anyPlace, oddValue).map(([place, value]): ValueChange => (root) => {
      const [holder, key] = at(root, place);
      set(holder, key, structuredClone(value));
    }),
    fc.tuple(anyPlace, name, oddValue).map(([place, key, value]): ValueChange => (root) => {
      const [holder, held] = at(root, place);
      const inside = holder[held];
      set(
        typeof inside === "object" && inside !== null ? (inside as Record<string, unknown>) : holder,
        key,
        structuredClone(value),
      );
    }),
    fc.tuple(anyPlace, anyPlace, name).map(([from, to, key]): ValueChange => (root) => {
      const [source, held] = at(root, from);
      const copy: unknown = structuredClone(source[held]);
      const [holder, other] = at(root, to);
      const inside = holder[other];
      if (typeof inside === "object" && inside !== null) set(inside as Record<string, unknown>, key, copy);
      else set(holder, other, copy);
    }),
    anyPlace.map((place): ValueChange => (root) => {
      const [holder, key] = at(root, place);
      if (holder !== root) Reflect.deleteProperty(holder, key);
    }),
  );
  return fc.tuple(values, fc.array(change, { maxLength: 4 })).map(([value, changes]) => {
    const root = { value: structuredClone(value) };
    for (const one of changes) one(root);
    return root.value;
  });
}

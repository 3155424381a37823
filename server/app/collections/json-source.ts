/**
 * Parses JSON from a person's file with the place of every member, so that any problem can be reported by line and
 * column. JSON.parse gives no place for most syntax errors, and none for later checks.
 */

/** Counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A problem in a person's file, with its place. The message says how to solve it. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly place: TextPlace;
  constructor(message: string, place: TextPlace) {
    super(message);
    this.place = place;
  }
}

export interface JsonSource {
  readonly value: unknown;
  /** The place of a member (its name) or an item; for a missing one, that of the nearest parent. */
  placeOf(path: readonly PropertyKey[]): TextPlace;
}

const maxDepth = 128;
const blank = /[ \t\n\r]*/y;
const stringToken = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y; // oxlint-disable-line no-control-regex -- as RFC 8259 says
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordToken = /true|false|null/y;

function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** @throws FileProblem for invalid JSON, a repeated name, or too deep nesting */
export function readJsonSource(source: string): JsonSource {
  const text = source.replace(/^\ufeff/, "");
  const offsets = new WeakMap<object, Map<string, number>>();
  let at = 0;

  const fail = (message: string, offset = at): never => {
    throw new FileProblem(message, placeAt(text, offset));
  };
  const found = () => (at >= text.length ? "the end of the file" : JSON.stringify(text[at]));
  function match(token: RegExp): string | undefined {
    token.lastIndex = at;
    const [matched] = token.exec(text) ?? [];
    at += matched?.length ?? 0;
    return matched;
  }
  /** Consumes the next character if it is this one. */
  function take(character: string): boolean {
    match(blank);
    if (text[at] !== character) return false;
    at++;
    return true;
  }
  function expect(character: string, where: string): void {
    if (!take(character)) fail(`"${character}" is expected ${where}, but here is ${found()}`);
  }
  function string(what: string): string {
    const token =
      match(stringToken) ??
      fail(
        text[at] === '"'
          ? "the text that begins here has no end, or a line break or a bad escape in it"
          : `${what} is expected in double quotes, but here is ${found()}`,
      );
    return JSON.parse(token) as string;
  }

  function members(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const places = new Map<string, number>();
    offsets.set(object, places);
    if (take("}")) return object;
    do {
      match(blank);
      const start = at;
      const name = string("a member's name");
      if (name === "__proto__") fail('"__proto__" is not allowed as a name', start);
      if (places.has(name)) fail(`"${name}" is given twice`, start);
      places.set(name, start);
      expect(":", `after "${name}"`);
      object[name] = value(depth);
    } while (take(","));
    expect("}", 'or "," after a member');
    return object;
  }
  function items(depth: number): unknown[] {
    const list: unknown[] = [];
    const places = new Map<string, number>();
    offsets.set(list, places);
    if (take("]")) return list;
    do {
      match(blank);
      places.set(String(list.length), at);
      list.push(value(depth));
    } while (take(","));
    expect("]", 'or "," after an item');
    return list;
  }
  function value(depth: number): unknown {
    if (depth > maxDepth) fail(`nested deeper than ${String(maxDepth)} levels`);
    if (take("{")) return members(depth + 1);
    if (take("[")) return items(depth + 1);
    if (text[at] === '"') return string("text");
    const scalar = match(numberToken) ?? match(wordToken) ?? fail(`a value is expected, but here is ${found()}`);
    return JSON.parse(scalar);
  }

  const root = value(0);
  match(blank);
  if (at < text.length) fail(`the end is expected, but here is ${found()}`);

  return {
    value: root,
    placeOf(path) {
      let node: unknown = root;
      let offset = text.search(/[^ \t\n\r]/);
      for (const step of path) {
        const next = typeof node === "object" && node !== null ? offsets.get(node)?.get(String(step)) : undefined;
        if (next === undefined) break;
        offset = next;
        node = (node as Record<PropertyKey, unknown>)[step];
      }
      return placeAt(text, offset);
    },
  };
}

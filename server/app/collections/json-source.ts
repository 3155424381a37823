/**
 * Parses JSON from a person's file with the place of every member, so that any problem can be reported by line and
 * column. JSON.parse gives no place for most syntax errors, and none for later checks.
 */
import { isRounded } from "../../contract/exact-json.ts";
import { inEnglish } from "../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../contract/messages/message.ts";

/** Counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A problem in a person's file, with its place. The message says how to solve it. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly text: Text;
  readonly place: TextPlace;
  constructor(text: Text, place: TextPlace) {
    super(inEnglish(text));
    this.text = text;
    this.place = place;
  }
}

export interface JsonSource {
  readonly value: unknown;
  /** The ways to whole numbers that JavaScript rounds. */
  readonly rounded: readonly (readonly string[])[];
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
  const rounded: string[][] = [];
  const path: string[] = [];
  let at = 0;

  const fail = (problem: Message, offset = at): never => {
    throw new FileProblem(problem, placeAt(text, offset));
  };
  const found = () => (at >= text.length ? message("source.fileEnd") : JSON.stringify(text[at]));
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
  function expect(character: string, where: Message): void {
    if (!take(character)) fail(message("source.expected", { character, where, found: found() }));
  }
  function string(what: Text): string {
    const token =
      match(stringToken) ??
      fail(text[at] === '"' ? message("source.endless") : message("source.quotes", { what, found: found() }));
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
      const name = string(message("source.member"));
      if (name === "__proto__") fail(message("source.name", { name }), start);
      if (places.has(name)) fail(message("source.twice", { name }), start);
      places.set(name, start);
      expect(":", message("source.after", { text: name }));
      path.push(name);
      object[name] = value(depth);
      path.pop();
    } while (take(","));
    expect("}", message("source.afterMember"));
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
      path.push(String(list.length));
      list.push(value(depth));
      path.pop();
    } while (take(","));
    expect("]", message("source.afterItem"));
    return list;
  }
  function value(depth: number): unknown {
    if (depth > maxDepth) fail(message("source.deep", { maxDepth }));
    if (take("{")) return members(depth + 1);
    if (take("[")) return items(depth + 1);
    if (text[at] === '"') return string("text");
    const number = match(numberToken);
    if (number !== undefined && isRounded(number)) rounded.push([...path]);
    return JSON.parse(number ?? match(wordToken) ?? fail(message("source.value", { found: found() })));
  }

  const root = value(0);
  match(blank);
  if (at < text.length) fail(message("source.end", { found: found() }));

  return {
    value: root,
    rounded,
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

/**
 * Turns the fields of a form into a value by the schema of the body: `a=1&a=2`, `a[]=1` and `a[0]=1` are lists, `a[b]=1` is an
 * object. A name that the schema has with its brackets stays.
 */
import type { z } from "zod";
import { refuse } from "../http-error.ts";
import { scalarOf, scalarsOf, textSchemaOf, type TextSchema } from "./coerce-text.ts";
import { repeated, type FormFields } from "./parse-form.ts";
import type { TextReading } from "./reading.ts";

interface Node {
  readonly texts: string[];
  readonly members: Map<string, Node>;
}

const maxDepth = 64;
const emptyNode = (): Node => ({ texts: [], members: new Map() });
const isIndex = (name: string) => /^\d{1,9}$/.test(name);

/** `a[b][]` → a, b and "". */
function pathOf(name: string, schema: TextSchema): string[] {
  const [, root, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (root === undefined || brackets === undefined || schema.names(name)) return [name];
  const path = [root, ...brackets.slice(1, -1).split("][")];
  if (path.length > maxDepth) throw refuse("body.tooDeep", { maxDepth });
  if (path.includes("__proto__")) throw refuse("body.name", { name }, { field: name });
  return path;
}

/** The place of a path; an empty step is a new item. */
function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const step of path) {
    const name = step === "" ? String(node.members.size) : step;
    const inner = node.members.get(name) ?? emptyNode();
    node.members.set(name, inner);
    node = inner;
  }
  return node;
}

/** The fields of a form, coerced by the schema of the body. @throws HttpError 400 for a repeated name that holds no list */
export function coerceForm(fields: FormFields, schema: z.ZodType): TextReading {
  const body = textSchemaOf(schema);
  const root = emptyNode();
  for (const [name, texts] of Object.entries(fields))
    for (const text of [texts].flat()) nodeAt(root, pathOf(name, body)).texts.push(text);
  const others: { path: readonly string[]; value: unknown }[] = [];

  function valueOf({ texts, members }: Node, at: TextSchema, path: readonly string[]): unknown {
    const { types } = at;
    const mayBeList = types.length === 0 || types.includes("array");
    if (members.size > 0) {
      if (texts.length > 0) throw repeated("body", path.join("."));
      return mayBeList && [...members.keys()].every(isIndex) ? listOf(members, at, path) : objectOf(members, at, path);
    }
    if (texts.length > 1 && !mayBeList) throw repeated("body", path.join("."));
    if (texts.length > 1 || (types.includes("array") && types.every((one) => one === "array" || one === "null")))
      return texts.map((text, index) => scalar(text, at.item(index), [...path, String(index)]));
    return scalar(texts[0] ?? "", at, path);
  }
  function scalar(text: string, { types }: TextSchema, path: readonly string[]): unknown {
    const value = scalarOf(text, types);
    const rest = scalarsOf(text).filter((one) => one !== value);
    others.push(...rest.map((one) => ({ path, value: one })));
    if (types.includes("array")) others.push({ path, value: [text] });
    return value;
  }
  const listOf = (members: Node["members"], at: TextSchema, path: readonly string[]) =>
    [...members]
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([, node], index) => valueOf(node, at.item(index), [...path, String(index)]));
  const objectOf = (members: Node["members"], at: TextSchema, path: readonly string[]) =>
    Object.fromEntries([...members].map(([name, node]) => [name, valueOf(node, at.member(name), [...path, name])]));

  return { value: objectOf(root.members, body, []), others };
}

/** Finds the operation of a request. A segment may be a text with parameters in it: `/files/{name}.json`. */
import type { ImportedOperation } from "./operations.ts";

interface PathEntry<Value> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly path: string;
  readonly methods: Map<string, Value>;
}

export interface FoundPath<Value> {
  readonly methods: ReadonlyMap<string, Value>;
  /** As they are written in the path. */
  readonly params: Readonly<Record<string, string>>;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const lengthOf = (path: string) => path.split("/").length;

function entryOf<Value>(path: string): PathEntry<Value> {
  const parts = path.split(/\{([^{}]*)\}/);
  const source = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : "([^/]+?)")).join("");
  return {
    path,
    pattern: new RegExp(`^${source}/?$`),
    names: parts.filter((_part, index) => index % 2 === 1),
    methods: new Map<string, Value>(),
  };
}

/** Texts sort by it from the most exact path to the least: in each segment, text comes before a parameter. */
const rankOf = ({ path }: { readonly path: string }) =>
  `${path.replace(/\{[^{}]*\}/g, "\uffff").replaceAll("/", "\uffff/")}\uffff`;

export function createOperationTable<Value>(
  operations: readonly (readonly [Pick<ImportedOperation, "method" | "path">, Value])[],
) {
  const byPath = new Map<string, PathEntry<Value>>();
  for (const [{ method, path }, value] of operations) {
    const entry = byPath.get(path) ?? entryOf<Value>(path);
    byPath.set(path, entry);
    entry.methods.set(method, value);
  }
  const groups = Map.groupBy(byPath.values(), ({ path }) => lengthOf(path));
  for (const group of groups.values()) group.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));

  /** All paths that fit, the most exact first: another one may have the method. */
  return (asked: string): FoundPath<Value>[] => {
    const length = lengthOf(asked);
    const near = [...(groups.get(length) ?? []), ...(asked.endsWith("/") ? (groups.get(length - 1) ?? []) : [])];
    return near.flatMap(({ pattern, names, methods }) => {
      const match = pattern.exec(asked);
      if (!match) return [];
      return [{ methods, params: Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""])) }];
    });
  };
}

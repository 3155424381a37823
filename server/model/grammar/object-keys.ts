/** Names of members that a schema does not list: by the patterns that they match, each kind with the schemas of its values. */
import { isObject } from "../../contract/is-object.ts";
import { stringRule } from "./json-rules.ts";
import { expandSchema } from "./expand-schema.ts";
import { satisfies } from "./satisfies.ts";
import { schemasIn, valuesOf, type Conjunction } from "./schema-parts.ts";
import type { SchemaPlace, Source } from "./schema-place.ts";
import { combine, intersectionOf, takes, without, type Automaton } from "./text/automaton.ts";
import { automatonBody } from "./text/automaton-rules.ts";
import { patternOf } from "./text/known-automata.ts";
import { textsBut } from "./text/listed-texts.ts";
import { stringAutomaton } from "./string-grammar.ts";
import { enforced, unenforceable } from "./unenforceable.ts";

interface KeyKind {
  readonly names: Automaton;
  /** Patterns that they match. */
  readonly patterns: ReadonlySet<string>;
}

/** More kinds make a grammar that is slow to write. */
const mostKinds = 64;

const patternsIn = (parts: Conjunction) =>
  parts.flatMap(({ schema, path }) =>
    Object.keys(schemasIn(schema, "patternProperties")).map((pattern) => ({ pattern, path })),
  );

/** What the parts ask of the value of a member, by the name or by the patterns that it matches. */
export function memberSources(parts: Conjunction, name: string | undefined, matches: (pattern: string) => boolean): Source[] {
  return parts.flatMap(({ schema, path }) => {
    const declared = schemasIn(schema, "properties");
    const patterns = Object.entries(schemasIn(schema, "patternProperties")).filter(([pattern]) => matches(pattern));
    const asked = [
      ...(name !== undefined && Object.hasOwn(declared, name)
        ? [{ schema: declared[name], path: `${path}/properties/${name}` }]
        : []),
      ...patterns.map(([pattern, one]) => ({ schema: one, path: `${path}/patternProperties/${pattern}` })),
    ];
    if (asked.length > 0 || schema["additionalProperties"] === undefined) return asked;
    return [{ schema: schema["additionalProperties"], path: `${path}/additionalProperties` }];
  });
}

/** The same for a name. @throws OllamaError 400 */
export const namedSources = (parts: Conjunction, name: string): Source[] =>
  memberSources(parts, name, (pattern) =>
    enforced("patternProperties", parts[0]?.path ?? "#", () => takes(patternOf(pattern), name)),
  );

/** Whether `propertyNames` allows a name. @throws OllamaError 400 */
export const isAllowedName = (parts: Conjunction, name: string, { references }: SchemaPlace): boolean =>
  valuesOf(parts, "propertyNames").every(({ value, part }) => satisfies(name, value, references, part.path));

/** A rule for names, and what is asked of their values. */
export interface OtherMembers {
  readonly key: string;
  readonly sources: readonly Source[];
}

/**
 * Members that may stand beside those that are listed.
 * @throws OllamaError 400
 */
export function otherMembers(
  parts: Conjunction,
  { listed, isOpen }: { listed: readonly string[]; isOpen: boolean },
  place: SchemaPlace,
): OtherMembers[] {
  const { rules, references, path } = place;
  const patterns = patternsIn(parts);
  const asked = valuesOf(parts, "propertyNames");
  if (listed.length === 0 && patterns.length === 0 && asked.length === 0)
    return isOpen ? [{ key: stringRule(rules), sources: memberSources(parts, undefined, () => false) }] : [];

  let names = enforced("properties", path, () => textsBut(listed));
  for (const { value, part } of asked) {
    const there = `${part.path}/propertyNames`;
    const texts = isObject(value) ? { allOf: [value, { type: "string" }] } : value;
    const kinds = expandSchema([{ schema: texts, path: there }], references).map((one) =>
      stringAutomaton(one, references),
    );
    names = enforced("propertyNames", there, () =>
      combine([names, ...kinds], ([isName, ...isKind]) => isName === true && isKind.some(Boolean)),
    );
  }
  let kinds: KeyKind[] = [{ names, patterns: new Set() }];
  for (const { pattern, path: there } of patterns) {
    kinds = enforced("patternProperties", there, () => {
      const matching = patternOf(pattern);
      return kinds.flatMap((kind) => [
        { names: intersectionOf([kind.names, matching]), patterns: new Set([...kind.patterns, pattern]) },
        { names: without(kind.names, matching), patterns: kind.patterns },
      ]);
    }).filter((kind) => kind.names.length > 0);
    if (kinds.length > mostKinds)
      throw unenforceable("patternProperties", there, `its patterns make more than ${String(mostKinds)} kinds of names`);
  }
  return kinds
    .filter((kind) => isOpen || kind.patterns.size > 0)
    .map((kind) => ({ ...kind, sources: memberSources(parts, undefined, (pattern) => kind.patterns.has(pattern)) }))
    .filter(({ sources }) => sources.every(({ schema }) => schema !== false))
    .map(({ names: some, sources }) => ({
      key: rules.add("key", `"\\"" ${automatonBody(some, rules)} "\\""`),
      sources,
    }));
}

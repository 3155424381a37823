/** Names of members that a schema does not list: by the patterns that they match, each kind with the schemas of its values. */
import { isObject } from "../../../contract/is-object.ts";
import type { GrammarRules } from "../grammar-rules.ts";
import { stringRule } from "../json-rules.ts";
import { expandSchema } from "../expand-schema.ts";
import { satisfies } from "../satisfies.ts";
import { schemasIn, valuesOf, type Conjunction } from "../schema-parts.ts";
import type { SchemaReferences } from "../../../json-schema/schema-references.ts";
import type { SchemaPlace, Source } from "../schema-place.ts";
import { combine, intersectionOf, takes, differenceOf, type Automaton } from "../text/automaton.ts";
import { automatonBody } from "../text/automaton-rules.ts";
import { patternOf } from "../text/known-automata.ts";
import { textsBut } from "../text/listed-texts.ts";
import { stringAutomaton } from "../string-grammar.ts";
import { enforced, NoValueError, unenforceable } from "../unenforceable.ts";

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

/** The demands of the parts on the value of a member, by its name or by the patterns that it matches. */
function memberSources(parts: Conjunction, name: string | undefined, matches: (pattern: string) => boolean): Source[] {
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
interface OtherMembers {
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
  const { rules } = place;
  if (listed.length === 0 && patternsIn(parts).length === 0 && valuesOf(parts, "propertyNames").length === 0)
    return isOpen ? [{ key: stringRule(rules), sources: memberSources(parts, undefined, () => false) }] : [];

  return kindsOf(parts, listed, place)
    .filter(({ names, patterns }) => names.length > 0 && (isOpen || patterns.size > 0))
    .map((kind) => ({ ...kind, sources: memberSources(parts, undefined, (pattern) => kind.patterns.has(pattern)) }))
    .filter(({ sources }) => sources.every(({ schema }) => schema !== false))
    .map(({ names, sources }) => ({
      key: rules.once(names, "key", () => `"\\"" ${automatonBody(names, rules)} "\\""`),
      sources,
    }));
}

/** Kinds of names by grammar and by what tells them apart: the same come again in every alternative. */
const known = new WeakMap<GrammarRules, Map<string, readonly KeyKind[]>>();

function kindsOf(parts: Conjunction, listed: readonly string[], { rules, references, path }: SchemaPlace) {
  const patterns = patternsIn(parts);
  const asked = valuesOf(parts, "propertyNames").map(({ value, part }) => ({
    schema: isObject(value) ? { allOf: [value, { type: "string" }] } : value,
    path: `${part.path}/propertyNames`,
  }));
  const name = JSON.stringify([listed, patterns.map(({ pattern }) => pattern), asked]);
  const made = known.get(rules) ?? new Map<string, readonly KeyKind[]>();
  known.set(rules, made);
  let kinds = made.get(name);
  if (kinds !== undefined) return kinds;

  const names = asked.reduce(
    (some, source) =>
      enforced("propertyNames", source.path, () => {
        const allowed = alternativesOf(source, references).map((one) => stringAutomaton(one, references));
        return combine([some, ...allowed], ([isName, ...isAllowed]) => isName === true && isAllowed.some(Boolean));
      }),
    enforced("properties", path, () => textsBut(listed)),
  );
  kinds = [{ names, patterns: new Set<string>() }];
  for (const { pattern, path: there } of patterns) {
    kinds = enforced("patternProperties", there, () => split(kinds ?? [], pattern));
    if (kinds.length > mostKinds)
      throw unenforceable(
        "patternProperties",
        there,
        `its patterns make more than ${String(mostKinds)} kinds of names`,
      );
  }
  made.set(name, kinds);
  return kinds;
}

/** None, where no name is allowed. */
function alternativesOf(source: Source, references: SchemaReferences): readonly Conjunction[] {
  try {
    return expandSchema([source], references);
  } catch (error) {
    if (error instanceof NoValueError) return [];
    throw error;
  }
}

/** Each kind as the names that match the pattern, and those that do not. */
function split(kinds: readonly KeyKind[], pattern: string): KeyKind[] {
  const matching = patternOf(pattern);
  return kinds
    .flatMap(({ names, patterns }) => [
      { names: intersectionOf([names, matching]), patterns: new Set([...patterns, pattern]) },
      { names: differenceOf(names, matching), patterns },
    ])
    .filter(({ names }) => names.length > 0);
}

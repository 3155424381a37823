/** Objects of a schema: declared members in their order, or a dictionary of any. */
import type { JsonSchema } from "../chat-completion.ts";
import { literal } from "./grammar-rules.ts";
import { dictionaryBody, spaceRule } from "./json-rules.ts";
import { inside, type RuleOf, type SchemaPlace } from "./schema-place.ts";
import { unenforceable } from "./unenforceable.ts";

interface Member {
  readonly pair: string;
  readonly isRequired: boolean;
}

/** Members in order, commas between those that are there. A rule for each place keeps the grammar small. */
function membersBody(members: readonly Member[], { rules }: SchemaPlace): string {
  const ws = spaceRule(rules);
  /** What may follow when something stands before, and when nothing does; from the last member to the first. */
  let [after, first] = ["", ""];
  for (const { pair, isRequired } of members.toReversed()) {
    const rest = after === "" ? "" : ` ${rules.add("more", after)}`;
    const begins = `${pair}${rest}`;
    const follows = `${ws} "," ${ws} ${pair}`;
    first = isRequired ? begins : first === "" ? `(${begins})?` : `(${begins} | ${first})`;
    after = isRequired ? `${follows}${rest}` : `(${follows})?${rest}`;
  }
  return `"{" ${ws} ${first} ${ws} "}"`;
}

function limits(schema: JsonSchema): { min: number; max: number | undefined } {
  const { minProperties, maxProperties } = schema as Record<string, unknown>;
  return { min: Number(minProperties ?? 0), max: maxProperties === undefined ? undefined : Number(maxProperties) };
}

/** The body of a rule for the objects of this schema. */
export function objectBody(schema: JsonSchema, place: SchemaPlace, ruleOf: RuleOf): string {
  const { rules, path } = place;
  const { additionalProperties: others, propertyNames } = schema as Record<string, unknown>;
  const declared = (schema["properties"] ?? {}) as Record<string, unknown>;
  const required = (Array.isArray(schema["required"]) ? schema["required"] : []) as string[];
  const undeclared = required.filter((name) => !Object.hasOwn(declared, name));
  if (undeclared.length > 0 && others === false)
    throw unenforceable("required", path, `additionalProperties forbids ${JSON.stringify(undeclared[0])}`);
  const all = [...Object.entries(declared), ...undeclared.map((name) => [name, others ?? true] as const)].filter(
    ([name, member]) => member !== false || required.includes(name),
  );
  const { min, max } = limits(schema);
  if (all.length === 0 && others === false) return `"{" ${spaceRule(rules)} "}"`;
  if (all.length === 0) {
    const value = ruleOf(others ?? true, inside(place, "additionalProperties"));
    const key =
      propertyNames === undefined
        ? {}
        : { key: ruleOf({ type: "string", ...(propertyNames as object) }, inside(place, "propertyNames")) };
    return dictionaryBody(rules, { value, min, max, ...key });
  }
  if (min > required.length) throw unenforceable("minProperties", path, "together with properties");
  if (max !== undefined && max < all.length) throw unenforceable("maxProperties", path, "together with properties");
  const ws = spaceRule(rules);
  const members = all.map(([name, member]) => ({
    pair: `${literal(JSON.stringify(name))} ${ws} ":" ${ws} ${ruleOf(member, inside(place, "properties", name))}`,
    isRequired: required.includes(name),
  }));
  return membersBody(members, place);
}

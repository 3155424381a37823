/** Objects of a schema: declared members in their order, or a dictionary of any. */
import type { JsonSchema } from "../chat-completion.ts";
import { literal } from "./grammar-rules.ts";
import { mostMembers, mostRepetitions } from "./grammar-size.ts";
import { dictionaryBody, spaceRule } from "./json-rules.ts";
import { countOf, namesOf, objectOf } from "./schema-values.ts";
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

function keyRule(schema: JsonSchema, place: SchemaPlace, ruleOf: RuleOf): { key?: string } {
  const names = objectOf(schema, "propertyNames", place.path);
  if (names === undefined) return {};
  const { const: only, ...rest } = names;
  const values = only === undefined ? {} : { enum: [only] };
  return { key: ruleOf({ ...rest, ...values, type: "string" }, inside(place, "propertyNames")) };
}

/** The body of a rule for the objects of this schema. */
export function objectBody(schema: JsonSchema, place: SchemaPlace, ruleOf: RuleOf): string {
  const { rules, path } = place;
  const others = schema["additionalProperties"];
  const declared = objectOf(schema, "properties", path) ?? {};
  const required = new Set(namesOf(schema, "required", path));
  const undeclared = [...required].filter((name) => !Object.hasOwn(declared, name));
  if (undeclared.length > 0 && others === false)
    throw unenforceable("required", path, `additionalProperties forbids ${JSON.stringify(undeclared[0])}`);
  const all = [...Object.entries(declared), ...undeclared.map((name) => [name, others ?? true] as const)].filter(
    ([name, member]) => member !== false || required.has(name),
  );
  if (all.length > mostMembers) throw unenforceable("properties", path, `more than ${String(mostMembers)} members`);
  const [min = 0, max] = [countOf(schema, "minProperties", path), countOf(schema, "maxProperties", path)];
  if (all.length === 0 && others === false) return `"{" ${spaceRule(rules)} "}"`;
  if (all.length === 0) {
    if (Math.max(min, max ?? 0) > mostRepetitions || min > (max ?? min))
      throw unenforceable(max === undefined ? "minProperties" : "maxProperties", path);
    const value = ruleOf(others ?? true, inside(place, "additionalProperties"));
    return dictionaryBody(rules, { value, min, max, ...keyRule(schema, place, ruleOf) });
  }
  if (min > required.size) throw unenforceable("minProperties", path, "together with properties");
  if (max !== undefined && max < all.length) throw unenforceable("maxProperties", path, "together with properties");
  const ws = spaceRule(rules);
  const members = all.map(([name, member]) => ({
    pair: `${literal(JSON.stringify(name))} ${ws} ":" ${ws} ${ruleOf(member, inside(place, "properties", name))}`,
    isRequired: required.has(name),
  }));
  return membersBody(members, place);
}

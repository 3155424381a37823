/** Values made from a JSON Schema: ones that fit it, and ones that break one rule of it each. */
import fc from "fast-check";
import type { JsonSchema } from "./api-description.ts";
import { misfits } from "./reply-checker.ts";

interface Parts {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}
const partsOf = (schema: JsonSchema): Parts => ({
  properties: (schema["properties"] ?? {}) as Parts["properties"],
  required: (schema["required"] ?? []) as string[],
});
const numberOf = (schema: JsonSchema, keyword: string): number | undefined => schema[keyword] as number | undefined;
const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema["anyOf"] ?? schema["oneOf"] ?? []) as JsonSchema[];

/** Values that fit the schema. */
export const fitting = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  likely(schema).filter((value) => misfits(schema, value).length === 0);

/** Values that fit the schema by the keywords that tell where to look for them. */
function likely(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  const branches = branchesOf(schema);
  if (branches.length > 0) return fc.oneof(...branches.map(likely));
  switch (schema["type"]) {
    case "object":
      return fittingObject(schema);
    case "array":
      return fc.array(likely((schema["items"] ?? {}) as JsonSchema), {
        minLength: numberOf(schema, "minItems") ?? 0,
        maxLength: Math.min(numberOf(schema, "maxItems") ?? 5, (numberOf(schema, "minItems") ?? 0) + 5),
      });
    case "integer":
      return fc.integer({ min: lowest(schema) ?? -1000, max: Math.min(numberOf(schema, "maximum") ?? 1e6, 1e6) });
    case "number":
      return fittingNumber(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return fittingText(schema);
    default:
      return fc.jsonValue();
  }
}

function fittingNumber(schema: JsonSchema): fc.Arbitrary<number> {
  const [min, max] = [lowest(schema) ?? -1e6, numberOf(schema, "maximum") ?? 1e6];
  const step = numberOf(schema, "multipleOf");
  if (step === undefined) return fc.double({ min, max, noNaN: true });
  return fc
    .integer({ min: Math.ceil(min / step), max: Math.floor(max / step) })
    .map((count) => Number((count * step).toPrecision(12)));
}

function lowest(schema: JsonSchema): number | undefined {
  const above = numberOf(schema, "exclusiveMinimum");
  return numberOf(schema, "minimum") ?? (above === undefined ? undefined : Math.floor(above) + 1);
}

function fittingObject(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, required } = partsOf(schema);
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, likely(one)]));
  return fc.record(members, { requiredKeys: required.filter((name) => name in members) });
}

function fittingText(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { pattern, format } = schema as { pattern?: string; format?: string };
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const minLength = numberOf(schema, "minLength") ?? 0;
  // One UTF-16 unit a character: there JSON Schema and the server count alike.
  const unit = fc.integer({ min: 0x20, max: 0xd7ff }).map((code) => String.fromCharCode(code));
  return fc.string({ unit, minLength, maxLength: Math.min(numberOf(schema, "maxLength") ?? 60, minLength + 60) });
}

export interface Broken {
  /** Which rule, for the message of a test that fails. */
  readonly what: string;
  readonly value: unknown;
}

/** Values that differ from `valid` in one rule of the schema each. */
export function breaking(schema: JsonSchema, valid: unknown): Broken[] {
  const wrongType = wrongTypes(schema);
  if (schema["type"] !== "object" || typeof valid !== "object" || valid === null)
    return [...wrongType, ...limits(schema)];
  const whole = valid as Record<string, unknown>;
  const { properties, required } = partsOf(schema);
  const without = required.map((name) => ({
    what: `${name} is missing`,
    value: Object.fromEntries(Object.entries(whole).filter(([one]) => one !== name)),
  }));
  const members = Object.entries(properties).flatMap(([name, one]) =>
    breaking(one, whole[name]).map(({ what, value }) => ({
      what: `${name}: ${what}`,
      value: { ...whole, [name]: value },
    })),
  );
  return [...wrongType, ...without, ...members];
}

function wrongTypes(schema: JsonSchema): Broken[] {
  const taken = [schema, ...branchesOf(schema)].flatMap((one) => (one["type"] ?? []) as string | string[]);
  if (taken.length === 0) return [];
  const samples: readonly (readonly [string, unknown])[] = [
    ["object", {}],
    ["array", []],
    ["string", "text"],
    ["number", 1.5],
    ["boolean", true],
    ["null", null],
  ];
  return samples
    .filter(([type]) => !taken.includes(type))
    .map(([type, value]) => ({ what: `${type} instead of ${taken.join()}`, value }));
}

function limits(schema: JsonSchema): Broken[] {
  const limit = (keyword: string, make: (bound: number) => unknown): Broken[] => {
    const bound = numberOf(schema, keyword);
    return bound === undefined || !Number.isSafeInteger(bound + 1) ? [] : [{ what: keyword, value: make(bound) }];
  };
  return [
    ...limit("maxLength", (bound) => "x".repeat(bound + 1)),
    ...limit("minLength", (bound) => "x".repeat(Math.max(0, bound - 1))).filter(
      () => numberOf(schema, "minLength") !== 0,
    ),
    ...limit("minimum", (bound) => bound - 1),
    ...limit("maximum", (bound) => bound + 1),
    ...limit("exclusiveMinimum", (bound) => bound),
    ...limit("minItems", () => []).filter(() => (numberOf(schema, "minItems") ?? 0) > 0),
    ...(Array.isArray(schema["enum"]) ? [{ what: "enum", value: "none-of-them" }] : []),
    ...(typeof schema["pattern"] === "string" ? [{ what: "pattern", value: " : " }] : []),
  ];
}

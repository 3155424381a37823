/** Rules and replies of version 2 as the published description writes its fields. */
import { commonRules, partnerFields, type FieldRule } from "../../../server/provider/payments/v2/field-rules.ts";
import type { FieldSchema } from "./compare-fields.ts";
import type { Fields } from "./payment-signatures.ts";

interface Rules {
  readonly rules: readonly FieldRule[];
  readonly withoutApp?: boolean;
  readonly withoutNonce?: string;
  /** All rules are the call's own. */
  readonly withoutCommon?: boolean;
}

/** The rules that a call's fields pass, common ones first. */
const rulesOf = ({ rules, withoutApp, withoutNonce, withoutCommon }: Rules): readonly FieldRule[] => [
  ...commonRules.filter(
    ({ name }) =>
      !withoutCommon && !(withoutApp && name === "appid") && !(withoutNonce !== undefined && name === "nonce_str"),
  ),
  ...rules,
];

/** A number is text there that holds nothing but digits. */
const isNumber = ({ accepts }: FieldRule) => accepts?.("1") === true && !accepts("1.5") && !accepts("x");

function toField(rule: FieldRule, described: FieldSchema | undefined): FieldSchema {
  if (described?.type === "integer" && isNumber(rule)) return { type: "integer" };
  const choices = rule.accepts?.choices;
  return { type: "string", maxLength: rule.max, ...(choices && { enum: choices }) };
}

/** What a call reads, as a schema; the fields of sub-merchants where the description has them. */
export function requestFields(call: Rules, described: FieldSchema): FieldSchema {
  const rules = rulesOf(call);
  const partner = [...partnerFields].filter((name) => described.properties?.[name]);
  return {
    type: "object",
    required: rules.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries([
      ...rules.map((rule) => [rule.name, toField(rule, described.properties?.[rule.name])] as const),
      ...partner.map((name) => [name, { type: "string", maxLength: described.properties?.[name]?.maxLength }] as const),
    ]),
  };
}

/** The described fields, with those of a list counted: `coupon_id_$n` as `coupon_id_0`. */
export function countedFields({ required = [], properties = {}, ...others }: FieldSchema, fields: Fields): FieldSchema {
  const isCounted = (name: string) => name.includes("$");
  const counted = Object.keys(fields).flatMap((name) => {
    const written = Object.keys(properties).find(
      (known) => isCounted(known) && new RegExp(`^${known.replace(/_\$[nm]/g, "_\\d+")}$`).test(name),
    );
    return written === undefined ? [] : [[name, properties[written] ?? {}] as const];
  });
  // The fields of JSON in a field are required there too, although the description has them nowhere.
  const first = required.filter((name) => name in properties).map((name) => name.replace(/\$[nm]/g, "0"));
  const single = Object.entries(properties).filter(([name]) => !isCounted(name));
  return { ...others, required: first, properties: Object.fromEntries([...single, ...counted]) };
}

/** A reply's fields, numbers where the description has them. Empty ones count as missing. */
export const typedFields = (fields: Fields, { properties = {} }: FieldSchema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [
        name,
        properties[name]?.type === "integer" && /^\d+$/.test(value) ? Number(value) : value,
      ]),
  );

/** The fields of a reply that are longer than described. */
export const tooLong = (fields: Fields, { properties = {} }: FieldSchema): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const { maxLength = Infinity, type } = properties[name] ?? {};
    return type === "string" && [...value].length > maxLength ? [`/${name}: longer than ${String(maxLength)}`] : [];
  });

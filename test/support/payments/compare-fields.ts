/** Compares a schema of ours with the published description of the same fields. */

import { isObject } from "../../../server/contract/is-object.ts";

/** The part of JSON Schema that both sides are reduced to. */
export interface FieldSchema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
}

const typeOf = ({ type, properties, items }: FieldSchema) => {
  if (properties) return "object";
  if (items) return "array";
  return type === "number" ? "integer" : type;
};
const choicesOf = ({ enum: choices, const: only }: FieldSchema) => choices ?? (only === undefined ? undefined : [only]);

/** A union's members as one schema: a field is required if all members require it. */
function joined(schema: FieldSchema): FieldSchema {
  const members = schema.anyOf ?? schema.oneOf;
  if (!members) return schema;
  const [first, ...others] = members.map(joined);
  const required = (first?.required ?? []).filter((name) => others.every((other) => other.required?.includes(name)));
  const properties: Record<string, FieldSchema> = {};
  for (const member of members)
    for (const [name, field] of Object.entries(member.properties ?? {})) {
      const choices = [...(choicesOf(properties[name] ?? {}) ?? []), ...(choicesOf(field) ?? [])];
      properties[name] = choices.length > 0 ? { type: "string", enum: choices } : field;
    }
  return { type: "object", required, properties };
}

function compareField(ours: FieldSchema, theirs: FieldSchema, at: string): string[] {
  const found: string[] = [];
  const [type, wanted] = [typeOf(ours), typeOf(theirs)];
  if (type !== undefined && wanted !== undefined && type !== wanted) found.push(`${at}: ${type} here, ${wanted} there`);
  const [choices, described] = [choicesOf(ours), choicesOf(theirs)];
  if (described && choices) {
    const more = choices.filter((choice) => !described.includes(choice));
    const less = described.filter((choice) => !choices.includes(choice));
    if (more.length > 0) found.push(`${at}: ${more.join(", ")} only here`);
    if (less.length > 0) found.push(`${at}: ${less.join(", ")} only there`);
  } else if (described) found.push(`${at}: one of ${described.join(", ")} there`);
  else if (choices) found.push(`${at}: one of ${choices.join(", ")} here`);
  for (const limit of ["minLength", "maxLength", "pattern"] as const)
    if (theirs[limit] !== undefined && ours[limit] !== theirs[limit])
      found.push(`${at}: ${limit} ${String(ours[limit])} here, ${String(theirs[limit])} there`);
  return found;
}

/** Every difference, in a sentence that begins with the field's path. */
export function compareFields(written: FieldSchema, described: FieldSchema, at = ""): string[] {
  const [ours, theirs] = [joined(written), joined(described)];
  const found = compareField(ours, theirs, at || "/");
  const [mine, other] = [ours.properties ?? {}, theirs.properties ?? {}];
  for (const name of new Set([...Object.keys(mine), ...Object.keys(other)])) {
    const [here, there] = [mine[name], other[name]];
    const path = `${at}/${name}`;
    if (!here) found.push(`${path}: only there`);
    else if (!there) found.push(`${path}: only here`);
    else {
      const [needed, demanded] = [ours.required?.includes(name) ?? false, theirs.required?.includes(name) ?? false];
      if (needed && !demanded) found.push(`${path}: required here only`);
      if (demanded && !needed) found.push(`${path}: required there only`);
      found.push(...compareFields(here, there, path));
    }
  }
  if (ours.items && theirs.items) found.push(...compareFields(ours.items, theirs.items, `${at}/*`));
  return found;
}

/** Every difference of a reply from the description of its fields. */
export function compareReply(value: unknown, described: FieldSchema, at = ""): string[] {
  if (Array.isArray(value))
    return value
      .flatMap((item) => compareReply(item, described.items ?? {}, `${at}/*`))
      .concat(ofType("array", described, at));
  if (!isObject(value)) {
    const choices = choicesOf(described);
    const wrong =
      choices && !choices.includes(value) ? [`${at}: ${String(value)} is none of ${choices.join(", ")}`] : [];
    return [...wrong, ...ofType(typeof value === "number" ? "integer" : typeof value, described, at)];
  }
  const fields = described.properties ?? {};
  const missing = (described.required ?? []).filter((name) => !(name in value));
  return [
    ...ofType("object", described, at),
    ...missing.map((name) => `${at}/${name}: missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const field = fields[name];
      return field ? compareReply(member, field, `${at}/${name}`) : [`${at}/${name}: only here`];
    }),
  ];
}

function ofType(type: string, described: FieldSchema, at: string): string[] {
  const wanted = typeOf(described);
  return wanted === undefined || wanted === type ? [] : [`${at || "/"}: ${type} here, ${wanted} there`];
}

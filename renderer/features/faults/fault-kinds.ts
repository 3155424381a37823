/** The kinds of faults, and the fields of their forms. */
import type { Text } from "../../../server/contract/messages/message.ts";
import { z } from "zod";
import { faultInputSchema } from "../../../server/contract/console/control/control.ts";
import { faultSituations, simFaultInputSchema } from "../../../server/contract/provider/sim-faults.ts";
import { describable, describeIssue } from "../../../server/http/messages/describe-issue.ts";
import {
  fieldsOf,
  type FieldSchema,
  type FieldValues,
  presentValues,
  type SchemaField,
} from "../../ui/forms/schema-fields.ts";
import type { NewFault } from "./fault-calls.ts";

/** Faults of the application server's own routes, which have no kinds. */
export const routeKind = "route";

export type Situation = keyof typeof faultSituations;
export const situations = Object.entries(faultSituations) as [Situation, readonly string[]][];

/** The parts of a form; members of the fault itself belong to none. */
export type FormPart = "params" | "scope" | "";

export interface FaultFormParts {
  /** The description in its schema. */
  readonly description: string | undefined;
  readonly parts: readonly { readonly part: FormPart; readonly fields: readonly SchemaField[] }[];
}

export type FormValues = Readonly<Partial<Record<FormPart, FieldValues>>>;

const optionOf = (kind: string) => simFaultInputSchema.options.find(({ shape }) => shape.kind.value === kind);
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as FieldSchema;

/** Undefined for an unknown kind. */
export function faultFormOf(kind: string): FaultFormParts | undefined {
  if (kind === routeKind)
    return { description: undefined, parts: [{ part: "", fields: fieldsOf(schemaOf(faultInputSchema)) }] };
  const option = optionOf(kind);
  if (!option) return undefined;
  const schema = schemaOf(option);
  const { params = {}, scope, ...common } = schema.properties ?? {};
  const parts: FaultFormParts["parts"] = [
    { part: "params", fields: fieldsOf(params) },
    ...(scope ? [{ part: "scope" as const, fields: fieldsOf(scope) }] : []),
    { part: "", fields: fieldsOf({ properties: common, required: schema.required ?? [] }) },
  ];
  return { description: schema.description, parts: parts.filter(({ fields }) => fields.length > 0) };
}

/** Error messages by `part.field`. */
export type FormErrors = Readonly<Record<string, Text>>;

/** The fault in the form, or its errors. */
export function readForm(
  kind: string,
  form: FaultFormParts,
  values: FormValues,
): { fault: NewFault } | { errors: FormErrors } {
  const valuesOf = (part: FormPart) => {
    const fields = form.parts.find((one) => one.part === part)?.fields ?? [];
    return presentValues(fields, values[part] ?? {});
  };
  if (kind === routeKind) {
    const read = faultInputSchema.safeParse(valuesOf(""), describable);
    return read.success ? { fault: { side: "route", body: read.data } } : { errors: errorsOf(read.error) };
  }
  const hasScope = form.parts.some(({ part }) => part === "scope");
  const body = { kind, params: valuesOf("params"), ...(hasScope && { scope: valuesOf("scope") }), ...valuesOf("") };
  const read = simFaultInputSchema.safeParse(body, describable);
  return read.success ? { fault: { side: "sim", body: read.data } } : { errors: errorsOf(read.error) };
}

/** Groups errors by the first two names of each path, so that an error in a list is shown at the list. */
const errorsOf = ({ issues }: z.ZodError): FormErrors =>
  Object.fromEntries(
    issues.map((issue) => {
      const [first = "", second] = issue.path.map(String);
      return [
        second === undefined || (first !== "params" && first !== "scope") ? `.${first}` : `${first}.${second}`,
        describeIssue(issue),
      ];
    }),
  );

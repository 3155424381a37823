/** Checks a body by a schema of the code: of zod, or of another library with the interface Standard Schema. */
import type { FromChild } from "../child-messages.ts";

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type Checked = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

export interface GivenSchema {
  readonly "~standard": { readonly validate: (value: unknown) => Checked | Promise<Checked> };
}

export const isSchema = (value: unknown): value is GivenSchema =>
  (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;

const mostProblems = 20;

type Problems = Extract<FromChild, { type: "invalid" }>["problems"];

/** The body in the schema's form, or its problems. */
export async function checkBody(
  schema: GivenSchema,
  body: unknown,
): Promise<{ readonly body: unknown } | { readonly problems: Problems }> {
  const checked = await schema["~standard"].validate(body);
  if (checked.issues === undefined) return { body: checked.value };
  const keyOf = (part: PropertyKey | { readonly key: PropertyKey }) =>
    String(typeof part === "object" ? part.key : part);
  const problems = checked.issues.slice(0, mostProblems).map(({ message, path = [] }) => ({
    field: path.map(keyOf).join("."),
    problem: message.slice(0, 500),
  }));
  return { problems };
}

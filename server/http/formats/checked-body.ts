import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { refuse } from "../http-error.ts";
import { describable, describeIssue } from "../messages/describe-issue.ts";
import { isInvalid } from "../../json-schema/predicates.ts";
import { queryOf } from "../middleware.ts";
import { readBody } from "./read-body.ts";

/**
 * Reads a JSON, form or XML body that matches the schema. @throws HttpError 400 naming the invalid field; as `readBody`
 */
export async function checkedBody<Schema extends z.ZodType>(
  req: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  return checked(await readBody(req, "any", schema), schema, "body");
}

/**
 * The fields of the query, by the schema; the first value of a repeated field counts.
 * @throws HttpError 400 naming the invalid field
 */
export function checkedQuery<Schema extends z.ZodType>(req: IncomingMessage, schema: Schema): z.output<Schema> {
  const query = new URLSearchParams(queryOf(req).replace(/^[?]/, "%3F"));
  return checked(Object.fromEntries([...query].toReversed()), schema, "query");
}

/** @param whole the name of the invalid part when it is not a single field */
export function checked<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const parsed = schema.safeParse(value, describable);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  const field = (issue?.code === "unrecognized_keys" ? issue.keys[0] : path) || whole;
  throw refuse("problem.short", { field, problem: issue ? describeIssue(issue) : isInvalid }, { field });
}

/** Refuses values that do not match their schema. */
import type { z } from "zod";
import { mostProblems } from "../../contract/bounded-lists.ts";
import { isInvalid, isUnknown } from "../../json-schema/predicates.ts";
import { refuse } from "../http-error.ts";
import { describable, describeIssue, sentenceOf, type FieldProblem } from "./describe-issue.ts";
import { safeName } from "./safe-name.ts";

/** @throws HttpError 400 naming the invalid fields, the first of many. `where`: `body`, `query`, `path`, or the name of a header. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const parsed = schema.safeParse(value, describable);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(problemsOf);
  const [first = { field: "", problem: isInvalid }] = problems;
  const details = problems.slice(0, mostProblems).map(({ field, problem }) => ({ field: field || where, problem }));
  // A number outside the range of exact numbers violates two identical bounds.
  const distinct = [...new Map(details.map((one) => [JSON.stringify(one), one])).values()];
  throw refuse(...sentenceOf(first, where), { details: distinct });
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const { path } = issue;
  const problem = describeIssue(issue);
  const unknown = (key: PropertyKey, parent: readonly PropertyKey[]) => ({
    field: [...parent, safeName(String(key))].join("."),
    problem: isUnknown,
  });
  if (issue.code === "unrecognized_keys") return issue.keys.slice(0, mostProblems).map((key) => unknown(key, path));
  if (typeof problem !== "string" && problem.code === "is.unknown")
    return [unknown(path.at(-1) ?? "", path.slice(0, -1))]; // of a JSON Schema
  return [{ field: path.join("."), problem }];
}

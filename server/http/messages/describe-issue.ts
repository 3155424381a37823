/** Says what a schema refuses, in sentences of our own: the validator's texts are for programmers, and these are for users. */
import type { z } from "zod";
import {
  fitsNone,
  isInvalid,
  isNotGiven,
  isUnknown,
  mustBeBounded,
  mustBeFormat,
  mustBeMultipleOf,
  mustBeOneOf,
  mustBeType,
  mustFitPattern,
  mustHave,
  wrongItem,
  wrongName,
} from "../../json-schema/predicates.ts";

export interface FieldProblem {
  /** The path of the member; empty where the whole value is at fault. */
  readonly field: string;
  /** A predicate, or a sentence without its full stop. */
  readonly problem: string;
}

const subjects: Readonly<Record<string, string>> = {
  body: "The body",
  data: "The data",
  query: "The query",
  path: "The path",
};

/** `title is missing.` A field of the query or the path says so. */
export function sentenceOf({ field, problem }: FieldProblem, where: string): string {
  const place = where === "query" || where === "path" ? ` in the ${where}` : "";
  const subject = field === "" ? (subjects[where] ?? where) : `${field}${place}`;
  return `${subject}${/^(?:is|are|must|has|have|fits|needs|cannot|may) /.test(problem) ? "" : ":"} ${problem}.`;
}

const boundOf = (side: "least" | "most", { inclusive = true, exact = false }) => {
  if (exact) return "exactly";
  if (inclusive) return `at ${side}` as const;
  return side === "least" ? "more than" : "less than";
};

/** The predicate of an issue to which the schema itself gives no text. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code !== "custom" && issue.input === undefined) return isNotGiven;
  switch (issue.code) {
    case "invalid_type":
      return mustBeType([issue.expected], typeOf(issue.input));
    case "invalid_value":
      return mustBeOneOf(issue.values);
    case "too_small":
      return sizeProblem(issue.origin, boundOf("least", issue), issue.minimum);
    case "too_big":
      return sizeProblem(issue.origin, boundOf("most", issue), issue.maximum);
    case "not_multiple_of":
      return mustBeMultipleOf(issue.divisor);
    case "invalid_format":
      return issue.format === "regex" && issue.pattern !== undefined
        ? mustFitPattern(issue.pattern)
        : mustBeFormat(issue.format);
    case "unrecognized_keys":
      return isUnknown;
    case "invalid_union":
      return unionProblem(issue);
    case "invalid_key":
      return wrongName;
    case "invalid_element":
      return wrongItem;
    case "custom":
      return isInvalid;
  }
}

function sizeProblem(origin: string, bound: Parameters<typeof mustHave>[0], limit: number | bigint): string {
  if (origin === "string") return mustHave(bound, limit, "characters");
  if (origin === "array" || origin === "set" || origin === "map") return mustHave(bound, limit, "items");
  return mustBeBounded(bound, origin === "date" ? new Date(Number(limit)).toISOString() : limit);
}

/** The types where all branches ask for another one; else nothing more is known. */
function unionProblem(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const types = (issue.errors ?? []).map(([first]) => (first?.code === "invalid_type" ? first : undefined));
  const isByType = types.length > 0 && types.every((one) => one?.path.length === 0);
  return isByType
    ? mustBeType(
        types.flatMap((one) => one?.expected ?? []),
        typeOf(issue.input),
      )
    : fitsNone;
}

const typeOf = (value: unknown): string | undefined => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isNaN(value) ? undefined : typeof value;
};

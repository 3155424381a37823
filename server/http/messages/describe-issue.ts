/** Describes why a schema refuses a value, in messages for users; the validator's texts are for programmers. */
import type { z } from "zod";
import { conditions } from "../../contract/messages/en/conditions.ts";
import { message, type Message, type Text } from "../../contract/messages/message.ts";
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
  /** The path of the member; empty if the whole value is invalid. */
  readonly field: string;
  readonly problem: Text;
}

/** Options of a parse for `describeIssue`: issues keep their input, and have a text only if the schema sets one. */
export const describable = { error: () => "", reportInput: true } as const;

const isPredicate = (problem: Text) => typeof problem !== "string" && problem.code.startsWith("is.");

function subjectOf(field: string, where: string): Text {
  if (field === "") return isPart(where) ? message(`subject.${where}`) : where;
  if (where === "query") return message("subject.inQuery", { field });
  return where === "path" ? message("subject.inPath", { field }) : field;
}

const isPart = (where: string) => where === "body" || where === "data" || where === "query" || where === "path";

/** The code and the values of `title is missing.` The text also names the query or the path. */
export const sentenceOf = ({ field, problem }: FieldProblem, where: string) =>
  [isPredicate(problem) ? "problem.is" : "problem.other", { subject: subjectOf(field, where), problem }] as const;

const boundOf = (side: "least" | "most", { inclusive = true, exact = false }) => {
  if (exact) return "exactly";
  if (inclusive) return side;
  return side === "least" ? "more" : "less";
};

const conditionCodes = new Map(Object.entries(conditions).map(([code, text]) => [text as string, code]));

/** The problem that an issue of a `describable` parse is. */
export function describeIssue(issue: z.core.$ZodIssue): Text {
  if (issue.code === "custom" && issue.params?.["problem"] !== undefined) return issue.params["problem"] as Message;
  if (issue.message !== "") {
    const code = conditionCodes.get(issue.message);
    return code === undefined ? issue.message : message(code as "is.uid");
  }
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

function sizeProblem(origin: string, bound: Parameters<typeof mustHave>[0], limit: number | bigint): Message {
  if (origin === "string") return mustHave(bound, limit, "character");
  if (origin === "array" || origin === "set" || origin === "map") return mustHave(bound, limit, "item");
  return mustBeBounded(bound, origin === "date" ? new Date(Number(limit)).toISOString() : limit);
}

/** The expected types, if all branches expect another type; otherwise a general message. */
function unionProblem(issue: z.core.$ZodIssueInvalidUnion): Message {
  const types = issue.errors.map(([first]) => (first?.code === "invalid_type" ? first : undefined));
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

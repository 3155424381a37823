import type { z } from "zod";

const types: Readonly<Record<string, string>> = {
  int: "a whole number is required",
  number: "a whole number is required",
  string: "a text is required",
};

/** Describes an invalid value whose schema has no message; undefined keeps zod's. */
export function plainProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small") {
    if (issue.origin === "string" && issue.minimum === 1) return "it is empty";
    return `${issue.inclusive === false ? "more than" : "at least"} ${String(issue.minimum)}`;
  }
  if (issue.code === "too_big")
    return `at most ${String(issue.maximum)}${issue.origin === "string" ? " characters" : ""}`;
  if (issue.code === "invalid_type") return types[issue.expected];
  return issue.code === "invalid_value" ? `one of ${issue.values.map(String).join(", ")}` : undefined;
}

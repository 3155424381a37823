import type { z } from "zod";

/** What is wrong with a setting, where its schema has no words of its own; undefined leaves zod's. */
export function plainProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small")
    return issue.origin === "string" && issue.minimum === 1 ? "it is empty" : `at least ${String(issue.minimum)}`;
  if (issue.code === "too_big")
    return `at most ${String(issue.maximum)}${issue.origin === "string" ? " characters" : ""}`;
  return issue.code === "invalid_value" ? `one of ${issue.values.map(String).join(", ")}` : undefined;
}

import type { z } from "zod";
import { FileProblem, type JsonSource } from "./json-source.ts";

/** Reports a problem in a file at the place of a path. */
export interface ProblemReporter {
  readonly at: (path: readonly PropertyKey[], message: string) => FileProblem;
  /** Reports the first problem of a schema check of the member at `base`; `known` are the members that it may have. */
  readonly ofIssues: (
    issues: readonly z.core.$ZodIssue[],
    known: readonly string[],
    base?: readonly PropertyKey[],
  ) => FileProblem;
}

export function problemReporter(source: JsonSource): ProblemReporter {
  const at: ProblemReporter["at"] = (path, message) =>
    new FileProblem(path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`, source.placeOf(path));
  return {
    at,
    ofIssues(issues, known, base = []) {
      // A misspelt member is also reported as missing; naming the wrong spelling helps more.
      const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
      const path = [...base, ...(issue?.path ?? [])];
      if (issue?.code === "unrecognized_keys")
        return at([...path, ...issue.keys.slice(0, 1)], `is not known here; known are ${known.join(", ")}`);
      return at(path, (issue?.code === "invalid_key" ? issue.issues[0] : issue)?.message ?? "is not valid");
    },
  };
}

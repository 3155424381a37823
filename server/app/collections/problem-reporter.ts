import type { z } from "zod";
import { FileProblem, type JsonSource } from "./json-source.ts";

/** Reports what is wrong with a file, with the place that a path leads to. */
export interface ProblemReporter {
  readonly at: (path: readonly PropertyKey[], message: string) => FileProblem;
  /** What a schema complains of first about the member at `base`; `known` are the members that it may have. */
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
      // A member that is misspelt is missing, too: the wrong spelling is what helps.
      const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
      const path = [...base, ...(issue?.path ?? [])];
      if (issue?.code === "unrecognized_keys")
        return at([...path, ...issue.keys.slice(0, 1)], `is not known here; known are ${known.join(", ")}`);
      return at(path, (issue?.code === "invalid_key" ? issue.issues[0] : issue)?.message ?? "is not valid");
    },
  };
}

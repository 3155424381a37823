import { isInvalid } from "../../json-schema/predicates.ts";
import { describeIssue } from "../../http/messages/describe-issue.ts";
import { message, type Text } from "../../contract/messages/message.ts";
import type { z } from "zod";
import { FileProblem, type JsonSource } from "./json-source.ts";

/** Reports a problem in a file at the place of a path. */
export interface ProblemReporter {
  readonly at: (path: readonly PropertyKey[], problem: Text) => FileProblem;
  /** Reports the first problem of a `describable` schema check of the member at `base`; `known` are the members that it may have. */
  readonly ofIssues: (
    issues: readonly z.core.$ZodIssue[],
    known: readonly string[],
    base?: readonly PropertyKey[],
  ) => FileProblem;
}

/** A problem after its place in the file. */
export const atPlace = (path: readonly PropertyKey[], problem: Text): Text =>
  path.length === 0 ? problem : message("schema.at", { place: path.map(String).join("."), problem });

/** @throws FileProblem at the first whole number that would be answered rounded */
export function refuseRounded(
  { rounded }: JsonSource,
  reporter: ProblemReporter,
  isBound: (path: readonly string[]) => boolean,
): void {
  const first = rounded.find((path) => !isBound(path));
  if (first) throw reporter.at(first, message("source.rounded"));
}

export function problemReporter(source: JsonSource): ProblemReporter {
  const at: ProblemReporter["at"] = (path, problem) => new FileProblem(atPlace(path, problem), source.placeOf(path));
  return {
    at,
    ofIssues(issues, known, base = []) {
      // A misspelt member is also reported as missing; naming the wrong spelling helps more.
      const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
      const path = [...base, ...(issue?.path ?? [])];
      if (issue?.code === "unrecognized_keys")
        return at([...path, ...issue.keys.slice(0, 1)], message("schema.option", { known: known }));
      const named = issue?.code === "invalid_key" ? issue.issues[0] : issue;
      return at(path, named ? describeIssue(named) : isInvalid);
    },
  };
}

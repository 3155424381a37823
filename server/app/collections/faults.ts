import type { z } from "zod";
import { FileFault, type JsonSource } from "./json-source.ts";

/** Reports what is wrong with a file, with the place that a path leads to. */
export interface Faults {
  readonly at: (path: readonly PropertyKey[], message: string) => FileFault;
  /** The first complaint of a schema about the member at `base`; `known` are the members that it may have. */
  readonly ofIssue: (
    issue: z.core.$ZodIssue | undefined,
    known: readonly string[],
    base?: readonly PropertyKey[],
  ) => FileFault;
}

export function faultsOf(source: JsonSource): Faults {
  const at: Faults["at"] = (path, message) =>
    new FileFault(path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`, source.placeOf(path));
  return {
    at,
    ofIssue(issue, known, base = []) {
      const path = [...base, ...(issue?.path ?? [])];
      if (issue?.code === "unrecognized_keys")
        return at([...path, ...issue.keys.slice(0, 1)], `is not known here; known are ${known.join(", ")}`);
      return at(path, issue?.message ?? "is not valid");
    },
  };
}

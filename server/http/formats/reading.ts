/** A value that was read from text, which does not tell its types: forms and XML. */
import type { z } from "zod";

/** Another value that a text may stand for, at its place. */
interface OtherReading {
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface TextReading {
  readonly value: unknown;
  readonly others: readonly OtherReading[];
}

const mostTries = 50;
/** A large body takes long to check, and other requests wait. */
const longestMs = 200;

/** Whether one of the places is in the other, or the same. */
const isNested = (one: readonly PropertyKey[], other: readonly PropertyKey[]) =>
  one.slice(0, other.length).every((step, at) => String(step) === String(other[at]));

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[step] = replaced(copy[step], rest, by);
  return copy;
}

/** The value with other readings in the places where the schema refuses the first ones. */
export function settledReading({ value, others }: TextReading, schema: z.ZodType): unknown {
  if (others.length === 0) return value;
  // A check may insert defaults.
  const issuesOf = (tried: unknown) => schema.safeParse(structuredClone(tried)).error?.issues ?? [];
  const end = performance.now() + longestMs;
  let best = { value, issues: issuesOf(value) };
  let tries = 0;
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const { path, value: other } of others) {
      if (!best.issues.some((issue) => isNested(issue.path, path))) continue;
      if (tries++ === mostTries || performance.now() > end) return best.value;
      const tried = replaced(best.value, path, other);
      const issues = issuesOf(tried);
      if (issues.length >= best.issues.length) continue;
      best = { value: tried, issues };
      isBetter = true;
    }
  }
  return best.value;
}

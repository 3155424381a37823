/**
 * What is fuzzed: families of generated inputs, each for one reader of what comes from outside. An input is taken, or refused
 * by an error that the reader documents, and never keeps an event loop busy.
 *
 * `HEARTH_FUZZ_REQUESTS` says how many inputs all families have together (3,000 unless given), `HEARTH_FUZZ_SEED` with which
 * seed. A failure names its seed and path: with these as `HEARTH_FUZZ_SEED` and `HEARTH_FUZZ_PATH`, and the family's test
 * chosen by `-t`, it is repeated. `HEARTH_FUZZ_TALLY` names a file that gets a line for each family that is through.
 */
import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { it } from "vitest";
import { OutOfTimeError, withinDeadline } from "../../server/foreign/within-deadline.ts";
import { leavingLoopFree, threadTime, type BusyClock } from "../support/busy-loop.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";

/** How many of all inputs each family has, against the others: fewer where one takes long. */
const shares = {
  paths: 4,
  verbs: 4,
  headers: 6,
  "query strings": 4,
  "JSON bodies": 6,
  "form bodies": 6,
  "XML bodies": 6,
  "multipart bodies": 8,
  "several requests at once": 4,
  "broken requests": 4,
  "GGUF headers": 6,
  manifests: 6,
  "names of models": 6,
  Modelfiles: 6,
  "zip archives": 4,
  "kinds of files": 4,
  "names of files": 4,
  "notifications of version 2": 6,
  "replies of version 2": 6,
  "notifications of version 3": 6,
  "replies of version 3": 6,
  "authorizations of version 3": 4,
  "encrypted data": 6,
  "signed data": 4,
  "secrets in texts": 8,
  "recorded calls": 8,
  "recorded bodies in the console": 6,
  "Markdown of answers": 4,
  "schema files": 6,
  "made-up items": 4,
  "route files": 6,
  "grammars of schemas": 8,
  "foreign patterns": 3,
  "patterns of the watcher": 2,
  "patterns of watched folders": 1,
  templates: 3,
  "forms and queries": 6,
  "XML texts": 6,
  "cookies and authorizations": 6,
  durations: 6,
  "lines of a stream": 4,
  "lines that the console reads": 4,
  "files of settings": 4,
  "indexes of git": 6,
  "settings of clones": 4,
  "settings of backups": 4,
  "archives of backups": 2,
  flags: 4,
  "signed calls of version 2": 4,
  "messages of version 2": 4,
  "calls of version 3": 3,
  "calls of the platform": 4,
  notifications: 4,
} as const;
export type FamilyName = keyof typeof shares;

const wanted = Number(process.env["HEARTH_FUZZ_REQUESTS"] ?? 3_000);
const path = process.env["HEARTH_FUZZ_PATH"];
const tally = process.env["HEARTH_FUZZ_TALLY"];
const allShares = Object.values(shares).reduce((sum: number, share) => sum + share, 0);

export interface Family<Input> {
  /** A function where it is known only when the tests have begun. */
  readonly inputs: fc.Arbitrary<Input> | (() => fc.Arbitrary<Input>);
  /** Reads one, and says itself when what comes of it is wrong. */
  readonly read: (input: Input) => unknown;
  /** The errors that the reader documents; none unless given. */
  readonly refuses?: (error: unknown) => boolean;
  readonly clock?: BusyClock;
}

/** Any of these errors, and no other: not what happens to be a subclass. */
export const refusesBy =
  (...names: readonly string[]) =>
  (error: unknown): boolean =>
    error instanceof Error && names.includes(error.name);

/** A message may repeat its input, which may be long. */
const longestReport = 8_000;
/** What takes this long in one go is broken off, so that it can be told of. */
const endlessMs = 20_000;

/** The test of a family. */
export function fuzz<Input>(name: FamilyName, { inputs, read, refuses, clock = threadTime }: Family<Input>): void {
  const numRuns = Math.ceil((wanted * shares[name]) / allShares);
  const patienceMs = 60_000 + numRuns * 100;
  const readInTime = (input: Input) => {
    try {
      return withinDeadline(endlessMs, () => read(input));
    } catch (error) {
      const isEndless = error instanceof OutOfTimeError && error.deadlineMs === endlessMs;
      throw isEndless ? new Error(`comes to no end within ${String(endlessMs)} ms`) : error;
    }
  };
  const property = (all: fc.Arbitrary<Input>) =>
    fc.asyncProperty(all, async (input) => {
      try {
        await leavingLoopFree(() => readInTime(input), clock);
      } catch (error) {
        if (refuses?.(error) !== true) throw error;
      }
    });
  const test = async () => {
    const details = await fc.check(property(typeof inputs === "function" ? inputs() : inputs), {
      numRuns,
      seed: fuzzSeed,
      // A failure that takes long is not made smaller for ever.
      interruptAfterTimeLimit: patienceMs,
      markInterruptAsFailure: true,
      ...(path !== undefined && { path }),
    });
    if (details.failed)
      throw new Error((await fc.asyncDefaultReportMessage(details))?.slice(0, longestReport), {
        cause: details.errorInstance,
      });
    if (tally !== undefined) appendFileSync(tally, `${String(details.numRuns)} ${name}\n`);
  };
  it(name, test, patienceMs + 5 * endlessMs);
}

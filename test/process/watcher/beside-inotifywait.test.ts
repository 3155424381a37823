/**
 * Random operations beside `inotifywait`. `HEARTH_FUZZ_WATCHER_RUNS` is the number of runs (20 by default), `HEARTH_FUZZ_SEED`
 * the seed of the first; each further run has the next seed.
 */
import { execFile, spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { fuzzSeed } from "../../support/fuzz-seed.ts";
import { compareWithInotifywait, type Comparison } from "../../support/process/watcher/compare-with-inotifywait.ts";

const runs = Number(process.env["HEARTH_FUZZ_WATCHER_RUNS"] ?? 20);
const tally = process.env["HEARTH_FUZZ_TALLY"];
/** One run in so many has mounts, in a namespace of its own. */
const perMounted = 10;
/** The runs mostly wait. */
const parallel = 4;
const timeout = 300_000 + runs * 2_000;

const succeeds = (command: string, ...all: string[]) => spawnSync(command, all).status === 0;
const hasInotifywait = succeeds("sh", "-c", "command -v inotifywait");
const hasNamespaces = succeeds("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt");

function expectNothingLost(comparisons: readonly (Comparison & { seed: number })[], name: string): void {
  const failed = comparisons.find(({ lost }) => lost.length > 0);
  expect(failed?.lost ?? [], `seed ${String(failed?.seed)}:\n${failed?.story ?? ""}`).toEqual([]);
  const sum = (key: "paths" | "vanished") => comparisons.reduce((total, one) => total + one[key], 0);
  const figures = `${name}, ${String(sum("paths"))} changed paths, ${String(sum("vanished"))} of them vanished unreported`;
  if (tally !== undefined) appendFileSync(tally, `${String(comparisons.length)} ${figures}\n`);
}

describe.skipIf(!hasInotifywait)("after random operations the watcher has reported", () => {
  it.each(["shell", "program"] as const)(
    "every path beside inotifywait that exists before or after them, at the pace of a %s",
    async (pace) => {
      const comparisons: (Comparison & { seed: number })[] = [];
      let next = 0;
      const compareEach = async () => {
        while (next < runs / 2) {
          const seed = fuzzSeed + next++;
          comparisons.push({ seed, ...(await compareWithInotifywait({ seed, pace })) });
        }
      };
      await Promise.all(Array.from({ length: parallel }, compareEach));
      expectNothingLost(comparisons, `runs of the watcher at the pace of a ${pace}`);
    },
    timeout,
  );

  it.skipIf(!hasNamespaces)(
    "every path beside inotifywait, among mounts in a user namespace",
    async () => {
      const program = join(import.meta.dirname, "../../support/process/watcher/compare-mounted.ts");
      const last = fuzzSeed + Math.ceil(runs / perMounted) - 1;
      const command = ["-rm", process.execPath, program, String(fuzzSeed), String(last)];
      const { stdout } = await promisify(execFile)("unshare", command, { maxBuffer: Infinity });
      const comparisons = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Comparison & { seed: number });
      expectNothingLost(comparisons, "runs of the watcher with mounts");
    },
    timeout,
  );
});

/** Two checkouts, each with what it runs; what is measured of a side are all processes of its Hearth. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { npmEnvironment } from "../../../build/install/install-packages.mjs";
import { logIn } from "../../support/console/console-scene.ts";
import { startHearth, type HearthRun } from "../hearth.ts";
import { root, type Bench } from "../open-bench.ts";
import { measured } from "../turn.ts";
import type { Work } from "./compare.ts";

export interface Sides {
  readonly ours: string;
  readonly theirs: string;
}

/** The folder, or a checkout of the commit of that name, which is kept for the next run. @throws Error for neither */
export function checkoutOf(name: string): string {
  if (existsSync(join(name, "package.json"))) return resolve(name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const commit = git("rev-parse", "--verify", `${name}^{commit}`);
  const checkout = join(root, ".cache/bench", commit.slice(0, 12));
  if (!existsSync(checkout)) git("worktree", "add", "--detach", checkout, commit);
  return checkout;
}

/** Installs and builds a checkout, as its `npm start` does. */
export function prepare(checkout: string): void {
  const script = join(checkout, "build/prepare.mjs");
  const { status } = spawnSync(process.execPath, [script], { cwd: checkout, env: npmEnvironment(), stdio: "inherit" });
  if (status !== 0) throw new Error(`${checkout} cannot be built`);
}

export interface Side extends HearthRun {
  /** Headers of a user who is logged in. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A Hearth of each checkout with the same flags; `oursAlone`: flags of this checkout's beside them. */
export async function startBoth(
  bench: Bench,
  sides: Sides,
  name: string,
  flags: readonly string[],
  oursAlone: readonly string[] = [],
) {
  const start = async (side: keyof Sides, more: readonly string[]): Promise<Side> => {
    const given = { folder: bench.folder, name: `${name}-${side}`, flags: [...flags, ...more], checkout: sides[side] };
    const run = await startHearth(bench.start, given);
    return { ...run, headers: await logIn(run.ready, "buyer") };
  };
  return { ours: await start("ours", oursAlone), theirs: await start("theirs", []) };
}

/** The same work on both. */
export const onBoth = (
  both: Readonly<Record<keyof Sides, Side>>,
  name: string,
  work: (side: Side) => Promise<number>,
): Work => ({
  name,
  ours: () => measured(both.ours.pid, () => work(both.ours)),
  theirs: () => measured(both.theirs.pid, () => work(both.theirs)),
  warmsUp: true,
});

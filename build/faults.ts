/**
 * `npm run faults`: injects faults into Hearth for 10 minutes, each kind at least five times, and reports what was lost
 * (test/faults/suite). `-- --count N` sets the number of faults, `--rounds N` the number per kind, `--seed S` repeats a
 * run, `--program PATH` tests a packaged Hearth in its window instead of this checkout's without one; `--only TEXT`
 * injects the kinds alone whose names contain it. With `--calm`, for a slow or busy machine, clients pause longer and no
 * time is judged. Kinds that this machine cannot run are skipped by name; with CI=true that is a failure.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isCi } from "./is-ci.ts";
import { root } from "./root.ts";
import { runScript } from "./processes/run-script.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    program: { type: "string" },
    calm: { type: "boolean", default: false },
  },
});
const { count, rounds, seed = String(randomInt(2 ** 31)), only, program, calm } = values;
if (![count ?? "1", rounds ?? "1", seed].every((one) => /^\d+$/.test(one))) {
  console.error(
    "hearth: npm run faults -- [--count N | --rounds N] [--seed S] [--only TEXT] [--program PATH] [--calm], N and S whole numbers",
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "hearth-faults-"));
const disk = join(folder, "disk");
mkdirSync(disk);

/** A small disk that only the suite sees, in its own name space. Linux grants these to ordinary users. */
const mount = ["-rm", "sh", "-c", 'mount -t tmpfs -o size=1g faults "$0" && exec "$@"', disk];
const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const hasDisk = works("unshare", ...mount, "true");
const [faketime] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
const lacks = [
  ...(hasDisk ? [] : ["a disk of its own"]),
  ...(faketime === undefined ? ["libfaketime"] : []),
  ...(works("prlimit", "--version") ? [] : ["prlimit"]),
];

const suite = [
  join(root, "test/faults/suite/main.ts"),
  ...["--folder", folder, "--seed", seed],
  ...(count === undefined ? [] : ["--count", count]),
  ...(rounds === undefined ? [] : ["--rounds", rounds]),
  ...(only === undefined ? [] : ["--only", only]),
  ...(calm ? ["--calm"] : []),
  ...lacks.flatMap((one) => ["--lacks", one]),
  // Chromium does not start under another clock.
  ...(program === undefined ? [] : ["--window", "--lacks", "libfaketime"]),
  ...(program !== undefined || faketime === undefined ? [] : ["--faketime", faketime]),
  "--",
  ...(program === undefined ? [process.execPath, join(root, "dist/cli.js")] : [resolve(program)]),
];
process.exitCode = await runScript(suite, process.env, hasDisk ? ["unshare", ...mount] : []);
rmSync(folder, { recursive: true, force: true });
if (isCi && lacks.length > 0) {
  console.error(`hearth: with CI=true no fault may be skipped; missing: ${lacks.join(", ")}`);
  process.exitCode = 1;
}

/**
 * `npm run test:steady`: runs the tests repeatedly, normally and under other conditions: late answers to the console's
 * pages, one core (on each of the cores at once), a busy program beside them, the engine's most basic CPU variant. It
 * takes hours, so it resumes where it was stopped while the sources are unchanged: its record lies among them. `-- --anew`
 * starts again. Every failure counts.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "./root.ts";

type Place = "late answers" | "as they are" | "one core" | "busy core" | "plain engine" | "engine only";

interface Result {
  place: Place;
  /** From 1; runs made in parts count by parts. */
  number: number;
  outcome: string;
  failed: boolean;
  seconds: number;
}

/** First where most would fail. */
const plan: readonly (readonly [Place, runs: number])[] = [
  ["late answers", 1],
  ["one core", 2],
  ["busy core", 2],
  ["as they are", 5],
  ["plain engine", 2],
  ["engine only", 30],
];

/** A run of these is made in so many parts, as a stop loses what is not at its end. */
const partsOf: { readonly [In in Place]?: number } = { "one core": 4 };

const record = "test/steady-runs.json";
const recordFile = join(root, record);
const logs = join(root, "test-results", "steady");

const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;
const tested = ["--", ".", `:!${record}`];
/** A hash of what is tested: results of other sources do not count. */
const sources = createHash("sha256")
  .update(git("ls-files", "--stage", ...tested) + git("diff", "HEAD", ...tested))
  .digest("hex");
const copies = join(root, ".cache", "steady");
/** The copies of these sources: those of others are removed. */
const ownCopies = join(copies, sources);

function readResults(): Result[] {
  if (process.argv.includes("--anew") || !existsSync(recordFile)) return [];
  const state = JSON.parse(readFileSync(recordFile, "utf8")) as { sources: string; results: Result[] };
  return state.sources === sources ? state.results : [];
}

const engineFiles = () =>
  globSync("test/model/**/*.test.ts", { cwd: root }).filter((file) =>
    readFileSync(join(root, file), "utf8").includes("/runner-process.ts"),
  );

/** Of the places where not all of them run. */
const filesOf: { readonly [In in Place]?: () => readonly string[] } = {
  "late answers": () => ["test/e2e"],
  "engine only": engineFiles,
};

/** Copies the checkout with its packages, unless there is such a copy. @returns where it is */
function copyCheckout(name: string): string {
  const copy = join(ownCopies, name);
  if (existsSync(copy)) return copy;
  mkdirSync(copy, { recursive: true });
  const files = git("ls-files", "-z").split("\0").filter(Boolean);
  const run = (command: string, args: string[]) => {
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error(`${command} failed`);
  };
  run("cp", ["--parents", ...files, copy]);
  // A repository of its own: the checks ask git for the files, and the copies lie where this one ignores all.
  run("git", ["init", "--quiet", copy]);
  run("git", ["-C", copy, "add", "--force", "--", ...files]);
  // Hard links: the packages are large, and nothing writes to them.
  for (const modules of ["node_modules", "test/clients/node_modules", "build/packager/node_modules"])
    if (existsSync(join(root, modules))) run("cp", ["-al", modules, join(copy, modules)]);
  return copy;
}

/** A copy with only the most basic engine: the engine chooses the best variant that is present. */
function copyWithPlainEngine(): string {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("Linux x64 alone has several CPU variants");
  const copy = copyCheckout("plain-engine");
  const variants = globSync("node_modules/@node-llama-cpp/linux-x64/bins/linux-x64/libggml-cpu-*.so", { cwd: copy });
  for (const variant of variants) if (!variant.endsWith("/libggml-cpu-x64.so")) rmSync(join(copy, variant));
  return copy;
}

/** Ends with this process, however that ends. */
const busyProgram =
  'process.on("disconnect", () => process.exit()); setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ); })';
const busyLoop = () => spawn(process.execPath, ["-e", busyProgram], { stdio: ["ignore", "ignore", "ignore", "ipc"] });

/** @param core which of the cores is its only one, where it has one: others run on the others meanwhile */
async function runTests(place: Place, number: number, core: number, log: string): Promise<Result> {
  const began = performance.now();
  const cwd = place === "plain engine" ? copyWithPlainEngine() : core > 0 ? copyCheckout(`core-${core}`) : root;
  const parts = partsOf[place];
  const shard = parts && `--shard=${String(((number - 1) % parts) + 1)}/${String(parts)}`;
  const tests = shard ? [shard] : (filesOf[place]?.() ?? []);
  const npm = ["npm", "test", ...(tests.length > 0 ? ["--", ...tests] : [])];
  const [command = "", ...args] = place === "one core" ? ["taskset", "-c", String(core), ...npm] : npm;
  const busy = place === "busy core" ? busyLoop() : undefined;
  const output = createWriteStream(log);
  const late = place === "late answers" && { HEARTH_TEST_ANSWER_DELAY_MS: "1500" };
  const env = { ...process.env, ...late, CI: "true" };
  const run = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let tail = "";
  for (const stream of [run.stdout, run.stderr])
    stream.on("data", (chunk: Buffer) => {
      output.write(chunk);
      tail = (tail + chunk.toString()).slice(-400);
    });
  const code = await new Promise<number | null>((resolve) => run.once("close", resolve));
  busy?.kill("SIGKILL");
  output.end();
  const outcome = /\d+ passed, \d+ failed/.exec(tail)?.[0] ?? `ended with ${String(code)} and no count`;
  return { place, number, outcome, failed: code !== 0, seconds: Math.round((performance.now() - began) / 1000) };
}

const results = readResults();
async function runOne(place: Place, number: number, core: number): Promise<void> {
  const log = join(logs, `${place.replaceAll(" ", "-")}-${String(number)}.log`);
  const result = await runTests(place, number, core, log);
  results.push(result);
  writeFileSync(recordFile, `${JSON.stringify({ sources, results }, undefined, 2)}\n`);
  console.log(`${place}, ${String(number)}: ${result.outcome}, ${String(result.seconds)} s`);
  if (result.failed) console.log(`  ${log}`);
}

mkdirSync(logs, { recursive: true });
mkdirSync(ownCopies, { recursive: true });
for (const other of readdirSync(copies))
  if (other !== sources) rmSync(join(copies, other), { recursive: true, force: true });
for (const [place, runs] of plan) {
  const times = runs * (partsOf[place] ?? 1);
  const atOnce = place === "one core" ? availableParallelism() : 1;
  const isDone = (number: number) => results.some((one) => one.place === place && one.number === number);
  const due = Array.from({ length: times }, (_, at) => at + 1).filter((number) => !isDone(number));
  while (due.length > 0) await Promise.all(due.splice(0, atOnce).map((number, core) => runOne(place, number, core)));
}
const failed = results.filter((one) => one.failed).length;
console.log(`${String(results.length - failed)} runs passed, ${String(failed)} failed`);
process.exitCode = failed === 0 ? 0 : 1;

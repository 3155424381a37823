/**
 * `npm run test:steady`: runs the tests repeatedly, normally and under other conditions: one core, a busy program
 * beside them, the engine's most basic CPU variant. It takes hours, so it resumes where it was stopped while the sources
 * are unchanged: its record lies among them. `-- --anew` starts again. Every failure counts.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

type Place = "as they are" | "one core" | "busy core" | "plain engine" | "engine only";

interface Result {
  place: Place;
  outcome: string;
  failed: boolean;
  seconds: number;
}

/** First where most would fail. */
const plan: readonly (readonly [Place, times: number])[] = [
  ["one core", 2],
  ["busy core", 2],
  ["as they are", 5],
  ["plain engine", 2],
  ["engine only", 30],
];

const cache = join(root, ".cache");
const copy = join(cache, "plain-engine");
const record = "test/steady-runs.json";
const recordFile = join(root, record);
const logs = join(root, "test-results", "steady");

const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;
const tested = ["--", ".", `:!${record}`];
/** A hash of what is tested: results of other sources do not count. */
const sources = createHash("sha256")
  .update(git("ls-files", "--stage", ...tested) + git("diff", "HEAD", ...tested))
  .digest("hex");

function readResults(): Result[] {
  if (process.argv.includes("--anew") || !existsSync(recordFile)) return [];
  const state = JSON.parse(readFileSync(recordFile, "utf8")) as { sources: string; results: Result[] };
  return state.sources === sources ? state.results : [];
}

const engineFiles = () =>
  globSync("test/model/**/*.test.ts", { cwd: root }).filter((file) =>
    readFileSync(join(root, file), "utf8").includes("/runner-process.ts"),
  );

/** Copies the checkout with only the most basic engine. The engine chooses the best variant that is present. */
function copyWithPlainEngine(): string {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("Linux x64 alone has several CPU variants");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const files = git("ls-files", "-z").split("\0").filter(Boolean);
  const run = (command: string, args: string[], input?: string) => {
    const { status } = spawnSync(command, args, { cwd: root, input, stdio: ["pipe", "inherit", "inherit"] });
    if (status !== 0) throw new Error(`${command} failed`);
  };
  run("cp", ["--parents", ...files, copy]);
  // Hard links: the packages are large, and nothing writes to them.
  for (const modules of ["node_modules", "test/clients/node_modules", "build/packager/node_modules"])
    if (existsSync(join(root, modules))) run("cp", ["-al", modules, join(copy, modules)]);
  const variants = globSync("node_modules/@node-llama-cpp/linux-x64/bins/linux-x64/libggml-cpu-*.so", { cwd: copy });
  for (const variant of variants) if (!variant.endsWith("/libggml-cpu-x64.so")) rmSync(join(copy, variant));
  return copy;
}

/** Ends with this process, however that ends. */
const busyProgram =
  'process.on("disconnect", () => process.exit()); setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ); })';
const busyLoop = () => spawn(process.execPath, ["-e", busyProgram], { stdio: ["ignore", "ignore", "ignore", "ipc"] });

async function runTests(place: Place, log: string): Promise<Result> {
  const began = performance.now();
  const cwd = place === "plain engine" ? (existsSync(copy) ? copy : copyWithPlainEngine()) : root;
  const npm = ["npm", "test", ...(place === "engine only" ? ["--", ...engineFiles()] : [])];
  const [command = "", ...args] = place === "one core" ? ["taskset", "-c", "0", ...npm] : npm;
  const busy = place === "busy core" ? busyLoop() : undefined;
  const output = createWriteStream(log);
  const tests = spawn(command, args, { cwd, env: { ...process.env, CI: "true" }, stdio: ["ignore", "pipe", "pipe"] });
  let tail = "";
  for (const stream of [tests.stdout, tests.stderr])
    stream.on("data", (chunk: Buffer) => {
      output.write(chunk);
      tail = (tail + chunk.toString()).slice(-400);
    });
  const code = await new Promise<number | null>((resolve) => tests.once("close", resolve));
  busy?.kill("SIGKILL");
  output.end();
  const outcome = /\d+ passed, \d+ failed/.exec(tail)?.[0] ?? `ended with ${String(code)} and no count`;
  return { place, outcome, failed: code !== 0, seconds: Math.round((performance.now() - began) / 1000) };
}

mkdirSync(logs, { recursive: true });
mkdirSync(cache, { recursive: true });
const results = readResults();
if (results.length === 0) rmSync(copy, { recursive: true, force: true });
for (const [place, times] of plan)
  for (let number = results.filter((one) => one.place === place).length + 1; number <= times; number++) {
    const log = join(logs, `${place.replaceAll(" ", "-")}-${String(number)}.log`);
    const result = await runTests(place, log);
    results.push(result);
    writeFileSync(recordFile, `${JSON.stringify({ sources, results }, undefined, 2)}\n`);
    console.log(`${place}, ${String(number)} of ${String(times)}: ${result.outcome}, ${String(result.seconds)} s`);
    if (result.failed) console.log(`  ${log}`);
  }
const failed = results.filter((one) => one.failed).length;
console.log(`${String(results.length - failed)} runs passed, ${String(failed)} failed`);
process.exitCode = failed === 0 ? 0 : 1;

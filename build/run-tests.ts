/**
 * `npm test`: sets up what the tests need, runs them, and checks the sources meanwhile; `npm test -- test/unit` runs a
 * part, without the checks. The last line counts the results. Any failure counts, also of a set-up step or a check.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runChecks, printCheck, type CheckResult } from "./checks/checks.ts";
import { ensureElectronForTests } from "./install/electron-for-tests.ts";
import { ensurePackages } from "./install/install-packages.mjs";
import { isCi } from "./is-ci.ts";
import { cpuSeconds } from "./processes/cpu-seconds.ts";
import { endLeftProcesses, runMark } from "./processes/left-processes.ts";
import { unhandledErrorsFile } from "./processes/unhandled-errors.ts";
import { root } from "./root.ts";
import { isTrainingTested } from "./training-note.ts";
import { ensureSystemPackages } from "./install/system-packages.ts";

interface Count {
  passed: number;
  failed: number;
}

/** The part of Vitest's JSON report that is used here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Times in ms. */
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** All processes of a run share what Node has compiled; tools would keep such caches among the temporary files. */
const cachesIn = (scratch: string) => ({ NODE_COMPILE_CACHE: join(scratch, "compiled"), JITI_FS_CACHE: "false" });

/** Runs a step. A step that throws counts as one failure, reported in one line. */
async function step(what: string, run: () => unknown): Promise<Count> {
  try {
    await run();
    return { passed: 0, failed: 0 };
  } catch (error) {
    console.error(`FAILED  ${what}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

async function setUp(): Promise<Count[]> {
  return [
    await step("system packages", () => {
      const missing = ensureSystemPackages({ training: trains });
      if (missing !== undefined) throw new Error(missing);
    }),
    await step("third-party clients", () =>
      ensurePackages(join(root, "test/clients"), "the tests' third-party clients"),
    ),
    await step("Electron", () => {
      const { version, official, dist } = ensureElectronForTests();
      const origin = official ? "" : ` (not the official binary: ${dist})`;
      console.log(`The window tests and the package run Electron ${version}${origin}`);
    }),
  ];
}

/** Runs the checks while the tests wait for processes and sockets; their results are printed after the tests. */
const startChecks = () => runChecks("behind", () => undefined);

function countChecks(results: readonly CheckResult[]): Count {
  results.forEach(printCheck);
  const failed = results.filter((result) => !result.passed).length;
  return { passed: results.length - failed, failed };
}

/** Reads Vitest's counts. A file that could not be loaded has no tests, but counts as a failure. */
function countReport(report: Report, exitCode: number): Count {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const skipped = report.numPendingTests + report.numTodoTests;
  if (skipped > 0) console.log(`${skipped} skipped${isCi ? ", which counts as failed with CI=true" : ""}`);
  const failed = report.numFailedTests + brokenFiles.length + (isCi ? skipped : 0);
  const unexplained = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + unexplained };
}

/** Prints the slowest files, to show when they get slower. */
function printSlowest({ testResults }: Report): void {
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10);
  console.log("The slowest files:");
  for (const { file, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
}

/** Prints what failed and why in a few lines each, last: who sees only the end of a log sees what there is to mend. */
function printFailures({ testResults }: Report, unhandled: readonly string[]): void {
  const firstLines = (message = "") => stripVTControlCharacters(message).split("\n").slice(0, 8).join("\n    ");
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    if (status === "failed" && assertionResults.length === 0)
      console.log(`FAILED  ${file}\n    ${firstLines(message)}`);
    for (const test of assertionResults) {
      if (test.status !== "failed") continue;
      console.log(`FAILED  ${file} > ${test.fullName}\n    ${firstLines(test.failureMessages[0])}`);
    }
  }
  for (const stack of unhandled) console.log(`FAILED  an error that no test has caught\n    ${firstLines(stack)}`);
}

interface Tested extends Count {
  report: Report | undefined;
  /** The stacks of errors that belong to no test. */
  unhandled: string[];
}

async function runVitest(filters: readonly string[], scratch: string): Promise<Tested> {
  const reportFile = join(scratch, "report.json");
  const unhandledFile = join(scratch, "unhandled.json");
  const temporary = mkdtempSync(join(tmpdir(), "hearth-run-"));
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const own = join(root, "build/processes/unhandled-errors.ts");
  const reporters = ["default", "json", own].map((reporter) => `--reporter=${reporter}`);
  const vitest = spawn(process.execPath, [script, "run", ...reporters, `--outputFile.json=${reportFile}`, ...filters], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      ...runMark.env,
      ...cachesIn(scratch),
      ...(trains && { HEARTH_TEST_TRAINING: "1" }),
      TMPDIR: temporary,
      [unhandledErrorsFile]: unhandledFile,
    },
  });
  const exitCode = await new Promise<number>((resolve) => vitest.once("exit", (code) => resolve(code ?? 1)));
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, "utf8")) as Report) : undefined;
  if (report && filters.length === 0) printSlowest(report);
  const tests = report ? countReport(report, exitCode) : { passed: 0, failed: 1 };
  const left = await step("what the tests leave", async () => {
    const processes = await endLeftProcesses();
    const files = readdirSync(temporary, { recursive: true, encoding: "utf8" });
    rmSync(temporary, { recursive: true, force: true });
    if (processes.length > 0) throw new Error(`processes are left running: ${processes.join("; ")}`);
    if (files.length > 0) throw new Error(`temporary files are left: ${files.slice(0, 20).join(" ")}`);
  });
  const unhandled = existsSync(unhandledFile) ? (JSON.parse(readFileSync(unhandledFile, "utf8")) as string[]) : [];
  return { passed: tests.passed, failed: tests.failed + left.failed, report, unhandled };
}

const beganMs = performance.now();
const filters = process.argv.slice(2);
/** CI trains a starter model where that has changed since `npm run test:starter-model`. */
const trains = isCi && filters.length === 0 && !isTrainingTested();
const scratch = mkdtempSync(join(tmpdir(), "hearth-npm-test-"));
const counts = await setUp();
const checks = filters.length === 0 ? startChecks() : Promise.resolve([]);
const { report, unhandled, ...tests } = await runVitest(filters, scratch);
counts.push(tests, countChecks(await checks));
if (report && filters.length === 0) printFailures(report, unhandled);
rmSync(scratch, { recursive: true, force: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
if (filters.length === 0) {
  const cpu = cpuSeconds();
  const ofCpu = cpu === undefined ? "" : `, and ${(cpu / 60).toFixed(1)} min of CPU`;
  console.log(`All of it took ${((performance.now() - beganMs) / 60_000).toFixed(1)} min${ofCpu}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/**
 * `npm run spec`: runs the conformance suite and prints every rule of the specification with its tests and their
 * results. Fails if a rule that is not open has no test, or if any test fails. `npm run spec -- --refresh DIR DIR` instead
 * derives the list of the platform's operations from clones of the repositories that describe them.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { idsOf } from "../test/spec/covered-rules.ts";
import { rules, type Rule } from "../test/spec/rules.ts";
import { refreshOperations } from "./operations/refresh-operations.ts";
import { root } from "./root.ts";

interface Test {
  file: string;
  title: string;
  passed: boolean;
  failure: string;
}

/** The part of Vitest's JSON report that is used here. */
interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { title: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** Runs the suite; a file that cannot be loaded counts as one failed test. */
async function runSuite(): Promise<Test[]> {
  const scratch = mkdtempSync(join(tmpdir(), "hearth-npm-spec-"));
  const reportFile = join(scratch, "report.json");
  const reporters = ["--reporter=json", `--outputFile.json=${reportFile}`];
  const vitest = spawn(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", ...reporters, "test/spec"],
    { cwd: root, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, TMPDIR: scratch } },
  );
  await new Promise((resolve) => vitest.once("exit", resolve));
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, "utf8")) as Report) : undefined;
  rmSync(scratch, { recursive: true, force: true });
  if (!report) throw new Error("the suite could not be run");
  return report.testResults.flatMap(({ name, message, assertionResults }): Test[] => {
    const file = basename(name);
    if (assertionResults.length === 0) return [{ file, title: "(the file)", passed: false, failure: message }];
    return assertionResults.map(({ title, status, failureMessages = [] }) => ({
      file,
      title,
      passed: status === "passed",
      failure: failureMessages.join("\n"),
    }));
  });
}

type Outcome = "pass" | "FAIL";

const outcomeOf = (tests: readonly Test[]): Outcome =>
  tests.length > 0 && tests.every(({ passed }) => passed) ? "pass" : "FAIL";

const withoutIds = (title: string) => title.replace(/^(?:\[[^\]]+\] ?)+/, "");

function printRule(rule: Rule, tests: readonly Test[], outcome: Outcome, width: number): void {
  console.log(`${outcome}  ${rule.id.padEnd(width)}  ${rule.rule}`);
  const margin = " ".repeat(width + 8);
  if (tests.length === 0) console.log(`${margin}no test`);
  for (const { file, title, passed } of tests)
    console.log(`${margin}${passed ? "" : "FAILED "}${file}: ${withoutIds(title)}`);
}

async function checkRules(): Promise<void> {
  const tests = await runSuite();
  const width = Math.max(...rules.map(({ id }) => id.length));
  const counts: Record<Outcome, number> = { pass: 0, FAIL: 0 };
  let lastSection = "";
  for (const rule of rules) {
    const covering = tests.filter(({ title }) => idsOf(title).includes(rule.id));
    const outcome = outcomeOf(covering);
    counts[outcome]++;
    if (rule.section !== lastSection) console.log("");
    lastSection = rule.section;
    printRule(rule, covering, outcome, width);
  }

  const failed = tests.filter(({ passed }) => !passed);
  for (const { file, title, failure } of failed) console.log(`\nFAILED ${file}: ${title}\n${failure}`);
  console.log(
    `\n${String(counts.pass)} rules pass, ${String(counts.FAIL)} fail (${String(tests.length)} tests, ${String(failed.length)} failed)`,
  );
  process.exitCode = counts.FAIL === 0 && failed.length === 0 ? 0 : 1;
}

const [flag, ...copies] = process.argv.slice(2);
if (flag === "--refresh") refreshOperations(copies);
else await checkRules();

/** `node build/checks/check-patterns.ts`: checks that no regular expression of the program is slow for an adversarial text. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../root.ts";
import { ownPatterns, patternProblem, type Pattern } from "./patterns.ts";

/** Why patterns that look slow are fast all the same, by file and source. */
const reasons: Readonly<Record<string, string>> = {
  'renderer/ui/code/json-view.tsx ("(?:[^"\\\\]|\\\\.)*")(\\s*:)?|(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|(true|false|null)':
    "reads what JSON.stringify has written, in which every string ends",
  'server/app/payments/provider/read-json-once.ts ("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")(?=\\s*:)|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|[{}[\\]]':
    "reads what JSON.parse has taken, in which every string ends",
  'server/app/payments/provider/alipay/reply-alipay.ts "((?:[^"\\\\]|\\\\.)*)"|[{}[\\]]':
    "reads what JSON.parse has taken, in which every string ends",
  "server/app/console/console-api.ts ^VmRSS:\\s+(\\d+) kB": "reads a file of Linux",
  "server/process/open-files.ts ^Max open files\\s+(\\w+)": "reads a file of Linux",
  "server/runner/threads.ts ^Cpus_allowed_list:\\s*(\\S+)": "reads a file of Linux",
  "server/provider/payments/faults/reply-faults.ts <sign>.*?<\\/sign>": "reads what the provider itself has written",
};

/** The patterns that were quick in the last run: half a minute of proofs. They count for the same rules and prover only. */
const cacheFile = join(root, ".cache/quick-patterns.json");
const judges = ["build/checks/patterns.ts", "node_modules/recheck/package.json"];
const judgedBy = createHash("sha256");
for (const file of judges) judgedBy.update(readFileSync(join(root, file)));
const judge = judgedBy.digest("hex");

function readQuick(): ReadonlySet<string> {
  try {
    const cache = JSON.parse(readFileSync(cacheFile, "utf8")) as { judge: string; quick: string[] };
    return new Set(cache.judge === judge ? cache.quick : []);
  } catch {
    return new Set();
  }
}

const knownQuick = readQuick();
const quick = new Set<string>();

function judgePattern(pattern: Pattern): string | undefined {
  const key = `/${pattern.source}/${pattern.flags}`;
  const problem = knownQuick.has(key) || quick.has(key) ? undefined : patternProblem(pattern);
  if (problem === undefined) quick.add(key);
  return problem;
}

const left = new Set(Object.keys(reasons));
const problems: string[] = [];
for (const pattern of ownPatterns()) {
  const { source, place } = pattern;
  const key = `${place.replace(/:\d+$/, "")} ${source}`;
  if (left.delete(key) || key in reasons) continue;
  const problem = judgePattern(pattern);
  if (problem !== undefined) problems.push(`${place}: /${source}/ ${problem}`);
}
mkdirSync(dirname(cacheFile), { recursive: true });
writeFileSync(cacheFile, JSON.stringify({ judge, quick: [...quick] }));
problems.push(...[...left].map((key) => `build/checks/check-patterns.ts: there is no pattern any more that is ${key}`));
if (problems.length > 0) {
  console.error(problems.join("\n"));
  console.error(
    "Search for fixed texts with indexOf, anchor the pattern or bound what repeats; or say in build/checks/check-patterns.ts why it is quick.",
  );
  process.exitCode = 1;
}

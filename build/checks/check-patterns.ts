/** `node build/checks/check-patterns.ts`: checks that no regular expression of the program is slow for an adversarial text. */
import { ownPatterns, patternProblem } from "./patterns.ts";

/** Why patterns that look slow are fast all the same, by file and source. */
const reasons: Readonly<Record<string, string>> = {
  'renderer/ui/code/json-view.tsx ("(?:[^"\\\\]|\\\\.)*")(\\s*:)?|(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|(true|false|null)':
    "reads what JSON.stringify has written, in which every string ends",
  'server/app/payments/provider/read-json-once.ts ("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")(?=\\s*:)|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|[{}[\\]]':
    "reads what JSON.parse has taken, in which every string ends",
  "server/app/console/process-console-routes.ts ^VmRSS:\\s+(\\d+) kB": "reads a file of Linux",
  "server/process/open-files.ts ^Max open files\\s+(\\w+)": "reads a file of Linux",
  "server/runner/threads.ts ^Cpus_allowed_list:\\s*(\\S+)": "reads a file of Linux",
  "server/provider/payments/faults/reply-faults.ts <sign>.*?<\\/sign>": "reads what the provider itself has written",
};

const left = new Set(Object.keys(reasons));
const problems: string[] = [];
for (const pattern of ownPatterns()) {
  const { source, place } = pattern;
  const key = `${place.replace(/:\d+$/, "")} ${source}`;
  if (left.delete(key) || key in reasons) continue;
  const problem = patternProblem(pattern);
  if (problem !== undefined) problems.push(`${place}: /${source}/ ${problem}`);
}
problems.push(...[...left].map((key) => `build/checks/check-patterns.ts: there is no pattern any more that is ${key}`));
if (problems.length > 0) {
  console.error(problems.join("\n"));
  console.error(
    "Search for fixed texts with indexOf, anchor the pattern or bound what repeats; or say in build/checks/check-patterns.ts why it is quick.",
  );
  process.exitCode = 1;
}

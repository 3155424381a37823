import type { ReceiverCheck, ReceiverCheckResult } from "./receiver-checks.ts";

/** Removes characters that XML cannot represent, and escapes the others. */
const escaped = (text: string): string =>
  text

    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function outcome({ verdict, seen, failings, sent, right }: ReceiverCheckResult): string {
  if (verdict === "pass") return "";
  if (verdict === "not_judged") return `<skipped${attributes({ message: seen })}/>`;
  const details = [...failings, `Sent: ${sent}`, `Right: ${right}`, `Seen: ${seen}`].join("\n");
  return `<failure${attributes({ message: failings.join(" ") })}>${escaped(details)}</failure>`;
}

const testcase = (result: ReceiverCheckResult): string => {
  const named = {
    classname: "check-receiver",
    name: `${result.row}: ${result.name}`,
    time: seconds(result.duration_ms),
  };
  return `    <testcase${attributes(named)}>${outcome(result)}</testcase>\n`;
};

/** The report as JUnit XML for CI systems: a test case for each row. An aborted check is an error. */
export function junitReport({ results, counts, started_at, ended_at = started_at, problem }: ReceiverCheck): string {
  const sums = {
    name: "check-receiver",
    tests: results.length + (problem === undefined ? 0 : 1),
    failures: counts.fail,
    errors: problem === undefined ? 0 : 1,
    skipped: counts.not_judged,
    time: seconds(Date.parse(ended_at) - Date.parse(started_at)),
  };
  const error =
    problem === undefined
      ? ""
      : `    <testcase${attributes({ classname: "check-receiver", name: "the check itself" })}><error${attributes({ message: problem })}/></testcase>\n`;
  const suite = `  <testsuite${attributes({ ...sums, timestamp: started_at })}>\n${results.map(testcase).join("")}${error}  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(sums)}>\n${suite}</testsuites>\n`;
}

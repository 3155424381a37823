import type { CheckLanguage } from "./check-language.ts";
import { reportWords, sayRow } from "./check-report-words.ts";
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

function outcome({ verdict, seen, failings, sent, right, why }: ReceiverCheckResult, language: CheckLanguage): string {
  if (verdict === "pass") return "";
  if (verdict === "not_judged") return `<skipped${attributes({ message: seen })}/>`;
  const say = sayRow(language);
  const words = reportWords[language];
  const details = [
    ...failings,
    words.sent + say(sent),
    words.right + say(right),
    words.seen + seen,
    words.why + say(why),
  ].join("\n");
  return `<failure${attributes({ message: failings.join(" ") })}>${escaped(details)}</failure>`;
}

/** Only the check of a whole integration runs this row. */
const nameOf = ({ planned }: ReceiverCheck) => (planned.includes("answers") ? "check-integration" : "check-receiver");

const testcase = (result: ReceiverCheckResult, classname: string, language: CheckLanguage): string => {
  const named = {
    classname,
    name: `${result.row}: ${sayRow(language)(result.name)}`,
    time: seconds(result.duration_ms),
  };
  return `    <testcase${attributes(named)}>${outcome(result, language)}</testcase>\n`;
};

/** The report as JUnit XML for CI systems: a test case for each row. An aborted check is an error. */
export function junitReport(report: ReceiverCheck, language: CheckLanguage = "en"): string {
  const { results, counts, started_at, ended_at = started_at, problem } = report;
  const name = nameOf(report);
  const sums = {
    name,
    tests: results.length + (problem === undefined ? 0 : 1),
    failures: counts.fail,
    errors: problem === undefined ? 0 : 1,
    skipped: counts.not_judged,
    time: seconds(Date.parse(ended_at) - Date.parse(started_at)),
  };
  const error =
    problem === undefined
      ? ""
      : `    <testcase${attributes({ classname: name, name: "the check itself" })}><error${attributes({ message: problem })}/></testcase>\n`;
  const suite = `  <testsuite${attributes({ ...sums, timestamp: started_at })}>\n${results.map((result) => testcase(result, name, language)).join("")}${error}  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(sums)}>\n${suite}</testsuites>\n`;
}

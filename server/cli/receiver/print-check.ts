/** The report of a check for people: a line for each row as it ends, its problems below it, and the totals. */
import { styleText } from "node:util";
import type { CheckLanguage } from "../../contract/provider/checks/check-language.ts";
import { reportWords, sayRow } from "../../contract/provider/checks/check-report-words.ts";
import type {
  ReceiverCheck,
  ReceiverCheckProgress,
  ReceiverCheckResult,
} from "../../contract/provider/checks/receiver-checks.ts";
import { printable } from "../../process/terminal/print-text.ts";

interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const indent = " ".repeat(6);

const marks = {
  pass: { text: "pass", color: "green" },
  fail: { text: "FAIL", color: "red" },
  not_judged: { text: "–   ", color: "gray" },
} as const;

interface PrintOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly title: (check: ReceiverCheck) => string;
  readonly language?: CheckLanguage | undefined;
}

export function createCheckPrinter(
  out: Terminal,
  { env, title, language = "en" }: PrintOptions,
): (progress: ReceiverCheckProgress) => void {
  const say = sayRow(language);
  const words = reportWords[language];
  const isLive = out.isTTY === true;
  const hasColors = isLive && env["NO_COLOR"] === undefined;
  const paint = (color: (typeof marks)[keyof typeof marks]["color"] | "bold", text: string) =>
    hasColors ? styleText(color, printable(text), { validateStream: false }) : printable(text);
  let done = 0;
  let planned = 0;
  let width = 0;

  function result({ row, verdict, seen, failings, sent, right, why }: ReceiverCheckResult): string {
    const { text, color } = marks[verdict];
    const line = `${paint(color, text)}  ${row.padEnd(width)}  ${printable(seen)}\n`;
    if (verdict !== "fail") return line;
    const lines = [
      ...failings.map((one) => paint("red", one)),
      printable(`${words.sent}${say(sent)}`),
      printable(`${words.right}${say(right)}`),
      printable(`${words.why}${say(why)}`),
    ];
    return line + lines.map((one) => `${indent}${one}\n`).join("");
  }

  function sum({ counts, started_at, ended_at = started_at, state }: ReceiverCheck): string {
    const seconds = ((Date.parse(ended_at) - Date.parse(started_at)) / 1000).toFixed(1);
    const parts = [
      paint("green", `${String(counts.pass)} passed`),
      counts.fail > 0 && paint("red", `${String(counts.fail)} failed`),
      counts.not_judged > 0 && `${String(counts.not_judged)} not judged`,
    ];
    const end = state === "done" ? "" : ` (${state})`;
    return `\n${parts.filter((one) => one !== false).join(", ")}, in ${seconds} s${end}\n`;
  }

  const clear = () => isLive && out.write("\r\x1b[2K");

  return (progress) => {
    switch (progress.type) {
      case "started":
        planned = progress.check.planned.length;
        width = Math.max(...progress.check.planned.map((row) => row.length));
        out.write(`${paint("bold", title(progress.check))}\n\n`);
        break;
      case "row":
        if (isLive) out.write(`${String(done + 1)}/${String(planned)} ${progress.row} …`);
        break;
      case "result":
        done++;
        clear();
        out.write(result(progress.result));
        break;
      case "ended":
        clear();
        out.write(sum(progress.check));
    }
  };
}

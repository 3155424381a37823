import type { ProgressLine } from "../../contract/model/ollama-library.ts";
import { byteText } from "../../process/terminal/byte-text.ts";
import { printable, printLine } from "../../process/terminal/print-text.ts";
import { percentText, rewriteLine, type Output } from "../progress-line.ts";

function textOf({ status, total, completed = 0 }: ProgressLine): string {
  if (total === undefined) return status;
  return `${percentText(status, completed, total)}  ${byteText(completed)} of ${byteText(total)}`;
}

/** Shows progress lines: on a terminal the last one is updated, elsewhere each status is written once. */
export async function showProgress(lines: AsyncIterable<ProgressLine>, out: Output): Promise<void> {
  let status: string | undefined;
  for await (const line of lines) {
    const isNew = line.status !== status;
    status = line.status;
    if (out.isTTY === true) out.write(`${isNew ? "\n" : ""}${rewriteLine}${printable(textOf(line))}`);
    else if (isNew) printLine(line.status, out);
  }
  if (out.isTTY === true) printLine("", out);
}

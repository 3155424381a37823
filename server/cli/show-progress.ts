import { printable, printLine } from "../process/terminal/print-text.ts";
import type { ProgressLine } from "./model-client.ts";

/** A size as people read it, in decimal units. */
export const byteText = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(1)} GB`
    : bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${String(bytes)} B`;

function textOf({ status = "", total, completed = 0 }: ProgressLine): string {
  if (total === undefined) return status;
  const percent = total === 0 ? 100 : Math.floor((completed / total) * 100);
  return `${status}  ${String(percent).padStart(3)} %  ${byteText(completed)} of ${byteText(total)}`;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows lines as they come: on a terminal the last one moves, elsewhere each status is written once. */
export async function showProgress(lines: AsyncIterable<ProgressLine>, out: Output): Promise<void> {
  let status: string | undefined;
  for await (const line of lines) {
    const isNew = line.status !== status;
    status = line.status;
    if (out.isTTY === true) out.write(`${isNew ? "\n" : "\r"}\u001B[K${printable(textOf(line))}`);
    else if (isNew) printLine(line.status ?? "", out);
  }
  if (out.isTTY === true) printLine("", out);
}

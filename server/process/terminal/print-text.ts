/**
 * All output to a terminal passes through here. Names of files and models, paths and messages of other programs may
 * contain control characters (which clear the screen, set the title or overwrite earlier output) or characters that
 * reverse the text. These functions escape all of them.
 */
import { setImmediate } from "node:timers/promises";
import { getSystemErrorMap } from "node:util";
import { isDiskFull } from "../../contract/process/disk-full.ts";

/** Control characters except the tab, line separators, and characters that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- they are what this is about
const obeyed = /[\0-\x08\n-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes as in JSON, so that text within JSON keeps its meaning. */
function escapeOf(character: string): string {
  const inJson = JSON.stringify(character).slice(1, -1);
  return inJson === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : inJson;
}

/** Text as one line without control characters: `\u001b` for an escape, `\n` for a line end. */
export const printable = (text: string): string => text.replace(obeyed, escapeOf);

/** The same for text of several lines, such as a stack or a help text. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** The error that has prevented output on stdout. A reader that has ended does not count. */
let problem: NodeJS.ErrnoException | undefined;

/** Errors of a reader that has ended, and of a closed terminal. */
const nobodyReads = new Set(["EPIPE", "EIO", "ENXIO", "EBADF"]);

/**
 * Lets the process survive lost output: on a full disk, after the reader has ended (`hearth serve
 * head`), or on a closed terminal. Commands that need their output call `outputWritten`.
 */
export function outliveOutput(): void {
  for (const out of [process.stdout, process.stderr])
    out.on("error", (error: NodeJS.ErrnoException) => {
      if (nobodyReads.has(error.code ?? "")) return;
      if (!isDiskFull(error)) throw error;
      if (out === process.stdout) problem = error;
    });
}

/** Output on stdout has been lost to a full disk: one line. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** @throws OutputError when output on stdout was lost to a full disk */
export async function outputWritten(): Promise<void> {
  // Files are written at once, but failures are reported in a later turn.
  await setImmediate();
  if (problem === undefined) return;
  const [, reason = problem.message] = getSystemErrorMap().get(problem.errno ?? 0) ?? [];
  throw new OutputError(`the output cannot be written: ${reason}`);
}

interface Output {
  write(text: string): unknown;
}

/** Prints text as one line. */
export const printLine = (line: string, out: Output = process.stdout): void => void out.write(`${printable(line)}\n`);

/** Prints text with its line breaks. */
export const printLines = (text: string, out: Output = process.stdout): void => void out.write(printableLines(text));

/** Prints an error on stderr, in one line. */
export const printError = (message: string): void => printLine(`hearth: ${message}`, process.stderr);

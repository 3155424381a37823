/**
 * All output to a terminal passes through here. Names of files and models, paths and messages of other programs may
 * contain control characters (which clear the screen, set the title or overwrite earlier output) or characters that
 * reverse the text. These functions escape all of them.
 */
import { isDiskFull } from "../../contract/process/disk-full.ts";

/** Control characters except the tab, line separators, and characters that change the direction of text. */
// eslint-disable-next-line no-control-regex -- they are what this is about
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

/**
 * Ignores output that is lost to a full disk or to a reader that has ended (`hearth serve | head`): the process
 * continues.
 */
export function outliveOutput(): void {
  for (const out of [process.stdout, process.stderr])
    out.on("error", (error: NodeJS.ErrnoException) => {
      if (!isDiskFull(error) && error.code !== "EPIPE") throw error;
    });
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

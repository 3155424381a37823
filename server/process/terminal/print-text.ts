/**
 * The one way to a terminal. Names of files and models, paths, messages of other programs: any of them may hold characters
 * that a terminal obeys (it clears the screen, sets the title, writes over what was printed before) or that turn around what
 * is read. Nothing of the kind leaves here as it is.
 */
import { isDiskFull } from "../../contract/process/disk-full.ts";

/** Control characters but the tab, line separators, and what changes the direction of text. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const obeyed = /[\0-\x08\n-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** As in JSON, so that text within JSON means the same afterwards. */
function escapeOf(character: string): string {
  const inJson = JSON.stringify(character).slice(1, -1);
  return inJson === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : inJson;
}

/** Text as one line that a terminal shows and does not obey: `\u001b` for an escape, `\n` for a line end. */
export const printable = (text: string): string => text.replace(obeyed, escapeOf);

/** The same for text of several lines, such as a stack or a help text. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/**
 * Output that goes into a file on a full disk, or to a reader that has ended (`hearth serve | head`), is lost; what prints goes
 * on.
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

/** Prints one line, whatever is in it. */
export const printLine = (line: string, out: Output = process.stdout): void => void out.write(`${printable(line)}\n`);

/** Prints lines as they are divided. */
export const printLines = (text: string, out: Output = process.stdout): void => void out.write(printableLines(text));

/** Tells on stderr, in one line, what went wrong. */
export const printError = (message: string): void => printLine(`hearth: ${message}`, process.stderr);

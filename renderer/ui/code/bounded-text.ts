/** Bounds texts to what a browser lays out at once: marks and joined letters take it the square of their number. */

const longestLine = 2_000;
const longestRun = 500;
const letters = /(?:(?![\s\p{P}])[\u0080-\u{10ffff}])+/gu;

/** The pieces of a text, none longer than `length`. A pair of surrogates stays together. */
function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0, end; at < text.length; at = end) {
    end = at + length;
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    pieces.push(text.slice(at, end));
  }
  return pieces;
}

/** The text with ends of lines in runs of letters and marks that have no space. English and code stay as they are. */
export const withBrokenRuns = (text: string): string =>
  text.replace(letters, (run) => piecesOf(run, longestRun).join("\n"));

/** Whether a text has such a run. */
export const hasLongRun = (text: string): boolean => withBrokenRuns(text).length > text.length;

export interface BoundedLines {
  /** Longer lines end early. */
  readonly cut: string;
  /** Longer lines go on as further ones. */
  readonly broken: string;
  /** How many characters `cut` lacks. */
  readonly hidden: number;
}

/** Undefined for a text whose lines are short. */
export function boundLines(text: string): BoundedLines | undefined {
  const lines = text.split("\n").map((line) => piecesOf(line, longestLine));
  if (lines.every((pieces) => pieces.length < 2)) return undefined;
  const cut = lines.map(([first = "", ...more]) => (more.length === 0 ? first : `${first}…`));
  const hidden = lines.flatMap((pieces) => pieces.slice(1)).reduce((sum, piece) => sum + piece.length, 0);
  return { cut: cut.join("\n"), broken: lines.map((pieces) => pieces.join("\n")).join("\n"), hidden };
}

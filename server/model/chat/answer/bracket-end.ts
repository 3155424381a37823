/** Finds the ends of brackets in text that grows: each character is looked at once. */
export interface BracketScan {
  from: number;
  /** The next character to look at. */
  at: number;
  depth: number;
  /** The quote of the string that is open; "" outside strings. */
  quote: string;
  isEscaped: boolean;
  end: number | undefined;
}

export const bracketScan = (from = 0): BracketScan => ({
  from,
  at: from,
  depth: 0,
  quote: "",
  isEscaped: false,
  end: undefined,
});

/** Each kind of characters as a text. */
interface Brackets {
  readonly opening: string;
  readonly closing: string;
  readonly quotes: string;
}

/**
 * The end behind the bracket that closes the one at `from`; undefined while it is missing. `scan`: of the beginning of this
 * text, which is not read again.
 */
export function bracketEnd(
  text: string,
  from: number,
  { opening, closing, quotes }: Brackets,
  scan = bracketScan(from),
): number | undefined {
  if (scan.from !== from) Object.assign(scan, bracketScan(from));
  for (; scan.end === undefined && scan.at < text.length; scan.at++) {
    const character = text.charAt(scan.at);
    if (scan.isEscaped) scan.isEscaped = false;
    else if (scan.quote !== "") {
      if (character === "\\") scan.isEscaped = true;
      else if (character === scan.quote) scan.quote = "";
    } else if (quotes.includes(character)) scan.quote = character;
    else if (opening.includes(character)) scan.depth++;
    else if (closing.includes(character) && --scan.depth === 0) scan.end = scan.at + 1;
  }
  return scan.end;
}

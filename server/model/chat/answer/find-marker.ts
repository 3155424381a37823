/** Finds markers in text that comes in pieces: the first one, and how much of the end may be the beginning of one. */
import type { AnswerEnd } from "./answer-part.ts";

export interface FoundMarker {
  readonly at: number;
  readonly marker: string;
}

/** The first marker in the text; the longer one if two begin at the same place. */
export function findMarker(text: string, markers: readonly string[]): FoundMarker | undefined {
  let best: FoundMarker | undefined;
  for (const marker of markers) {
    const at = text.indexOf(marker);
    if (at < 0) continue;
    if (best === undefined || at < best.at || (at === best.at && marker.length > best.marker.length))
      best = { at, marker };
  }
  return best;
}

/** Length of the longest end of the text that is a proper beginning of one of the markers. */
export function heldLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(({ length }) => length - 1));
  for (let length = Math.min(text.length, longest); length > 0; length--) {
    const end = text.slice(-length);
    if (markers.some((marker) => marker.length > length && marker.startsWith(end))) return length;
  }
  return 0;
}

/**
 * The same at the end of an answer: nothing can follow, so nothing is held back, but a truncated marker is not text. A
 * single character is more often text than the beginning of a marker.
 */
export function cutLength(text: string, markers: readonly string[], end: AnswerEnd): number {
  const length = end === "length" ? heldLength(text, markers) : 0;
  return length > 1 ? length : 0;
}

/** True when the whole text may become one of the markers. */
export const mayTurnInto = (text: string, markers: readonly string[]) =>
  markers.some((marker) => marker.startsWith(text));

/** False for an opening that begins with a word: it is text where no call follows. */
export const isMarkup = (marker: string) => !/^\w/.test(marker);

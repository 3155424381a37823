/**
 * Cuts generated text at the first stop string. Text that may start one is held back until the next piece decides, so
 * that no part of a stop string is emitted.
 */
export interface StopText {
  /** Takes the next piece. Returns the text to emit now, and whether a stop string was found. */
  push(piece: string): { text: string; stopped: boolean };
  /** The text still held back when the generation ends for another reason. */
  rest(): string;
}

/** Length of the longest suffix of `text` that is a proper prefix of `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}

export function createStopText(stops: readonly string[]): StopText {
  let held = "";
  return {
    push(piece) {
      held += piece;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      if (found.length > 0) {
        const text = held.slice(0, Math.min(...found));
        held = "";
        return { text, stopped: true };
      }
      const keep = Math.max(0, ...stops.map((stop) => overlap(held, stop)));
      const text = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return { text, stopped: false };
    },
    rest() {
      const text = held;
      held = "";
      return text;
    },
  };
}

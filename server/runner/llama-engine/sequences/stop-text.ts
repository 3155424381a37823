/**
 * Cuts generated text at the first stop string. Text that may start one is held back until the next piece decides, so
 * that no part of a stop string is emitted.
 */
export interface StopText {
  /** Takes the next piece. Returns the text to emit now, and the stop string that was found, if any. */
  push(piece: string): { text: string; stop: string | undefined };
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
      const found = stops.map((stop) => ({ stop, at: held.indexOf(stop) })).filter(({ at }) => at >= 0);
      const [first] = found.sort((a, b) => a.at - b.at);
      if (first !== undefined) {
        const text = held.slice(0, first.at);
        held = "";
        return { text, stop: first.stop };
      }
      const keep = Math.max(0, ...stops.map((stop) => overlap(held, stop)));
      const text = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return { text, stop: undefined };
    },
    rest() {
      const text = held;
      held = "";
      return text;
    },
  };
}

/**
 * Holds a generation's lines until its reader takes them. Bounded: the writer checks `isFull` first, so that a slow
 * reader delays only its own generation.
 */
export interface LineBuffer<Line> {
  readonly isFull: boolean;
  push(line: Line): void;
  /** Ends the lines. With a reason, the reader gets it after the last line. */
  end(failure?: unknown): void;
  /**
   * Yields the lines to one reader, each time all that have arrived, so that lines of one moment stay together.
   * @throws the failure given to `end`; the signal's reason at once when aborted.
   */
  read(signal: AbortSignal): AsyncGenerator<readonly Line[], void>;
}

const mostLines = 64;

/** `onRoom` is called when a full buffer has room again. */
export function createLineBuffer<Line>(onRoom: () => void): LineBuffer<Line> {
  let lines: Line[] = [];
  let ended = false;
  let failure: unknown;
  let news = Promise.withResolvers<void>();

  return {
    get isFull() {
      return lines.length >= mostLines;
    },
    push(line) {
      lines.push(line);
      news.resolve();
    },
    end(reason) {
      if (ended) return;
      ended = true;
      failure = reason;
      news.resolve();
    },
    async *read(signal) {
      const wake = () => news.resolve();
      signal.addEventListener("abort", wake, { once: true });
      try {
        for (;;) {
          signal.throwIfAborted();
          if (lines.length > 0) {
            const taken = lines;
            lines = [];
            if (taken.length >= mostLines) onRoom();
            yield taken;
          } else if (ended) {
            if (failure !== undefined) throw failure as Error;
            return;
          } else {
            await news.promise;
            news = Promise.withResolvers();
          }
        }
      } finally {
        signal.removeEventListener("abort", wake);
      }
    },
  };
}

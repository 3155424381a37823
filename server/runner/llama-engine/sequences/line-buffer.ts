/**
 * What a generation has to say, until its reader takes it. Bounded: whoever writes asks `isFull` first, so that a slow
 * reader holds up its own generation and no other.
 */
export interface LineBuffer<Line> {
  readonly isFull: boolean;
  push(line: Line): void;
  /** Nothing more comes; with a reason, the reader gets that after the lines. */
  end(failure?: unknown): void;
  /**
   * The lines, to one reader: each time all that have come, so that those of one moment go together.
   * @throws what `end` was given; the signal's reason at once when aborted.
   */
  read(signal: AbortSignal): AsyncGenerator<readonly Line[], void>;
}

const mostLines = 64;

/** `onRoom` comes when a full buffer has room again. */
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

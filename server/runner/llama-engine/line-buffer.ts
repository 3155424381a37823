/**
 * What a generation has to say, until its reader takes it. Bounded: whoever writes asks `isFull` first, so that a slow
 * reader holds up its own generation and no other.
 */
export interface LineBuffer<Line> {
  readonly isFull: boolean;
  push(line: Line): void;
  /** Nothing more comes; with a reason, the reader gets that after the lines. */
  end(failure?: unknown): void;
  /** The lines, to one reader. @throws what `end` was given; the signal's reason at once when aborted. */
  read(signal: AbortSignal): AsyncGenerator<Line, void>;
}

const mostLines = 64;

/** `onRoom` comes when a full buffer has room again. */
export function createLineBuffer<Line>(onRoom: () => void): LineBuffer<Line> {
  const lines: Line[] = [];
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
          const wasFull = lines.length >= mostLines;
          const line = lines.shift();
          if (line !== undefined) {
            if (wasFull) onRoom();
            yield line;
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

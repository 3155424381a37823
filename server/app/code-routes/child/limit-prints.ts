/** The prints of the code: lines on their way to the log, bounded in length and number. */

const longestLine = 2_000;
/** As many at once, and as many per second. */
const mostAtOnce = 200;
const perSecond = 50;

/** A bucket: a line takes one unit, and units return with the time. */
class Allowance {
  #left = mostAtOnce;
  #countedAt = performance.now();
  #refused = 0;

  /** Whether one more line may go, and how many could not since the last that went. */
  take(): { refused: number } | undefined {
    const now = performance.now();
    this.#left = Math.min(mostAtOnce, this.#left + ((now - this.#countedAt) / 1_000) * perSecond);
    this.#countedAt = now;
    if (this.#left < 1) {
      this.#refused++;
      return undefined;
    }
    this.#left--;
    const refused = this.#refused;
    this.#refused = 0;
    return { refused };
  }
}

type Send = (isError: boolean, line: string) => void;

/** One allowance for prints and stray errors together. */
export const allowance = new Allowance();

/** Replaces the outputs of the process. */
export function takePrints(send: Send): void {
  for (const [stream, isError] of [
    [process.stdout, false],
    [process.stderr, true],
  ] as const) {
    let begun = "";
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      // A line without an end must not grow.
      begun = (begun + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString())).slice(-64 * 1024);
      const lines = begun.split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) {
        const taken = allowance.take();
        if (!taken) continue;
        if (taken.refused > 0) send(true, `${String(taken.refused)} lines were left out`);
        send(isError, line.length > longestLine ? `${line.slice(0, longestLine)}…` : line);
      }
      const done = rest.find((one) => typeof one === "function");
      if (done) queueMicrotask(done as () => void);
      return true;
    };
  }
}

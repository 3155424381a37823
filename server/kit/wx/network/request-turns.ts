/** How many requests, uploads and downloads of a program the platform runs at the same time. */
const mostAtOnce = 10;

/** Lets so many tasks run; the others wait for their turn, in order. */
export class RequestTurns {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** @throws the signal's reason when it is aborted before the turn */
  async run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (this.#running < mostAtOnce) this.#running++;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      this.#passOn();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const leave = () => {
      if (this.#waiting.delete(resolve)) reject(signal.reason as Error);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) return void this.#running--;
    this.#waiting.delete(next);
    next();
  }
}

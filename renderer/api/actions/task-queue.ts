/** Runs tasks in the order in which they are added, at most `limit` at a time. A failed task does not stop the next one. */
export class TaskQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

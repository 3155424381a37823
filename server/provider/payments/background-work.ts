interface Hooks {
  readonly onError: (error: unknown) => void;
  /** Called after each end, whatever it was. */
  readonly onEnd?: () => void;
}

/** Work that nobody awaits but the end of the simulator. */
export class BackgroundWork {
  readonly #hooks: Hooks;
  readonly #running = new Set<Promise<void>>();

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  get size(): number {
    return this.#running.size;
  }

  run(work: Promise<unknown>): void {
    const { onError, onEnd } = this.#hooks;
    const done: Promise<void> = work
      .then(() => undefined, onError)
      .finally(() => {
        this.#running.delete(done);
        onEnd?.();
      });
    this.#running.add(done);
  }

  /** Waits for what runs now. */
  async wait(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

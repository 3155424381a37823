/** The calls of the code that run. */
import type { CodeAnswer, CodeRefusal, CodeRoute, FromChild } from "./child-messages.ts";

export type CodeResult =
  | { readonly answer: CodeAnswer }
  | { readonly refusal: CodeRefusal }
  | Pick<Extract<FromChild, { type: "invalid" }>, "problems">;

/** The reader of server-sent events. */
interface CodeReader {
  /** @throws HttpError 503 when there are too many */
  readonly open: () => void;
  /** Resolves when it can take more; false once it is gone. */
  readonly write: (frame: string) => Promise<boolean>;
  /** Aborts when it is gone. */
  readonly left: AbortSignal;
}

/** The caller of a call, for whom the code can act during it. */
export interface CodeCaller {
  /** Places an order for the caller. @throws HttpError */
  readonly pay: (order: unknown) => Promise<unknown>;
  readonly reader?: CodeReader;
}

export interface RunningCall {
  readonly route: CodeRoute;
  readonly caller: CodeCaller;
  readonly sentAt: number;
  readonly resolve: (result: CodeResult) => void;
  readonly reject: (error: unknown) => void;
  /** Set once its handler runs. */
  deadline?: NodeJS.Timeout;
}

/** The calls of one process by their ids. A call becomes a stream when its events begin: nothing waits for the end of those. */
export class RunningCalls {
  readonly #calls = new Map<number, RunningCall>();
  readonly #streams = new Map<number, RunningCall>();
  /** What waits until no call is left. */
  #onIdle: () => void = () => undefined;
  #lastId = 0;

  /** The number of calls that are not streams. */
  get size(): number {
    return this.#calls.size;
  }

  /** Returns its id. */
  add(call: RunningCall): number {
    this.#calls.set(++this.#lastId, call);
    return this.#lastId;
  }

  find(id: number): RunningCall | undefined {
    return this.#calls.get(id) ?? this.#streams.get(id);
  }

  /** Removes a call, which then has no deadline. */
  drop(id: number): RunningCall | undefined {
    const call = this.find(id);
    clearTimeout(call?.deadline);
    this.#streams.delete(id);
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#onIdle();
    return call;
  }

  /** Makes a dropped call a stream. */
  addStream(id: number, call: RunningCall): void {
    this.#streams.set(id, call);
  }

  /** Rejects all calls and streams. */
  rejectAll(errorFor: (call: RunningCall) => Error): void {
    for (const [id, call] of [...this.#calls, ...this.#streams]) {
      const error = errorFor(call);
      this.drop(id);
      call.reject(error);
    }
  }

  /** Whether a call waits for this long, and no handler runs. */
  isStuck(forMs: number): boolean {
    const [oldest] = this.#calls.values();
    if (!oldest || performance.now() - oldest.sentAt < forMs) return false;
    return [...this.#calls.values()].every(({ deadline }) => deadline === undefined);
  }

  /** Resolves when no call runs, or after the time. */
  async idle(withinMs: number): Promise<void> {
    if (this.#calls.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const late = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(late);
  }
}

/** Attempts of one request at the upstreams of its model: each is asked once, until one answers. */
import type { RemoteModel } from "../models/library/installed-model.ts";
import { OllamaError } from "../ollama-error.ts";
import { UpstreamError } from "./upstream-error.ts";
import type { UpstreamLease, UpstreamPool } from "./upstream-pool.ts";

/** The error for the client: a single failure unchanged, several in one text. */
function failureOf(model: string, failures: readonly UpstreamError[]): Error {
  const [first, ...others] = failures;
  if (first === undefined)
    return new OllamaError(503, `model '${model}' has no upstream: add one to the setting upstreams`);
  if (others.length === 0) return first;
  // 503: it may pass; 501: none of them has it.
  const shared = [503, 501].find((status) => failures.every((failure) => failure.status === status));
  const texts = failures.map(({ message }) => message).join("; ");
  return new OllamaError(shared ?? 502, `no upstream answers for model '${model}': ${texts}`, first);
}

/** States: an attempt runs between `acquire` and either `failed` or the end of the request; the caller releases leases. */
export class UpstreamAttempts {
  readonly #pool: UpstreamPool;
  /** The model's name as the client sent it. */
  readonly #sent: string;
  readonly #targets: RemoteModel["targets"];
  readonly #signal: AbortSignal;
  readonly #tried = new Set<UpstreamLease["upstream"]>();
  readonly #failures: UpstreamError[] = [];

  constructor(pool: UpstreamPool, sent: string, { targets }: RemoteModel, signal: AbortSignal) {
    this.#pool = pool;
    this.#sent = sent;
    this.#targets = targets;
    this.#signal = signal;
  }

  /** @throws the failures, once none is left */
  acquire(): UpstreamLease {
    const lease = this.#pool.acquire(this.#targets, this.#tried);
    if (lease === undefined) throw failureOf(this.#sent, this.#failures);
    this.#tried.add(lease.upstream);
    return lease;
  }

  /** Returns if another upstream may do better; none may once the answer has begun. @throws the error otherwise */
  failed(lease: UpstreamLease, error: unknown, isBegun = false): void {
    this.#signal.throwIfAborted();
    if (!(error instanceof UpstreamError)) throw error;
    lease.failed(error);
    if (!error.mayRetry || isBegun) throw error;
    this.#failures.push(error);
  }

  /** Asks one upstream after another. @throws as `failed` */
  async ask<T>(work: (lease: UpstreamLease, signal: AbortSignal) => Promise<T>): Promise<T> {
    for (;;) {
      const lease = this.acquire();
      try {
        return await work(lease, this.signalOf(lease));
      } catch (error) {
        this.failed(lease, error);
      } finally {
        lease.release();
      }
    }
  }

  /** Aborts with the request, or when the upstream is lost. */
  signalOf({ lost }: UpstreamLease): AbortSignal {
    return AbortSignal.any([this.#signal, lost]);
  }
}

/**
 * Assigns sequences to prompts. A sequence keeps the state of the tokens that it has evaluated. A prompt goes to the
 * sequence that already holds most of it, so that several conversations each keep theirs.
 */
import { RunnerFailure } from "../../runner-failure.ts";

/** The part of an engine's sequence that the pool reads. */
export interface PooledSequence<Token> {
  readonly contextTokens: readonly Token[];
}

export interface Slot<Sequence> {
  /** Position in a batch: the engine evaluates sequences in this order. */
  readonly index: number;
  readonly sequence: Sequence;
}

export interface SequencePool<Sequence, Token> {
  readonly free: number;
  readonly waiting: number;
  /** First come, first served. @throws RunnerFailure not_loaded when closed; the signal's reason when aborted. */
  take(tokens: readonly Token[], signal: AbortSignal): Promise<Slot<Sequence>>;
  give(slot: Slot<Sequence>): void;
  /** Refuses waiting and new callers. Resolves with all sequences, the most recently used first, when they are free. */
  close(): Promise<Sequence[]>;
}

interface Waiting<Sequence, Token> {
  readonly tokens: readonly Token[];
  readonly resolve: (slot: Slot<Sequence>) => void;
  readonly reject: (reason: unknown) => void;
}

/** How many elements both begin with. */
export function commonLength<Token>(a: ArrayLike<Token>, b: ArrayLike<Token>): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

/** A prompt may evict at most this multiple of the tokens that it reuses. */
const maxEvictedPerReused = 4;

/** Whether a prompt continues the conversation of this state, or branches off from it. */
function isSameConversation(common: number, { held, prompt }: { held: number; prompt: number }): boolean {
  // The state holds the whole prompt: the same question is asked again.
  if (common * 2 >= held || (common === prompt && prompt > 1)) return true;
  return common * 2 >= prompt && held - common <= common * maxEvictedPerReused;
}

/**
 * Returns the slot whose state shares the longest prefix with the prompt, if both look like one conversation. Otherwise
 * it returns the least recently used slot, because the conversations of the others may continue.
 * @param slots least recently used first
 */
export function bestSlot<Token, Sequence extends PooledSequence<Token>>(
  slots: readonly Slot<Sequence>[],
  tokens: readonly Token[],
): Slot<Sequence> | undefined {
  let best: { slot: Slot<Sequence>; common: number } | undefined;
  for (const slot of slots) {
    const held = slot.sequence.contextTokens;
    const common = commonLength(held, tokens);
    const lengths = { held: held.length, prompt: tokens.length };
    if (common > (best?.common ?? 0) && isSameConversation(common, lengths)) best = { slot, common };
  }
  return best?.slot ?? slots[0];
}

export function createSequencePool<Token, Sequence extends PooledSequence<Token>>(
  sequences: readonly Sequence[],
): SequencePool<Sequence, Token> {
  /** Least recently used first. */
  let free: Slot<Sequence>[] = sequences.map((sequence, index) => ({ index, sequence }));
  let waiting: Waiting<Sequence, Token>[] = [];
  let closing: PromiseWithResolvers<void> | undefined;

  const unloaded = () => new RunnerFailure("not_loaded", "the model was unloaded");

  function serve(): void {
    for (let next = waiting[0]; next !== undefined && free.length > 0; next = waiting[0]) {
      waiting.shift();
      const slot = bestSlot(free, next.tokens);
      if (slot === undefined) return;
      free = free.filter((other) => other !== slot);
      next.resolve(slot);
    }
  }

  return {
    get free() {
      return free.length;
    },
    get waiting() {
      return waiting.length;
    },
    async take(tokens, signal) {
      signal.throwIfAborted();
      if (closing) throw unloaded();
      const { promise, resolve, reject } = Promise.withResolvers<Slot<Sequence>>();
      const own = { tokens, resolve, reject };
      waiting.push(own);
      serve();
      const leave = () => {
        // A granted slot belongs to the caller, who returns it.
        if (!waiting.includes(own)) return;
        waiting = waiting.filter((other) => other !== own);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", leave));
    },
    give(slot) {
      free.push(slot);
      serve();
      if (free.length === sequences.length) closing?.resolve();
    },
    async close() {
      closing ??= Promise.withResolvers();
      for (const { reject } of waiting.splice(0)) reject(unloaded());
      if (free.length === sequences.length) closing.resolve();
      await closing.promise;
      return free.map(({ sequence }) => sequence).reverse();
    },
  };
}

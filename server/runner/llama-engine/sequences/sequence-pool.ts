/**
 * Who may use which sequence. A sequence keeps the state of what it has seen, so that a prompt goes where most of it is
 * there already, and several conversations keep theirs.
 */
import { RunnerFailure } from "../../runner-failure.ts";

/** What the pool needs of an engine's sequence. */
export interface PooledSequence<Token> {
  readonly contextTokens: readonly Token[];
}

export interface Slot<Sequence> {
  /** Place in a batch: sequences are evaluated in this order. */
  readonly index: number;
  readonly sequence: Sequence;
}

export interface SequencePool<Sequence, Token> {
  readonly free: number;
  readonly waiting: number;
  /** First come, first served. @throws RunnerFailure not_loaded when closed; the signal's reason when aborted. */
  take(tokens: readonly Token[], signal: AbortSignal): Promise<Slot<Sequence>>;
  give(slot: Slot<Sequence>): void;
  /** Refuses those who wait and those who come; resolves when all sequences are free. */
  close(): Promise<void>;
}

interface Waiting<Sequence, Token> {
  readonly tokens: readonly Token[];
  readonly resolve: (slot: Slot<Sequence>) => void;
  readonly reject: (reason: unknown) => void;
}

function commonLength<Token>(a: readonly Token[], b: readonly Token[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

/** So many times what it saves may a prompt drive out of a state of which it has only the beginning. */
const worthLosing = 4;

/** Whether a prompt goes on, or begins anew somewhere in, the conversation whose state this is. */
function isSameConversation(common: number, { held, prompt }: { held: number; prompt: number }): boolean {
  // All of the prompt is there: the same question again, whatever its answer was worth.
  if (common * 2 >= held || (common === prompt && prompt > 1)) return true;
  return common * 2 >= prompt && held - common <= common * worthLosing;
}

/**
 * The slot whose state has the most of the prompt, if it looks like the same conversation. Otherwise the one that was used
 * longest ago, for another one's conversation may go on. `slots` are in that order, the one used longest ago first.
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
  /** The one used longest ago first. */
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
        // Once the slot is granted it is the caller's, who gives it back.
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
    },
  };
}

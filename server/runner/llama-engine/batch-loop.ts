/**
 * Runs generations side by side, in rounds: each round evaluates one step of every generation, so that the engine takes
 * them in one batch. Without it the engine would batch N generations by N-1 at most, and unordered ones hardly at all.
 */

/** One generation, as the loop sees it. */
export interface Lane {
  /** Place of its sequence in a batch. */
  readonly index: number;
  /** Tokens of the prompt that are still to be evaluated; 0 while it generates. */
  readonly promptLeft: number;
  /** Its reader is behind: it takes no part until wake() is called. */
  readonly isBlocked: boolean;
  readonly isCancelled: boolean;
  /** Evaluates at most `slice` tokens of the prompt, or one of the answer. True when it is finished. Never throws. */
  step(slice: number): Promise<boolean>;
  /** Ends it, finished or not. Never throws. */
  end(): Promise<void>;
}

export interface BatchLoopOptions {
  /** Tokens that the engine evaluates at a time. */
  readonly batchSize: number;
  /** Called before each round; the round waits for it. */
  readonly beforeRound: () => Promise<void> | void;
  /** What a round was: generations that took part with a token each, tokens of prompts, milliseconds. */
  readonly afterRound: (round: { generating: number; prompt: number; ms: number }) => void;
}

/** Tokens of prompts in a round while others generate, who wait for it: about a tenth of a second for a large model. */
const sharedSlice = 32;

/** How many tokens of its prompt each lane may evaluate: equal shares, and what one does not need goes to the others. */
export function sharePrompts(lanes: readonly Lane[], batchSize: number): Map<Lane, number> {
  const reading = lanes.filter(({ promptLeft }) => promptLeft > 0).sort((a, b) => a.promptLeft - b.promptLeft);
  const generating = lanes.length - reading.length;
  let room = generating > 0 ? Math.min(sharedSlice, batchSize - generating) : batchSize;
  const shares = new Map<Lane, number>();
  for (const [i, lane] of reading.entries()) {
    const share = Math.max(1, Math.min(lane.promptLeft, Math.floor(room / (reading.length - i))));
    shares.set(lane, share);
    room -= share;
  }
  return shares;
}

export function createBatchLoop({ batchSize, beforeRound, afterRound }: BatchLoopOptions) {
  const lanes = new Set<Lane>();
  let isRunning = false;

  async function end(lane: Lane): Promise<void> {
    lanes.delete(lane);
    await lane.end();
  }

  async function round(ready: readonly Lane[]): Promise<void> {
    const shares = sharePrompts(ready, batchSize);
    const began = performance.now();
    const finished = await Promise.all(ready.map((lane) => lane.step(shares.get(lane) ?? 1)));
    const prompt = [...shares.values()].reduce((sum, share) => sum + share, 0);
    afterRound({ generating: ready.length - shares.size, prompt, ms: performance.now() - began });
    await Promise.all(ready.filter((_, i) => finished[i]).map(end));
  }

  async function run(): Promise<void> {
    for (;;) {
      await beforeRound();
      await Promise.all([...lanes].filter(({ isCancelled }) => isCancelled).map(end));
      const ready = [...lanes].filter(({ isBlocked }) => !isBlocked).sort((a, b) => a.index - b.index);
      if (ready.length === 0) return;
      await round(ready);
    }
  }

  /** To be called when a lane can go on, or has been cancelled. */
  function wake(): void {
    if (isRunning) return;
    isRunning = true;
    void run().finally(() => {
      isRunning = false;
      // What came while the last round's end was awaited.
      if ([...lanes].some(({ isBlocked, isCancelled }) => isCancelled || !isBlocked)) wake();
    });
  }

  return {
    add(lane: Lane): void {
      lanes.add(lane);
      wake();
    },
    wake,
  };
}

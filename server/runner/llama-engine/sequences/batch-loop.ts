/**
 * Runs generations side by side, in rounds: each round evaluates one step of every generation, so that the engine takes
 * them in one batch. Without it the engine would batch N generations by N-1 at most, and unordered ones hardly at all.
 */
import { setTimeout } from "node:timers/promises";

/** One generation, as the loop sees it. */
export interface Lane {
  /** Place of its sequence in a batch. */
  readonly index: number;
  /** Tokens of the prompt that are still to be evaluated; 0 while it generates. */
  readonly promptLeft: number;
  /** Its reader is behind: it takes no part until wake() is called. */
  readonly isBlocked: boolean;
  readonly isCancelled: boolean;
  /** Tokens that its last step drafted and evaluated. */
  readonly drafted: number;
  /**
   * Evaluates at most `slice` tokens: of the prompt, or the newest token of the answer and its draft. True when it is
   * finished. Never throws.
   */
  step(slice: number): Promise<boolean>;
  /** Ends it, finished or not. Never throws. */
  end(): Promise<void>;
}

export interface BatchLoopOptions {
  /** Tokens that the engine evaluates at a time. */
  readonly batchSize: number;
  /** Called before each round; the round waits for it. */
  readonly beforeRound: () => Promise<void> | void;
  /** A finished round: generations that took part with a token each, drafted tokens, prompt tokens, milliseconds. */
  readonly afterRound: (round: { generating: number; drafted: number; prompt: number; ms: number }) => void;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/**
 * How long those that generate wait in a round for parts of prompts; and for the end of all that are there, which costs
 * less than as many rounds. So many tokens are evaluated even so.
 */
const [partMs, endMs] = [150, 600];
const leastShared = 32;

/**
 * How long the engine rests at the end of a prompt. The first token has two more processes to pass; while the engine's
 * threads keep every core, that takes several times as long.
 */
const firstTokenMs = 1;

/**
 * How many tokens of its prompt each lane may evaluate: equal shares, and what one does not need goes to the others.
 * @param tokenMs milliseconds that a token of a prompt takes
 */
export function sharePrompts(lanes: readonly Lane[], batchSize: number, tokenMs: number): Map<Lane, number> {
  const reading = lanes.filter(({ promptLeft }) => promptLeft > 0).sort((a, b) => a.promptLeft - b.promptLeft);
  const generating = lanes.length - reading.length;
  const left = sum(reading.map(({ promptLeft }) => promptLeft));
  const shared = Math.max(leastShared, left * tokenMs <= endMs ? left : Math.floor(partMs / tokenMs));
  let room = generating > 0 ? Math.min(shared, batchSize - generating) : batchSize;
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
  /** As the last prompt was; at first as if it were long. */
  let promptTokenMs = Infinity;

  async function end(lane: Lane): Promise<void> {
    lanes.delete(lane);
    await lane.end();
  }

  async function round(ready: readonly Lane[]): Promise<void> {
    const shares = sharePrompts(ready, batchSize, promptTokenMs);
    const began = performance.now();
    // Guesses of one sequence cost the others a pass of their own: the engine cuts a batch into equal parts of each.
    const answerSlice = ready.length === 1 ? batchSize : 1;
    const finished = await Promise.all(ready.map((lane) => lane.step(shares.get(lane) ?? answerSlice)));
    const [prompt, drafted] = [sum(shares.values()), sum(ready.map((lane) => lane.drafted))];
    const generating = ready.length - shares.size;
    const ms = performance.now() - began;
    if (prompt > 0) promptTokenMs = ms / (prompt + generating);
    afterRound({ generating, drafted, prompt, ms });
    await Promise.all(ready.filter((_, i) => finished[i]).map(end));
    if ([...shares.keys()].some(({ promptLeft }) => promptLeft === 0)) await setTimeout(firstTokenMs);
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

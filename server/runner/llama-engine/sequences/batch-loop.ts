/**
 * Runs generations in parallel, in rounds: each round evaluates one step of every generation, so that the engine
 * processes them in one batch. By itself, the engine would batch at most N-1 of N generations, and hardly any that come
 * in no order.
 */
import { setTimeout } from "node:timers/promises";

/** One generation, as the loop uses it. */
export interface Lane {
  /** Position of its sequence in a batch. */
  readonly index: number;
  /** Tokens of the prompt that are not evaluated yet; 0 while it generates. */
  readonly promptLeft: number;
  /** Its reader lags behind: it is skipped until wake() is called. */
  readonly isBlocked: boolean;
  readonly isCancelled: boolean;
  /** Tokens that its last step drafted and evaluated. */
  readonly drafted: number;
  /**
   * Evaluates at most `slice` tokens: of the prompt, or the newest token of the answer and its draft. Returns true once
   * the generation is finished. Never throws.
   */
  step(slice: number): Promise<boolean>;
  /** Ends the generation, finished or not. Never throws. */
  end(): Promise<void>;
}

export interface BatchLoopOptions {
  /** Tokens that the engine evaluates in one batch. */
  readonly batchSize: number;
  /** Called before each round; the round waits for it. */
  readonly beforeRound: () => Promise<void> | void;
  /** Called after each round with counts of generations that got a token, drafted and prompt tokens, and ms. */
  readonly afterRound: (round: { generating: number; drafted: number; prompt: number; ms: number }) => void;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/**
 * How long generations wait in a round for a part of the prompts (`partMs`), or for the end of all present prompts
 * (`endMs`), which costs less than several rounds. At least `leastShared` prompt tokens are evaluated in any case.
 */
const [partMs, endMs] = [150, 600];
const leastShared = 32;

/**
 * The engine's pause after a prompt ends. The first token passes through two more processes, which takes several times
 * as long while the engine's threads occupy every core.
 */
const firstTokenMs = 1;

/**
 * How many prompt tokens each lane may evaluate: equal shares; what one lane does not need goes to the others.
 * @param tokenMs milliseconds per prompt token
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
  /** Measured on the last prompt; until then, prompts count as long. */
  let promptTokenMs = Infinity;

  async function end(lane: Lane): Promise<void> {
    lanes.delete(lane);
    await lane.end();
  }

  async function round(ready: readonly Lane[]): Promise<void> {
    const shares = sharePrompts(ready, batchSize, promptTokenMs);
    const began = performance.now();
    // Drafts of one sequence would cost the others an extra pass: the engine takes equal parts of each.
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

  /** Call it when a lane can continue or has been cancelled. */
  function wake(): void {
    if (isRunning) return;
    isRunning = true;
    void run().finally(() => {
      isRunning = false;
      // Lanes may have become ready while the last round ended.
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

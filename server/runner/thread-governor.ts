/**
 * Adapts the number of threads to the load of the machine. The engine's threads wait for each other many times per
 * token. If one of them has no core of its own, all of them slow down, to as much as a minute per token. A single
 * thread never does.
 */
import type { CpuUse } from "./cpu-use.ts";

/** A round of generations: how many got a token, drafted tokens, prompt tokens, milliseconds. */
export interface RoundFigures {
  readonly generating: number;
  readonly drafted: number;
  readonly prompt: number;
  readonly ms: number;
}

export interface ThreadGovernorOptions {
  /** The maximum number of threads. */
  readonly cores: number;
  /** Cores of the CPUs that `cpuUse` measures: more than `cores` when a quota limits this process. */
  readonly machineCores: number;
  readonly cpuUse: () => CpuUse;
  /** Sets the engine's number of threads; 0: no limit. */
  readonly apply: (threads: number) => void;
  readonly now?: () => number;
}

/** Interval of the load samples. */
const sampleMs = 250;
/** After a rest of this length, rounds start afresh: what occupied the cores may have ended. */
const restMs = 100;
/** Number and interval of the polls before such rounds; the requester may not be idle yet. */
const [pollsAfterRest, pollIntervalMs] = [3, 2];
/**
 * Share of a core that others may use without disturbing, as the clients of the generations do. Two threads on the rest
 * are then about as fast as one alone.
 */
const tolerated = 0.4;
/** A round that takes this many times its usual time triggers a sample. */
const surprising = 1.5;
/** CPU times come in hundredths of a second: a shorter interval would measure this resolution, not the programs. */
const leastWindowMs = 100;
/** A round that takes this many times its usual time counts as delayed. */
const heldUp = 3;
const heldUpRounds = 3;
/** How long one thread is kept after delayed rounds: doubled each time, up to the longest. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** The usual time of rounds, by their shape: the best so far, which slowly adapts to later rounds. */
function createUsualTimes() {
  const times = new Map<string, number>();
  return {
    of: (shape: string) => times.get(shape),
    add(shape: string, ms: number): void {
      const known = times.get(shape);
      times.set(shape, known === undefined || ms < known ? ms : known * 1.005);
    },
  };
}

export function createThreadGovernor(options: ThreadGovernorOptions) {
  const { cores, machineCores, cpuUse, apply, now = () => performance.now() } = options;
  const usual = createUsualTimes();
  let threads = 1;
  let last: CpuUse | undefined;
  let timer: NodeJS.Timeout | undefined;
  let users = 0;
  /** The number of threads that the last sample allowed: an increase needs two samples that agree. */
  let allowedBefore = 1;
  let slowRounds = 0;
  let pauseMs = firstPauseMs;
  let pausedUntil = 0;
  let lastRoundAt = 0;
  let holds = 0;
  let released = Promise.withResolvers<void>();

  function set(wanted: number): void {
    const next = now() < pausedUntil ? 1 : wanted;
    if (next === threads) return;
    threads = next;
    slowRounds = 0;
    if (holds === 0) apply(threads);
  }

  /** Samples the load, unless it was just sampled: the threads of other programs need cores of their own. */
  function sample(): void {
    const before = last;
    if (before !== undefined && now() - before.atMs < leastWindowMs) return;
    const use = cpuUse();
    last = use;
    if (before === undefined) return;
    const others = (use.busyMs - before.busyMs - (use.ownMs - before.ownMs)) / (use.atMs - before.atMs);
    const spare = machineCores - Math.max(0, others);
    const allowed = Math.max(1, Math.min(cores, Math.floor(spare + tolerated)));
    set(allowed > threads ? Math.max(threads, Math.min(allowed, allowedBefore)) : allowed);
    allowedBefore = allowed;
    if (threads > 1 && now() > pausedUntil + longestPauseMs) pauseMs = firstPauseMs;
  }

  /**
   * Busy times describe the past. While the engine does not run, the number of runnable threads describes the present.
   * So a request that follows another program's work gets all cores at once.
   */
  async function pollAfterRest(): Promise<void> {
    for (let polls = 0; polls < pollsAfterRest; polls++) {
      if (polls > 0) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
      const use = cpuUse();
      if (use.running === undefined) return;
      if (use.running > 1) continue;
      last = use;
      allowedBefore = cores;
      set(cores);
      return;
    }
  }

  const hasRested = () => threads < cores && now() - lastRoundAt > restMs;

  return {
    get threads() {
      return threads;
    },
    sample,
    /** Samples the load continually while the engine is in use. Must be matched by stop(). */
    start(): void {
      if (users++ > 0) return;
      sample();
      apply(threads);
      timer = setInterval(sample, sampleMs).unref();
    },
    stop(): void {
      if (--users > 0) return;
      clearInterval(timer);
      last = undefined;
    },
    /** Records a round of the model `id`. */
    observe(id: string, { generating, drafted, prompt, ms }: RoundFigures): void {
      lastRoundAt = now();
      // Rounds with prompts differ too much for a comparison.
      if (prompt > 0) return;
      const shape = (count: number) => `${id} ${String(generating)} ${String(drafted)} ${String(count)}`;
      const known = [usual.of(shape(threads)), usual.of(shape(1))].filter((time) => time !== undefined);
      const times = threads > 1 && known.length > 0 ? ms / Math.min(...known) : 0;
      const isHeldUp = times > heldUp;
      usual.add(shape(threads), ms);
      if (times > surprising) sample();
      slowRounds = isHeldUp ? slowRounds + 1 : 0;
      if (slowRounds < heldUpRounds) return;
      pausedUntil = now() + pauseMs;
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      set(1);
    },
    /** Resolves when rounds may continue. */
    ready: (): Promise<void> | undefined => (holds > 0 ? released.promise : hasRested() ? pollAfterRest() : undefined),
    /** Runs something without a limit, and no round in parallel: a context created under a limit would keep it. */
    async unlimited<Result>(run: () => Promise<Result>): Promise<Result> {
      if (holds++ === 0) {
        released = Promise.withResolvers();
        apply(0);
      }
      try {
        return await run();
      } finally {
        if (--holds === 0) {
          apply(threads);
          released.resolve();
        }
      }
    },
  };
}
export type ThreadGovernor = ReturnType<typeof createThreadGovernor>;

/**
 * Adapts the number of threads to what else runs on the machine. Threads of the engine wait for each other many times a
 * token: when one of them has no core of its own, all of them crawl, up to a minute for one token. One thread never does.
 */
import type { CpuUse } from "./cpu-use.ts";

/** A round of generations: how many took part with a token each, tokens guessed, tokens of prompts, milliseconds. */
export interface RoundFigures {
  readonly generating: number;
  readonly drafted: number;
  readonly prompt: number;
  readonly ms: number;
}

export interface ThreadGovernorOptions {
  /** The most threads. */
  readonly cores: number;
  /** Cores that the CPUs seen by `cpuUse` make up: more than `cores` when a quota limits this process. */
  readonly machineCores: number;
  readonly cpuUse: () => CpuUse;
  /** Makes the engine use so many threads; 0: no limit. */
  readonly apply: (threads: number) => void;
  readonly now?: () => number;
}

/** How often the machine is looked at. */
const sampleMs = 250;
/** Rounds that follow a rest of this length begin anew: what kept a thread from them may be over. */
const restMs = 100;
/** How often, and how far apart, the machine is looked at before them; who asks for the round may not be idle yet. */
const [pollsAfterRest, pollIntervalMs] = [3, 2];
/**
 * A part of a core that others may take without being in the way: the clients of the generations do. Two threads on what is
 * left are about as fast then as one alone.
 */
const tolerated = 0.4;
/** After a round that takes this many times its usual time the machine is looked at. */
const surprising = 1.5;
/** Times of CPUs come in hundredths of a second: a shorter time between two looks would tell of that, not of programs. */
const leastWindowMs = 100;
/** A round that takes this many times its usual time is held up. */
const heldUp = 3;
const heldUpRounds = 3;
/** How long one thread is kept after rounds were held up: doubled each time, up to the longest. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** The usual time of rounds, by their shape: the best seen, which slowly gives way to what comes. */
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
  /** What the last look allowed: more threads need two looks that agree. */
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

  /** Looks at the machine, unless it has just done so: other programs' threads need cores of their own. */
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
   * Busy times tell what was; the number of threads that want a core tells what is, while none of the engine's runs. So a
   * request that follows another program's work has all cores at once.
   */
  async function pollAfterRest(): Promise<void> {
    for (let styles = 0; styles < pollsAfterRest; styles++) {
      if (styles > 0) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
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
    /** While somebody uses it, the machine is looked at again and again. Must be matched by stop(). */
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
    /** Tells of a round of the model `id`. */
    observe(id: string, { generating, drafted, prompt, ms }: RoundFigures): void {
      lastRoundAt = now();
      // Rounds with prompts differ too much to be compared.
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
    /** Resolves when rounds may go on. */
    ready: (): Promise<void> | undefined => (holds > 0 ? released.promise : hasRested() ? pollAfterRest() : undefined),
    /** Runs something without a limit, and no round beside it: a limit would stay with a context that is made under it. */
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

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
const delayed = 3;
const delayedRounds = 3;
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

/**
 * States: at rest, or in use between start() and stop(); while in use, free to choose, or paused to one thread after delayed
 * rounds. Calls of unlimited() may overlap: rounds wait in ready() until the last one has ended.
 */
export class ThreadGovernor {
  readonly #options: ThreadGovernorOptions;
  readonly #now: () => number;
  readonly #usual = createUsualTimes();
  #threads = 1;
  #last: CpuUse | undefined;
  #timer: NodeJS.Timeout | undefined;
  #users = 0;
  /** The number of threads that the last sample allowed: an increase needs two samples that agree. */
  #allowedBefore = 1;
  #slowRounds = 0;
  #pauseMs = firstPauseMs;
  #pausedUntil = 0;
  #lastRoundAt = 0;
  #holds = 0;
  #released = Promise.withResolvers<void>();

  constructor(options: ThreadGovernorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get threads(): number {
    return this.#threads;
  }

  /** Samples the load, unless it was just sampled: the threads of other programs need cores of their own. */
  sample(): void {
    const before = this.#last;
    if (before !== undefined && this.#now() - before.atMs < leastWindowMs) return;
    const use = this.#options.cpuUse();
    this.#last = use;
    if (before === undefined) return;
    const others = (use.busyMs - before.busyMs - (use.ownMs - before.ownMs)) / (use.atMs - before.atMs);
    const spare = this.#options.machineCores - Math.max(0, others);
    const allowed = Math.max(1, Math.min(this.#options.cores, Math.floor(spare + tolerated)));
    this.#set(allowed > this.#threads ? Math.max(this.#threads, Math.min(allowed, this.#allowedBefore)) : allowed);
    this.#allowedBefore = allowed;
    if (this.#threads > 1 && this.#now() > this.#pausedUntil + longestPauseMs) this.#pauseMs = firstPauseMs;
  }

  /** Samples the load continually while the engine is in use. Must be matched by stop(). */
  start(): void {
    if (this.#users++ > 0) return;
    this.sample();
    this.#options.apply(this.#threads);
    this.#timer = setInterval(() => this.sample(), sampleMs).unref();
  }

  stop(): void {
    if (--this.#users > 0) return;
    clearInterval(this.#timer);
    this.#last = undefined;
  }

  /** Records a round of the model `id`. */
  observe(id: string, { generating, drafted, prompt, ms }: RoundFigures): void {
    this.#lastRoundAt = this.#now();
    // Rounds with prompts differ too much for a comparison.
    if (prompt > 0) return;
    const shape = (count: number) => `${id} ${String(generating)} ${String(drafted)} ${String(count)}`;
    const known = [this.#usual.of(shape(this.#threads)), this.#usual.of(shape(1))].filter((time) => time !== undefined);
    const times = this.#threads > 1 && known.length > 0 ? ms / Math.min(...known) : 0;
    this.#usual.add(shape(this.#threads), ms);
    if (times > surprising) this.sample();
    this.#slowRounds = times > delayed ? this.#slowRounds + 1 : 0;
    if (this.#slowRounds < delayedRounds) return;
    this.#pausedUntil = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    this.#set(1);
  }

  /** Resolves when rounds may continue; undefined: at once. */
  ready(): Promise<void> | undefined {
    if (this.#holds > 0) return this.#released.promise;
    return this.#hasRested() ? this.#pollAfterRest() : undefined;
  }

  /** Runs something without a limit, and no round in parallel: a context created under a limit would keep it. */
  async unlimited<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#holds++ === 0) {
      this.#released = Promise.withResolvers();
      this.#options.apply(0);
    }
    try {
      return await run();
    } finally {
      if (--this.#holds === 0) {
        this.#options.apply(this.#threads);
        this.#released.resolve();
      }
    }
  }

  #set(wanted: number): void {
    const next = this.#now() < this.#pausedUntil ? 1 : wanted;
    if (next === this.#threads) return;
    this.#threads = next;
    this.#slowRounds = 0;
    if (this.#holds === 0) this.#options.apply(this.#threads);
  }

  /**
   * Takes all cores at once where no other program runs. A request may follow another program's work, which the busy times
   * still show; while the engine does not run, the number of runnable threads describes the present.
   */
  async #pollAfterRest(): Promise<void> {
    for (let polls = 0; polls < pollsAfterRest; polls++) {
      if (polls > 0) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
      const use = this.#options.cpuUse();
      if (use.running === undefined) return;
      if (use.running > 1) continue;
      this.#last = use;
      this.#allowedBefore = this.#options.cores;
      this.#set(this.#options.cores);
      return;
    }
  }

  #hasRested(): boolean {
    return this.#threads < this.#options.cores && this.#now() - this.#lastRoundAt > restMs;
  }
}

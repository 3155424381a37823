/**
 * The upstreams: which of them answer, what they have, and who takes the next request. Those of the setting are checked
 * all the time; those that only a Modelfile names, while they are in use.
 */
import { parseUpstream, type UpstreamOptions } from "../../contract/process/upstream-setting.ts";
import type { RemoteTarget } from "../models/library/installed-model.ts";
import type { ListedModel, UpstreamApi } from "./upstream-api.ts";
import { UpstreamError } from "./upstream-error.ts";
import { startSharedTimer } from "../../trace/span.ts";

export interface PoolTuning {
  /** Between two checks of an upstream that answers. */
  readonly checkEveryMs: number;
  readonly checkWithinMs: number;
  /** After the first failed check; doubled with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Failed checks in a row, with no answer coming in meanwhile, after which requests in flight are given up. */
  readonly mostFailures: number;
  /** How long a request waits for the first check of an upstream. */
  readonly firstCheckMs: number;
  /** How long after its last use an upstream is checked that only a Modelfile names. */
  readonly idleMs: number;
}

export const defaultPoolTuning: PoolTuning = {
  checkEveryMs: 10_000,
  checkWithinMs: 10_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  mostFailures: 3,
  firstCheckMs: 3_000,
  idleMs: 10 * 60_000,
};

export interface PooledUpstream {
  readonly options: UpstreamOptions;
  readonly api: UpstreamApi;
  /** Whether it is in the setting, so that its models are listed. */
  readonly isListed: boolean;
  /** As of the newest check that it answered; undefined before. */
  readonly models: readonly ListedModel[] | undefined;
  /** Why it does not answer; undefined while it does, or before the first check. */
  readonly problem: string | undefined;
  readonly checkedAt: Date | undefined;
  /** When the service began to know it. */
  readonly since: Date;
  readonly inFlight: number;
}

/** The right to send one request to an upstream; `release` must be called once. */
export interface UpstreamLease {
  readonly upstream: PooledUpstream;
  /** The model's name there. */
  readonly model: string;
  /** Aborts with an UpstreamError when the upstream no longer answers its checks. */
  readonly lost: AbortSignal;
  /** Reports a failure, so that the upstream rests. */
  failed(error: UpstreamError): void;
  release(): void;
}

/** Called when an upstream begins to answer, or stops; `problem` says why. */
export type OnChange = (upstream: UpstreamOptions, problem: string | undefined) => void;

interface Member extends PooledUpstream {
  models: readonly ListedModel[] | undefined;
  problem: string | undefined;
  checkedAt: Date | undefined;
  inFlight: number;
  failures: number;
  /** Failed checks in a row since a part of an answer came: one that does a request at a time answers none meanwhile. */
  silentFailures: number;
  /** Milliseconds since 1970 until which others come first. */
  restUntil: number;
  /** Counts leases: of equally busy ones, the one that waited longest is next. */
  lastTurn: number;
  usedAt: number;
  life: AbortController;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  readonly first: PromiseWithResolvers<void>;
}

export interface PoolOptions {
  readonly tuning?: PoolTuning | undefined;
  readonly onChange: OnChange;
}

/**
 * States of an upstream: unchecked, then answering or with a problem; it may also rest for a while after a failure.
 * Checks of one upstream never overlap. An upstream that only a Modelfile names is checked while it is in use.
 */
export class UpstreamPool {
  readonly #createApi: (options: UpstreamOptions, onLine: () => void) => UpstreamApi;
  readonly #tuning: PoolTuning;
  readonly #onChange: OnChange;
  readonly #closing = new AbortController();
  readonly #members = new Map<string, Member>();
  #turns = 0;

  constructor(
    settings: readonly UpstreamOptions[],
    createApi: (options: UpstreamOptions, onLine: () => void) => UpstreamApi,
    { tuning = defaultPoolTuning, onChange }: PoolOptions,
  ) {
    this.#createApi = createApi;
    this.#tuning = tuning;
    this.#onChange = onChange;
    for (const options of settings) this.#add(options, true);
  }

  /** All of them, those of the setting first. */
  upstreams(): readonly PooledUpstream[] {
    return [...this.#members.values()];
  }

  /** The upstream at this base URL; made known when it is not yet. */
  at(url: string): PooledUpstream {
    return this.#memberAt(url);
  }

  /** Resolves when each has been checked once, or after a limit. */
  async checked(some: readonly PooledUpstream[]): Promise<void> {
    const waiting = some
      .map(({ options }) => this.#memberAt(options.url))
      .filter(({ checkedAt }) => checkedAt === undefined);
    if (waiting.length === 0) return;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(() => limit.resolve(), this.#tuning.firstCheckMs);
    await Promise.race([Promise.all(waiting.map(({ first }) => first.promise)), limit.promise]);
    clearTimeout(timer);
  }

  /** The least busy one that answers, otherwise one that may answer again; undefined when all were tried. */
  acquire(targets: readonly RemoteTarget[], tried: ReadonlySet<PooledUpstream>): UpstreamLease | undefined {
    const now = Date.now();
    const isResting = ({ restUntil, problem }: Member) => (restUntil > now || problem !== undefined ? 1 : 0);
    const [best] = targets
      .map(({ url, model }) => ({ member: this.#memberAt(url), model }))
      .filter(({ member }) => !tried.has(member))
      .sort(
        ({ member: a }, { member: b }) =>
          isResting(a) - isResting(b) || a.inFlight - b.inFlight || a.lastTurn - b.lastTurn,
      );
    return best && this.#lease(best.member, best.model);
  }

  close(): void {
    this.#closing.abort();
    for (const { timer } of this.#members.values()) clearTimeout(timer);
  }

  #memberAt(url: string): Member {
    return this.#members.get(url) ?? this.#add(parseUpstream(url), false);
  }

  #isWatched({ isListed, usedAt, inFlight }: Member): boolean {
    return isListed || inFlight > 0 || Date.now() - usedAt < this.#tuning.idleMs;
  }

  #schedule(member: Member, ms: number): void {
    clearTimeout(member.timer);
    member.timer = undefined;
    if (this.#closing.signal.aborted || !this.#isWatched(member)) return;
    member.timer = startSharedTimer(() => this.#check(member), ms).unref();
  }

  async #checkOnce(member: Member): Promise<void> {
    const before = member.problem;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#tuning.checkWithinMs)]);
    try {
      member.models = await member.api.list(signal);
      member.failures = member.silentFailures = 0;
      member.problem = undefined;
      member.restUntil = 0;
      this.#schedule(member, this.#tuning.checkEveryMs);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      member.failures++;
      member.silentFailures++;
      const { name, url } = member.options;
      member.problem =
        error instanceof UpstreamError
          ? error.message
          : `upstream ${name} (${url}) has not answered within ${String(this.#tuning.checkWithinMs / 1000)} s`;
      // One that refuses a check goes on with what it does: a limit of its key may be reached.
      const isGone = !(error instanceof UpstreamError && error.isAnswer);
      if (isGone && member.silentFailures >= this.#tuning.mostFailures) {
        member.life.abort(new UpstreamError(503, member.problem, { mayRetry: true, cause: error }));
        member.life = new AbortController();
      }
      this.#schedule(
        member,
        Math.min(this.#tuning.firstPauseMs * 2 ** (member.failures - 1), this.#tuning.longestPauseMs),
      );
    }
    if (member.checkedAt === undefined || (before === undefined) !== (member.problem === undefined))
      this.#onChange(member.options, member.problem);
    member.checkedAt = new Date();
  }

  #check(member: Member): void {
    member.running ??= this.#checkOnce(member).finally(() => {
      member.running = undefined;
      member.first.resolve();
    });
  }

  #add(options: UpstreamOptions, isListed: boolean): Member {
    const member: Member = {
      options,
      api: this.#createApi(options, () => void (member.silentFailures = 0)),
      isListed,
      models: undefined,
      problem: undefined,
      checkedAt: undefined,
      since: new Date(),
      inFlight: 0,
      failures: 0,
      silentFailures: 0,
      restUntil: 0,
      lastTurn: 0,
      usedAt: Date.now(),
      life: new AbortController(),
      timer: undefined,
      running: undefined,
      first: Promise.withResolvers(),
    };
    this.#members.set(options.url, member);
    this.#check(member);
    return member;
  }

  #use(member: Member): void {
    member.usedAt = Date.now();
    if (member.timer === undefined) this.#check(member);
  }

  #lease(member: Member, model: string): UpstreamLease {
    member.inFlight++;
    member.lastTurn = ++this.#turns;
    this.#use(member);
    let isReleased = false;
    return {
      upstream: member,
      model,
      lost: member.life.signal,
      failed: ({ pauseMs }) => {
        if (pauseMs === undefined) return;
        member.restUntil = Date.now() + pauseMs;
        // One that is known not to answer keeps its pauses.
        if (member.problem === undefined) this.#check(member);
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        member.inFlight--;
      },
    };
  }
}

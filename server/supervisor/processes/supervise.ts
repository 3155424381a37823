/**
 * Keeps one service process running: starts it, waits until it reports that it is ready, checks its health, restarts it
 * with exponential back-off when it ends, and stops it. Readiness never comes from polling the port: another program
 * may hold it.
 */
import type { FromService, ToService } from "../../contract/process/process-messages.ts";
import type { ServiceName, ServiceState, ServiceStatus } from "../../contract/process/services.ts";
import type { Child } from "./child.ts";
import { ServiceProcess, type Outcome, type ServiceRequest } from "./service-process.ts";
import { defaultTimes, type SupervisionTimes } from "./supervision-times.ts";

/** Failed starts after which a service that was never up counts as down. */
const firstTries = 3;

/** When a service that cannot start is started again: at once, after a pause, or only on request. */
type NextStart = "at once" | "later" | "never";

interface SupervisedServiceOptions {
  name: ServiceName;
  /** False: it never starts, and is stopped from the beginning. */
  isWanted?: boolean;
  /** The first start waits for this promise. */
  after?: Promise<void>;
  /** @throws Error with the reason why the service cannot start now */
  fork: () => Child;
  /** Checks a message of a process; undefined for one that no service sends. */
  read: (raw: unknown) => FromService | undefined;
  onChange: (status: ServiceStatus) => void;
  onLine: (line: string) => void;
  onRequest: (request: ServiceRequest) => void;
  /** The service cannot start; `port`: another program has it. */
  onRefused: (port: number | undefined) => NextStart;
  times?: Partial<SupervisionTimes>;
}

/** A short pause is not mentioned. */
const announcePause = (ms: number) => (ms < 1_000 ? "" : `; it starts again in ${String(ms / 1_000)} s`);

/**
 * A service over all of its processes.
 *
 * | State                | Next                                                                        |
 * |----------------------|-----------------------------------------------------------------------------|
 * | `starting`           | `up`, `external` once it answers; `restarting`, `down` when it cannot start |
 * | `up`, `external`     | `restarting` when it ends or is to be restarted                             |
 * | `restarting`         | `starting`, after a pause if it has failed                                  |
 * | `down`               | `starting` when a restart is requested                                      |
 * | `stopped`            | final, after `stop` or `kill`                                               |
 *
 * The first process starts only after the caller has received the service.
 */
export class SupervisedService {
  readonly #options: SupervisedServiceOptions;
  readonly #times: SupervisionTimes;
  readonly #ended: Promise<void>;
  #status: ServiceStatus;
  #process: ServiceProcess | undefined;
  #wasEverUp = false;
  #isStopping = false;
  #failures = 0;
  /** Ends the current wait: for a running process, in a pause, or while down. */
  #interrupt: () => void = () => undefined;

  constructor(options: SupervisedServiceOptions) {
    const { name, isWanted = true, after = Promise.resolve() } = options;
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    const state = isWanted ? "starting" : "stopped";
    this.#status = { name, state, urls: {}, restarts: 0, since: new Date().toISOString() };
    this.#ended = isWanted ? this.#waitFor(after).then(async () => this.#keepRunning()) : Promise.resolve();
  }

  status(): ServiceStatus {
    return this.#status;
  }

  send(message: ToService): void {
    this.#process?.child.send(message);
  }

  /** Ends the current process, if any, and starts a new one at once. */
  restart(): void {
    this.#interrupt();
  }

  /** Ends the process for good; settles once it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#interrupt();
    await this.#ended;
  }

  /** Ends the process for good, and at once. */
  async kill(): Promise<void> {
    const stopped = this.stop();
    this.#process?.child.kill();
    await stopped;
  }

  #change(state: ServiceState, more: Pick<Partial<ServiceStatus>, "pid" | "reason" | "urls">): void {
    const { name, restarts } = this.#status;
    this.#status = { name, state, urls: {}, restarts, since: new Date().toISOString(), ...more };
    this.#options.onChange(this.#status);
  }

  async #keepRunning(): Promise<void> {
    while (!this.#isStopping) {
      const outcome = await this.#runOnce();
      // stop() may have been called while the process ran.
      if (this.#isStopping as boolean) break;
      if (outcome.type === "replaced") this.#failures = 0;
      else await this.#waitAfter(outcome);
      this.#status = { ...this.#status, restarts: this.#status.restarts + 1 };
    }
    this.#change("stopped", {});
  }

  /** Runs one process from fork to end. */
  async #runOnce(): Promise<Outcome> {
    let child: Child;
    try {
      child = this.#options.fork();
    } catch (error) {
      this.#failures++;
      return { type: "refused", reason: (error as Error).message };
    }
    const process = new ServiceProcess(child, this.#times, {
      read: this.#options.read,
      onReady: ({ external, urls }) => {
        this.#wasEverUp = true;
        this.#change(external === true ? "external" : "up", { ...process.pid, urls });
      },
      onRequest: this.#options.onRequest,
      onLine: this.#options.onLine,
    });
    this.#process = process;
    this.#interrupt = () => process.replace();
    this.#change("starting", process.pid);
    const outcome = await process.outcome();
    if (outcome.type === "replaced" && !this.#isStopping) this.#change("restarting", {});
    // A process that has ended without being asked to may also hang, and would only use up its grace period.
    if (outcome.type === "ended") child.kill();
    else await process.askToStop();
    await child.exited;
    this.#process = undefined;
    this.#failures = process.upMs >= this.#times.stableAfterMs ? 1 : this.#failures + 1;
    return outcome;
  }

  /** Reports why the service is not up, and waits until it may start again. */
  async #waitAfter(outcome: Exclude<Outcome, { type: "replaced" }>): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#times;
    const { reason } = outcome;
    const next = this.#nextStart(outcome);
    if (next === "later") {
      const pauseMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
      this.#change("restarting", { reason: `${reason}${announcePause(pauseMs)}` });
      return this.#pause(pauseMs);
    }
    this.#change(next === "at once" ? "restarting" : "down", { reason });
    if (next === "never") await this.#waitFor(new Promise(() => undefined));
    this.#failures = 0;
  }

  #nextStart(outcome: Exclude<Outcome, { type: "replaced" }>): NextStart {
    if (outcome.type === "refused") return this.#options.onRefused(outcome.port);
    return this.#wasEverUp || this.#failures < firstTries ? "later" : "never";
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await this.#waitFor(promise);
    clearTimeout(timer);
  }

  /** Settles with the event or when interrupted. */
  async #waitFor(event: Promise<void>): Promise<void> {
    await Promise.race([event, new Promise<void>((resolve) => (this.#interrupt = resolve))]);
  }
}

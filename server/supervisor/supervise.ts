/**
 * Keeps one service process running: starts it, waits until it reports that it is ready, checks its health, restarts it
 * with exponential back-off when it ends, and stops it. Readiness never comes from polling the port: another program
 * may hold it.
 */
import { fromServiceSchema, type FromService, type ToService } from "../contract/process/process-messages.ts";
import type { ServiceName, ServiceState, ServiceStatus } from "../contract/process/services.ts";
import { afterRunning } from "../time/after-running.ts";
import { createHealthCheck } from "./check-health.ts";
import type { Child, Exit } from "./child.ts";

export interface SupervisionTimes {
  /** A start that takes longer has failed. */
  readyWithinMs: number;
  healthEveryMs: number;
  healthTimeoutMs: number;
  /** Pause before the first restart; it doubles with each consecutive failure. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A process that was up this long resets the count of failures. */
  stableAfterMs: number;
  /** A process that has not stopped by then is killed. Longer than a service's own grace period (parent-link.ts). */
  stopWithinMs: number;
}

export const defaultTimes: SupervisionTimes = {
  readyWithinMs: 30_000,
  healthEveryMs: 5_000,
  healthTimeoutMs: 5_000,
  firstPauseMs: 100,
  longestPauseMs: 10_000,
  stableAfterMs: 30_000,
  stopWithinMs: 5_000,
};

/** Consecutive failed health checks that are tolerated: one slow answer is no reason to kill the process. */
const toleratedMisses = 2;
/** Failed starts after which a service that was never up counts as down. */
const firstTries = 3;

export type RestartRequest = Extract<FromService, { type: "restart" }>;

/** When a service starts again by itself: once it is set up anew, after a pause, or not before it is asked to. */
export type NextStart = "at once" | "later" | "never";

export interface SupervisedServiceOptions {
  name: ServiceName;
  /** False: it never starts, and is stopped from the beginning. */
  isWanted?: boolean;
  /** The first start waits for this promise. */
  after?: Promise<void>;
  /** What it throws is why the service cannot start now. */
  fork: () => Child;
  onChange: (status: ServiceStatus) => void;
  onLine: (line: string) => void;
  /** The service requests a restart, of itself or of another service. */
  onRestartRequest: (request: RestartRequest) => void;
  /** The service cannot start; `port`: another program has it. */
  onRefused: (port: number | undefined) => NextStart;
  /** The service requests the last lines of another service. */
  onLinesRequest: (of: ServiceName) => void;
  times?: Partial<SupervisionTimes>;
}

export interface SupervisedService {
  status(): ServiceStatus;
  send(message: ToService): void;
  /** Ends the current process, if any, and starts a new one at once. */
  restart(): void;
  /** Ends the process for good; settles once it has ended. */
  stop(): Promise<void>;
  /** Ends the process for good, and at once. */
  kill(): Promise<void>;
}

type Outcome =
  | { type: "ended"; reason: string }
  | { type: "refused"; reason: string; port?: number | undefined }
  | { type: "replaced" };

const describeExit = ({ code, signal }: Exit) =>
  signal === undefined ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;

/** A short pause is not mentioned. */
const announcePause = (ms: number) => (ms < 1_000 ? "" : `; it starts again in ${String(ms / 1_000)} s`);

/** Starts the service, but only after the caller has received its handle. */
export function superviseService(options: SupervisedServiceOptions): SupervisedService {
  const times = { ...defaultTimes, ...options.times };
  const { name, isWanted = true } = options;
  let status: ServiceStatus = {
    name,
    state: isWanted ? "starting" : "stopped",
    urls: {},
    restarts: 0,
    since: new Date().toISOString(),
  };
  let child: Child | undefined;
  let wasEverUp = false;
  let stopping = false;
  /** Ends the current wait, whatever it is: for a running process, in a pause, or while down. */
  let interrupt: () => void = () => undefined;

  function change(state: ServiceState, more: Pick<Partial<ServiceStatus>, "pid" | "reason" | "urls" | "restarts">) {
    const { name, restarts } = status;
    status = { name, state, urls: {}, restarts, since: new Date().toISOString(), ...more };
    options.onChange(status);
  }

  async function askToStop(running: Child): Promise<void> {
    const hard = afterRunning(times.stopWithinMs, () => running.kill());
    running.send({ type: "stop" });
    await running.exited;
    clearInterval(hard);
  }

  /** One process from fork to end. */
  async function runOnce(): Promise<Outcome & { upMs: number }> {
    let running: Child;
    try {
      running = options.fork();
    } catch (error) {
      return { type: "refused", reason: (error as Error).message, upMs: 0 };
    }
    const health = createHealthCheck(running);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    // Electron knows the pid only some time after the fork.
    const pid = () => (running.pid === undefined ? {} : { pid: running.pid });
    let upSince: number | undefined;
    let over = false;
    let timer = setTimeout(() => {
      resolve({ type: "ended", reason: `was not ready within ${times.readyWithinMs / 1000} s` });
    }, times.readyWithinMs);

    const watchHealth = (misses: number) => {
      timer = setTimeout(() => {
        void health.ask(times.healthTimeoutMs).then((problem) => {
          if (over) return;
          if (problem === undefined) watchHealth(0);
          else if (misses < toleratedMisses) watchHealth(misses + 1);
          else resolve({ type: "ended", reason: problem });
        });
      }, times.healthEveryMs);
    };
    /** What is wrong still at the last of several questions. */
    const askSeveralTimes = async (): Promise<string | undefined> => {
      for (let misses = 0; ; misses++) {
        const problem = await health.ask(times.healthTimeoutMs);
        if (problem === undefined || misses === toleratedMisses || over) return problem;
      }
    };
    const setReady = async (message: Extract<FromService, { type: "ready" }>) => {
      // Readiness is reported first and then verified, so "up" means that it answers.
      if ((await askSeveralTimes()) !== undefined) {
        resolve({ type: "ended", reason: "said that it is ready but does not answer" });
        return;
      }
      if (over) return;
      clearTimeout(timer);
      wasEverUp = true;
      upSince = performance.now();
      change(message.external === true ? "external" : "up", { ...pid(), urls: message.urls });
      watchHealth(0);
    };

    child = running;
    interrupt = () => resolve({ type: "replaced" });
    running.onLine(options.onLine);
    running.onMessage((raw) => {
      const message = fromServiceSchema.safeParse(raw).data;
      if (message?.type === "ready") void setReady(message);
      else if (message?.type === "failed") resolve({ type: "refused", reason: message.message, port: message.port });
      else if (message?.type === "restart") options.onRestartRequest(message);
      else if (message?.type === "lines") options.onLinesRequest(message.service);
      else if (message?.type === "pong") health.answered(message.problem);
    });
    void running.exited.then((exit) => resolve({ type: "ended", reason: describeExit(exit) }));
    change("starting", pid());

    const outcome = await promise;
    over = true;
    clearTimeout(timer);
    if (outcome.type === "replaced" && !stopping) change("restarting", {});
    // It has ended already, or hangs and would only use up its grace period.
    if (outcome.type === "ended") running.kill();
    else await askToStop(running);
    await running.exited;
    child = undefined;
    return { ...outcome, upMs: upSince === undefined ? 0 : performance.now() - upSince };
  }

  /** Settles after `ms` or when interrupted; without `ms` only when interrupted. */
  async function pause(ms?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
    interrupt = resolve;
    await promise;
    clearTimeout(timer);
  }

  async function pauseUntil(event: Promise<void>): Promise<void> {
    await Promise.race([event, new Promise<void>((resolve) => (interrupt = resolve))]);
  }

  async function keepRunning(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      const outcome = await runOnce();
      // stop() may have been called while the process ran.
      if (stopping as boolean) break;
      if (outcome.type === "replaced") failures = 0;
      else {
        failures = outcome.upMs >= times.stableAfterMs ? 1 : failures + 1;
        const next =
          outcome.type === "refused"
            ? options.onRefused(outcome.port)
            : wasEverUp || failures < firstTries
              ? "later"
              : "never";
        if (next === "at once") change("restarting", { reason: outcome.reason });
        else if (next === "later") {
          const pauseMs = Math.min(times.firstPauseMs * 2 ** (failures - 1), times.longestPauseMs);
          change("restarting", { reason: `${outcome.reason}${announcePause(pauseMs)}` });
          await pause(pauseMs);
        } else {
          change("down", { reason: outcome.reason });
          await pause();
        }
        if (next !== "later") failures = 0;
      }
      status = { ...status, restarts: status.restarts + 1 };
    }
    change("stopped", {});
  }

  async function stop(): Promise<void> {
    stopping = true;
    interrupt();
    await ended;
  }

  const ended = isWanted ? pauseUntil(options.after ?? Promise.resolve()).then(keepRunning) : Promise.resolve();
  return {
    status: () => status,
    send: (message) => child?.send(message),
    restart: () => interrupt(),
    stop,
    async kill() {
      const settled = stop();
      child?.kill();
      await settled;
    },
  };
}

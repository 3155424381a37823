/**
 * Keeps one service process running: starts it, waits for its own word that it is ready, checks its health, starts it
 * again with growing pauses when it ends, stops it. Readiness is never a poll of the port: another program may hold it.
 */
import { fromServiceSchema, type FromService, type ToService } from "../contract/process/process-messages.ts";
import type { ServiceName, ServiceState, ServiceStatus } from "../contract/process/services.ts";
import { createHealthCheck } from "./check-health.ts";
import type { Child, Exit } from "./child.ts";

export interface SupervisionTimes {
  /** A start that takes longer has failed. */
  readyWithinMs: number;
  healthEveryMs: number;
  healthTimeoutMs: number;
  /** Pause before the first restart; it doubles with each failure in a row. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A run that was up this long starts the count of failures anew. */
  stableAfterMs: number;
  /** A process that did not stop by then is killed; longer than a service's own grace (parent-link.ts). */
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

/** Health checks in a row that may fail before the process is killed: one slow answer is no reason. */
const toleratedMisses = 2;
/** Starts that may fail before the service counts as unable to run, as long as it never was up. */
const firstTries = 3;

export type RestartRequest = Extract<FromService, { type: "restart" }>;

export interface SupervisedServiceOptions {
  name: ServiceName;
  /** The first start waits for it. */
  after?: Promise<void>;
  fork: () => Child;
  onChange: (status: ServiceStatus) => void;
  onLine: (line: string) => void;
  /** The service asks for a restart, of itself or of another. */
  onRestartRequest: (request: RestartRequest) => void;
  /** Another program has a port of the service; true when it is to be started again at once, with another one. */
  onPortTaken: (port: number) => boolean;
  /** The service asks what another one printed last. */
  onLinesRequest: (of: ServiceName) => void;
  times?: Partial<SupervisionTimes>;
}

export interface SupervisedService {
  status(): ServiceStatus;
  send(message: ToService): void;
  /** Ends the present process, if any, and starts a new one at once. */
  restart(): void;
  /** Ends the process for good; settles when it is gone. */
  stop(): Promise<void>;
}

type Outcome =
  | { type: "ended"; reason: string }
  | { type: "refused"; reason: string; port?: number | undefined }
  | { type: "replaced" };

const describeExit = ({ code, signal }: Exit) =>
  signal === undefined ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;

/** A pause that is short enough is not worth a word. */
const announcePause = (ms: number) => (ms < 1_000 ? "" : `; it starts again in ${String(ms / 1_000)} s`);

/** Starts the service, but not before the caller has its handle. */
export function superviseService(options: SupervisedServiceOptions): SupervisedService {
  const times = { ...defaultTimes, ...options.times };
  let status: ServiceStatus = { name: options.name, state: "starting", urls: {}, restarts: 0, since: "" };
  let child: Child | undefined;
  let wasEverUp = false;
  let stopping = false;
  /** Ends the present wait, whatever it is: a running process, a pause, being down. */
  let interrupt: () => void = () => undefined;

  function change(state: ServiceState, more: Pick<Partial<ServiceStatus>, "pid" | "reason" | "urls" | "restarts">) {
    const { name, restarts } = status;
    status = { name, state, urls: {}, restarts, since: new Date().toISOString(), ...more };
    options.onChange(status);
  }

  async function askToStop(running: Child): Promise<void> {
    const hard = setTimeout(() => running.kill(), times.stopWithinMs);
    running.send({ type: "stop" });
    await running.exited;
    clearTimeout(hard);
  }

  /** One process from fork to end. */
  async function runOnce(): Promise<Outcome & { upMs: number }> {
    const running = options.fork();
    const health = createHealthCheck(running);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    // Electron knows it a little later than the fork.
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
    const setReady = async (message: Extract<FromService, { type: "ready" }>) => {
      const external = message.external === true;
      // Its word first, then one question: "up" means that it answers.
      if (!external && (await health.ask(times.healthTimeoutMs)) !== undefined) {
        resolve({ type: "ended", reason: "said that it is ready but does not answer" });
        return;
      }
      if (over) return;
      clearTimeout(timer);
      wasEverUp = true;
      upSince = performance.now();
      change(external ? "external" : "up", { ...pid(), urls: message.urls });
      if (!external) watchHealth(0);
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
    // It is dead already, or hangs and would only use up its grace.
    if (outcome.type === "ended") running.kill();
    else await askToStop(running);
    await running.exited;
    child = undefined;
    return { ...outcome, upMs: upSince === undefined ? 0 : performance.now() - upSince };
  }

  /** Settles after `ms` or when interrupted; without `ms` only then. */
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
      // stop() may have come while the process ran.
      if (stopping as boolean) break;
      failures = outcome.type !== "ended" ? 0 : outcome.upMs >= times.stableAfterMs ? 1 : failures + 1;
      if (outcome.type === "refused" && outcome.port !== undefined && options.onPortTaken(outcome.port))
        change("restarting", { reason: outcome.reason });
      else if (outcome.type === "refused" || (outcome.type === "ended" && !wasEverUp && failures >= firstTries)) {
        change("down", { reason: outcome.reason });
        failures = 0;
        await pause();
      } else if (outcome.type === "ended") {
        const pauseMs = Math.min(times.firstPauseMs * 2 ** (failures - 1), times.longestPauseMs);
        change("restarting", { reason: `${outcome.reason}${announcePause(pauseMs)}` });
        await pause(pauseMs);
      }
      status = { ...status, restarts: status.restarts + 1 };
    }
    change("stopped", {});
  }

  const ended = pauseUntil(options.after ?? Promise.resolve()).then(keepRunning);
  return {
    status: () => status,
    send: (message) => child?.send(message),
    restart: () => interrupt(),
    async stop() {
      stopping = true;
      interrupt();
      await ended;
    },
  };
}

import type { FromService } from "../../contract/process/process-messages.ts";
import { afterRunning } from "../../time/after-running.ts";
import type { Child, Exit } from "./child.ts";
import type { SupervisionTimes } from "./supervision-times.ts";

/** Consecutive failed health checks that are tolerated: one slow answer is no reason to kill the process. */
const toleratedMisses = 2;

export type Outcome =
  | { type: "ended"; reason: string }
  | { type: "refused"; reason: string; port?: number | undefined }
  | { type: "replaced" };

type Message<Type extends FromService["type"]> = Extract<FromService, { type: Type }>;
export type ServiceRequest = Message<"restart" | "lines" | "trial">;

interface Ports {
  /** Checks a message; undefined for one that no service sends. */
  readonly read: (raw: unknown) => FromService | undefined;
  /** The process is ready and answers its health check. */
  readonly onReady: (message: Message<"ready">) => void;
  readonly onRequest: (request: ServiceRequest) => void;
  readonly onLine: (line: string) => void;
}

const describeExit = ({ code, signal }: Exit) =>
  signal === undefined ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;

/**
 * One process of a service, from its fork to its outcome. It starts, reports that it is ready, is up once it has answered
 * a health check, and is over with the first outcome.
 *
 * Health checks use the process's own channel. A connection would need descriptors, which a process under load may have
 * run out of, and would queue behind its clients' requests.
 */
export class ServiceProcess {
  readonly child: Child;
  readonly #times: SupervisionTimes;
  readonly #onReady: Ports["onReady"];
  readonly #outcome = Promise.withResolvers<Outcome>();
  #isOver = false;
  #upSince: number | undefined;
  #timer: NodeJS.Timeout;
  #answerPing: (problem: string | undefined) => void = () => undefined;

  constructor(child: Child, times: SupervisionTimes, { read, onReady, onRequest, onLine }: Ports) {
    this.child = child;
    this.#times = times;
    this.#onReady = onReady;
    const late = `was not ready within ${times.readyWithinMs / 1000} s`;
    this.#timer = setTimeout(() => this.#end({ type: "ended", reason: late }), times.readyWithinMs);
    child.onLine(onLine);
    child.onMessage((raw) => {
      const message = read(raw);
      if (message?.type === "ready") void this.#verifyReady(message);
      else if (message?.type === "failed") this.#end({ type: "refused", reason: message.message, port: message.port });
      else if (message?.type === "pong") this.#answerPing(message.problem);
      else if (message) onRequest(message);
    });
    void child.exited.then((exit) => this.#end({ type: "ended", reason: describeExit(exit) }));
  }

  /** Empty until the pid is known: Electron knows it only some time after the fork. */
  get pid(): { pid?: number } {
    return this.child.pid === undefined ? {} : { pid: this.child.pid };
  }

  /** How long it has been up. */
  get upMs(): number {
    return this.#upSince === undefined ? 0 : performance.now() - this.#upSince;
  }

  replace(): void {
    this.#end({ type: "replaced" });
  }

  async outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  async askToStop(): Promise<void> {
    const late = afterRunning(this.#times.stopWithinMs, () => this.child.kill());
    this.child.send({ type: "stop" });
    await this.child.exited;
    clearInterval(late);
  }

  #end(outcome: Outcome): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#outcome.resolve(outcome);
  }

  /** The process reports readiness first, and is asked then, so that "up" means that it answers. */
  async #verifyReady(message: Message<"ready">): Promise<void> {
    const problem = await this.#pingRepeatedly();
    if (this.#isOver) return;
    if (problem !== undefined) return this.#end({ type: "ended", reason: "reported ready, but does not respond" });
    clearTimeout(this.#timer);
    this.#upSince = performance.now();
    this.#onReady(message);
    this.#watchHealth(0);
  }

  /** Returns the problem that the last of several checks still found. */
  async #pingRepeatedly(): Promise<string | undefined> {
    for (let misses = 0; ; misses++) {
      const problem = await this.#ping();
      if (problem === undefined || misses === toleratedMisses || this.#isOver) return problem;
    }
  }

  #watchHealth(misses: number): void {
    this.#timer = setTimeout(() => {
      void this.#ping().then((problem) => {
        if (this.#isOver) return;
        if (problem === undefined) this.#watchHealth(0);
        else if (misses < toleratedMisses) this.#watchHealth(misses + 1);
        else this.#end({ type: "ended", reason: problem });
      });
    }, this.#times.healthEveryMs);
  }

  /** One health check at a time. Returns the process's problem, or undefined if it has none. */
  async #ping(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#answerPing = resolve;
    const timer = setTimeout(resolve, this.#times.healthTimeoutMs, "does not respond to its health check");
    this.child.send({ type: "ping" });
    return promise.finally(() => clearTimeout(timer));
  }
}

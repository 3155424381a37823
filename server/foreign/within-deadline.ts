/**
 * Limits the time of work on untrusted input (patterns, schemas, templates). Code that loops or backtracks cannot be
 * stopped from outside, except as a script of `node:vm`. The thread does nothing else meanwhile.
 */
import { constants, createContext, Script } from "node:vm";

/** The work did not finish in time. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
  readonly deadlineMs: number;
  constructor(deadlineMs: number, cause?: unknown) {
    super(`it takes longer than ${String(deadlineMs)} ms`, { cause });
    this.deadlineMs = deadlineMs;
  }
}

let script: Script | undefined;
let realm: { work?: (() => unknown) | undefined } | undefined;

/** How often work is restarted if other programs kept it from running. */
const mostTries = 3;
/** The latest time at which the running work is aborted. */
let endsAt = Infinity;

/**
 * Returns the result of `work`, which must be synchronous. It may be aborted anywhere and restarted from its beginning.
 * A call costs about 60 µs, but nothing inside of other such work with an earlier deadline.
 * @throws OutOfTimeError when it takes longer than `deadlineMs`; the error of `work`
 */
export function withinDeadline<T>(deadlineMs: number, work: () => T): T {
  const outerEndsAt = endsAt;
  if (performance.now() + deadlineMs >= outerEndsAt) return work();
  script ??= new Script("work()");
  realm ??= createContext(constants.DONT_CONTEXTIFY) as typeof realm & object;
  for (let tries = 1; ; tries++) {
    const began = process.threadCpuUsage();
    endsAt = performance.now() + deadlineMs;
    realm.work = work;
    try {
      return script.runInContext(realm, { timeout: deadlineMs }) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const { user, system } = process.threadCpuUsage(began);
      const isStarved = (user + system) / 1000 < deadlineMs / 2;
      if (!isStarved || tries === mostTries) throw new OutOfTimeError(deadlineMs, error);
    } finally {
      endsAt = outerEndsAt;
      realm.work = undefined;
    }
  }
}

/**
 * Work on what strangers wrote (patterns, schemas, templates) that may take longer than anybody waits. Code that loops or
 * tries cannot be stopped from outside; as a script of `node:vm` it can. The thread does nothing else meanwhile.
 */
import { constants, createContext, Script } from "node:vm";

/** The work did not come to an end in time. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
  readonly deadlineMs: number;
  constructor(deadlineMs: number, cause?: unknown) {
    super(`it takes longer than ${String(deadlineMs)} ms`, { cause });
    this.deadlineMs = deadlineMs;
  }
}

const script = new Script("work()");
let realm: { work?: (() => unknown) | undefined } | undefined;

/** So often is work begun again that other programs have kept from running. */
const mostTries = 3;

/**
 * What `work` returns. It must be synchronous, and may be broken off anywhere and begun again from its start. A call costs
 * some 60 µs.
 * @throws OutOfTimeError when it takes longer than `deadlineMs`; what `work` throws
 */
export function withinDeadline<T>(deadlineMs: number, work: () => T): T {
  realm ??= createContext(constants.DONT_CONTEXTIFY) as typeof realm & object;
  for (let tries = 1; ; tries++) {
    const began = process.threadCpuUsage();
    realm.work = work;
    try {
      return script.runInContext(realm, { timeout: deadlineMs }) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const { user, system } = process.threadCpuUsage(began);
      const isStarved = (user + system) / 1000 < deadlineMs / 2;
      if (!isStarved || tries === mostTries) throw new OutOfTimeError(deadlineMs, error);
    } finally {
      realm.work = undefined;
    }
  }
}

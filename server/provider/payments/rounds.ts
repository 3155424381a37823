/** Resumes, from time to time, the work that another instance on the same database left undone. */
import type { Logger } from "pino";
import type { Instances } from "../../store/database.ts";

const roundMs = 30_000;

interface Deps {
  readonly instances: Pick<Instances, "onReturn"> | undefined;
  /** Called from time to time, and when the database can be reached again. */
  readonly resume: () => Promise<void>;
  /** Called before it in that case. */
  readonly restart: () => Promise<void>;
  readonly log: Logger;
}

export function createRounds({ instances, resume, restart, log }: Deps) {
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function run(work: () => Promise<void>): void {
    if (!timer) return;
    running = (running ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, "unfinished work could not be continued"));
  }

  instances?.onReturn(() => run(() => restart().then(resume)));
  return {
    start: (): void => void (timer = instances && setInterval(() => run(resume), roundMs).unref()),
    /** Resolves when the last round has ended. */
    async close(): Promise<void> {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Judgement, SchemaCase } from "./judge.ts";

/** What no schema may take. */
const longestMs = 60_000;

/** Asks one process after another: whoever dies or takes too long is replaced. */
export function createJudges() {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    const started = fork(new URL("judge.ts", import.meta.url));
    await once(started, "message");
    return started;
  }
  return {
    /** "crash": the process died over it; "time": it took more than a minute. */
    async judge(one: SchemaCase): Promise<Judgement | "crash" | "time"> {
      const asked = (child ??= await start());
      asked.send(one);
      const ended = new AbortController();
      const { signal } = ended;
      const late = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
      try {
        return await Promise.race([
          once(asked, "message", { signal: late }).then(([judgement]) => judgement as Judgement),
          once(asked, "exit", { signal }).then(() => "crash" as const),
        ]).catch((error: unknown) => {
          if (!late.aborted) throw error;
          return "time" as const;
        });
      } finally {
        ended.abort();
        if (asked.exitCode !== null || asked.signalCode !== null || !asked.connected) child = undefined;
      }
    },
    replace(): void {
      child?.kill("SIGKILL");
      child = undefined;
    },
    [Symbol.dispose]: () => void child?.disconnect(),
  };
}

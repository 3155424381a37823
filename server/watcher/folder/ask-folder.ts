/**
 * Asks a file system for an answer before anything is read synchronously: a share whose machine sleeps or is gone blocks
 * every call until it is back.
 */
import { stat } from "node:fs/promises";
import { createTurns } from "../../process/create-turns.ts";
import { afterRunning } from "../../time/after-running.ts";

/** Resolves once the file system has answered about a path. @throws Error naming the path when it does not answer. */
export type AskFolder = (dir: string) => Promise<void>;

/** A question without an answer occupies one of the four threads that do all file-system calls of this process. */
const mostAtOnce = 2;

/**
 * While an answer is pending, the same folder is not asked again: after the first refusal, each call is refused at once.
 * @param withinMs long enough for a disk that has to start
 */
export function createAskFolder(look: (dir: string) => Promise<unknown> = stat, withinMs = 10_000): AskFolder {
  const inTurn = createTurns(mostAtOnce);
  const asked = new Map<string, Promise<void>>();
  return (dir) => {
    const known = asked.get(dir);
    if (known) return known;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    asked.set(dir, promise);
    const late = afterRunning(withinMs, () =>
      reject(new Error(`${dir}: cannot be read, because a file system does not respond`)),
    );
    const answered = () => {
      clearInterval(late);
      asked.delete(dir);
      resolve();
    };
    void inTurn(() => look(dir)).then(answered, answered);
    return promise;
  };
}

/**
 * Asks file systems for a sign of life before anything is read synchronously: a share that has gone, as with a machine
 * that sleeps, lets every call wait for as long as it is away.
 */
import { stat } from "node:fs/promises";
import { createTurns } from "../../process/create-turns.ts";
import { afterRunning } from "../../time/after-running.ts";

/** Resolves once the file system has said anything about a path. @throws Error naming the path when it says nothing. */
export type AskFolder = (dir: string) => Promise<void>;

/** A question without an answer keeps one of the four threads that do all that this process asks of file systems. */
const mostAtOnce = 2;

/**
 * While an answer is owed, the same folder is not asked again: whoever asks is refused at once, after the first time.
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
      reject(new Error(`${dir}: cannot be looked at while a file system does not answer`)),
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

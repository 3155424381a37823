/** Reports that the system refuses more watches: once, then how many folders go without one. */
import { readFileSync } from "node:fs";

type SystemError = NodeJS.ErrnoException;

const perUser = { file: "/proc/sys/fs/inotify/max_user_watches", key: "fs.inotify.max_user_watches" };
/** A user namespace, such as a container, may have a lower limit of its own. */
const perNamespace = { file: "/proc/sys/user/max_inotify_watches", key: "user.max_inotify_watches" };

function limitIn(file: string): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return Infinity;
  }
}

/** @param needed how many folders need a watch */
export function watchLimitError(dir: string, error: SystemError, needed: number): Error {
  return new Error(`${dir}: ${explain(error, needed)}`, { cause: error });
}

function explain({ code, message }: SystemError, needed: number): string {
  if (code === "ENOSPC") {
    const [limit = Infinity, key] = [perUser, perNamespace]
      .map(({ file, key }) => [limitIn(file), key] as const)
      .toSorted(([a], [b]) => a - b)[0]!;
    const known = Number.isFinite(limit) ? ` of ${String(limit)}` : "";
    const enough = Math.max(524_288, 2 ** Math.ceil(Math.log2(needed * 2)));
    return `the system's limit${known} inotify watches is reached, and ${String(needed)} folders need one each. Raise it with "sudo sysctl ${key}=${String(enough)}", or exclude folders with --exclude`;
  }
  if (code !== "EMFILE") return message;
  return "the system's limit of inotify instances or of open files is reached. Raise fs.inotify.max_user_instances or the limit of open files";
}

interface Deps {
  readonly onError: (error: Error) => void;
  readonly onMended?: ((error: Error) => void) | undefined;
  /** Called with the number of folders without a watch, when it has changed, at most once a minute. */
  readonly onUnwatched: (folders: number) => void;
}

const countEveryMs = 60_000;

/**
 * | state | update | next state |
 * |---|---|---|
 * | watched | with refused folders reports the error | refused |
 * | refused | with another number of refused folders reports that | refused |
 * | refused | without refused folders reports that the error is over | watched |
 */
export class WatchLimit {
  readonly #deps: Deps;
  #error: Error | undefined;
  #count = 0;
  #countedAt = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param explained creates the error to report */
  update(refused: number, explained: () => Error): void {
    const now = performance.now();
    if (refused === 0) {
      if (this.#error) this.#deps.onMended?.(this.#error);
      this.#error = undefined;
    } else if (!this.#error) {
      this.#deps.onError((this.#error = explained()));
    } else if (refused === this.#count || now - this.#countedAt < countEveryMs) return;
    else this.#deps.onUnwatched(refused);
    this.#count = refused;
    this.#countedAt = now;
  }
}

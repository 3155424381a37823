import { setTimeout } from "node:timers/promises";
import type { Log } from "../../process/log.ts";

/** Names of C functions and stages of the load before a message. */
const prefixes = /^(?:_*[^\W_]+_\w+: |error loading model(?: \w+)?: )*/;
/** Messages that only repeat that a load failed. */
const generic = /^failed to (?:load|read|initialize)\b/;

/** The lines of a failed load arrive after the failure itself, from another thread. */
const patienceMs = 500;
const pollMs = 20;

/** Passes the engine's log on to ours, and keeps its errors: the engine throws none of its reasons. */
export class EngineLog {
  readonly #log: Pick<Log, "debug">;
  #errors: string[] = [];

  constructor(log: Pick<Log, "debug">) {
    this.#log = log;
  }

  /** Forgets earlier errors. */
  begin(): void {
    this.#errors = [];
  }

  write(level: string, message: string): void {
    const text = message.trimEnd();
    if (level === "error" || level === "fatal") this.#errors.push(...text.split("\n"));
    this.#log.debug({ level }, text);
  }

  /** The engine's reason for a failure since `begin`; undefined where it gave none. */
  async reason(): Promise<string | undefined> {
    const end = performance.now() + patienceMs;
    for (let lines = -1; performance.now() < end && (lines <= 0 || lines < this.#errors.length);) {
      lines = this.#errors.length;
      await setTimeout(pollMs);
    }
    const reasons = this.#errors.map((line) => line.replace(prefixes, ""));
    return reasons.findLast((reason) => reason !== "" && !generic.test(reason));
  }
}

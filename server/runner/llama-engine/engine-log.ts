import { setTimeout } from "node:timers/promises";
import type { Log } from "../../process/log.ts";

/** Lines that only repeat that a load failed. */
const generic = /^(?:error loading model: )?(?:llama_model_loader: )?failed to (?:load|read|initialize)\b/;
/** The name of a C function before its message, and the stages of a load. */
const prefixes = /^(?:\w+: )?(?:error loading model(?: \w+)?: )*/;

/** The lines of a failed load arrive after the failure itself, from another thread. */
const patienceMs = 500;
const pollMs = 10;

/** Passes the engine's log on to ours, and keeps its errors: the engine throws none of its reasons. */
export class EngineLog {
  readonly #log: Log;
  #errors: string[] = [];

  constructor(log: Log) {
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
    while (performance.now() < end) {
      const reasons = this.#errors.map((line) => line.replace(/^\w+: /, "")).filter((line) => !generic.test(line));
      const last = reasons.at(-1)?.replace(prefixes, "");
      if (last !== undefined && last !== "") return last;
      await setTimeout(pollMs);
    }
    return undefined;
  }
}

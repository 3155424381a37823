/** Runs the work of stored rows at the times that they name. */
import type { QueryExecutorProvider } from "kysely";
import type { Logger } from "pino";
import { createTurns } from "../../process/create-turns.ts";
import { bringForward, earliestDue, type Waits } from "../../store/waits.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly db: QueryExecutorProvider;
  /** Rows without `since` wait for a date, which stays the same when the clock is put back. */
  readonly waits: Omit<Waits, "since"> & Partial<Pick<Waits, "since">>;
  /** Ends the rows whose time is not after `now`. */
  readonly runDue: (now: number) => Promise<void>;
  readonly log: Logger;
}

/** A pause before rows are tried again that could not be stored. */
const retryAfterMs = 1_000;

/** The rows are the queue, so that a restart continues where the last run ended; one alarm is set for the next row. */
export class DueRows {
  readonly #deps: Deps;
  readonly #inTurn = createTurns();
  #alarm: { readonly due: number; readonly stop: () => void } | undefined;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Sets the alarm for a row that was stored. @param due Unix ms */
  add(due: number): void {
    if (this.#closed || (this.#alarm && this.#alarm.due <= due)) return;
    this.#alarm?.stop();
    this.#alarm = { due, stop: this.#deps.wakeAt(due, () => void this.#wake()) };
  }

  /** Ends what is due, however busy the machine is, so that a query never returns a row that should have ended. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      const { db, waits, runDue, now } = this.#deps;
      const at = now();
      const { since } = waits;
      if (since !== undefined) await bringForward(db, { ...waits, since }, at);
      await runDue(at);
      const next = await earliestDue(db, waits);
      if (next !== undefined) this.add(next);
    });
  }

  /** Reads the rows again after other code has written them. */
  async reload(): Promise<void> {
    this.#stopAlarm();
    await this.settle();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopAlarm();
    await this.#inTurn(() => Promise.resolve());
  }

  #stopAlarm(): void {
    this.#alarm?.stop();
    this.#alarm = undefined;
  }

  async #wake(): Promise<void> {
    this.#alarm = undefined;
    try {
      await this.settle();
    } catch (error) {
      if (this.#closed) return;
      this.#deps.log.error({ err: error }, "rows that are due could not be ended");
      this.add(this.#deps.now() + retryAfterMs);
    }
  }
}

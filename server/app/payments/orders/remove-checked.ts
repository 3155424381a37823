import type { Logger } from "pino";
import type { OrderStore } from "../store/order-store.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";

interface Deps {
  readonly store: Pick<OrderStore, "ofChecks" | "removeOfCheck">;
  readonly mutex: KeyedMutex;
  readonly log: Logger;
}

/**
 * Removes the orders that receiver checks have placed here: those of a check that has ended, or at the start all that a
 * crash has left.
 */
export function createRemoveChecked({ store, mutex, log }: Deps) {
  return async (ended?: readonly string[]): Promise<void> => {
    try {
      for (const outTradeNo of ended ?? (await store.ofChecks()))
        await mutex.run(outTradeNo, () => store.removeOfCheck(outTradeNo));
    } catch (error) {
      log.error({ err: error }, "the orders of a receiver check could not be removed");
    }
  };
}

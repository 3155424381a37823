import type { Instances } from "../../../store/database.ts";
import { takeWhenFree } from "../../../store/take-when-free.ts";
import { whileTaken } from "../../../store/while-taken.ts";

/** Another call held the key for longer than the caller could wait. */
export class StillBusy extends Error {
  override readonly name = "StillBusy";
}

/**
 * Serializes the work on one order. Two simultaneous inquiries could both see an unpaid order become paid. Its
 * out_trade_no is the key: ids begin at 1 again after a reset.
 */
export interface KeyedMutex {
  /** @throws StillBusy when another call holds the key for longer than `patienceMs`; the work does not start then */
  run<T>(outTradeNo: string, work: () => Promise<T>, patienceMs?: number): Promise<T>;
}

/** @param instances those that work on the same orders */
export function createKeyedMutex(instances?: Pick<Instances, "take">): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();

  /** @throws StillBusy */
  async function amongInstances<T>(
    others: Pick<Instances, "take">,
    outTradeNo: string,
    work: () => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    const done = await whileTaken(() => takeWhenFree(() => others.take(`order ${outTradeNo}`), patienceMs), work);
    if (!done) throw new StillBusy("another instance has the order");
    return done.value;
  }

  return {
    run<T>(outTradeNo: string, run: () => Promise<T>, patienceMs?: number): Promise<T> {
      const work = instances ? () => amongInstances(instances, outTradeNo, run, patienceMs) : run;
      const before = last.get(outTradeNo);
      if (!before) return follow(outTradeNo, work());
      let gaveUp = false;
      const held = before.then(() => (gaveUp ? Promise.reject(new StillBusy("another call has the order")) : work()));
      const followed = follow(outTradeNo, held);
      if (patienceMs === undefined) return followed;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          gaveUp = true;
          reject(new StillBusy("another call has the order"));
        }, patienceMs);
        void before.then(() => clearTimeout(timer));
        followed.then(resolve, reject);
      });
    },
  };

  /** The next call waits until this one ends, in success or failure. */
  function follow<T>(outTradeNo: string, result: Promise<T>): Promise<T> {
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(outTradeNo, ended);
    void ended.then(() => {
      if (last.get(outTradeNo) === ended) last.delete(outTradeNo);
    });
    return result;
  }
}

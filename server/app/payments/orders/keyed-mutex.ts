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
export class KeyedMutex {
  readonly #instances: Pick<Instances, "take"> | undefined;
  /** The end of the latest work on each order. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param instances those that work on the same orders */
  constructor(instances?: Pick<Instances, "take">) {
    this.#instances = instances;
  }

  /** @throws StillBusy when another call holds the key for longer than `patienceMs`; the work does not start then */
  run<T>(outTradeNo: string, work: () => Promise<T>, patienceMs?: number): Promise<T> {
    const start = () => this.#runAmongInstances(outTradeNo, work, patienceMs);
    const before = this.#last.get(outTradeNo);
    if (!before) return this.#follow(outTradeNo, start());
    const busy = () => new StillBusy("another call has the order");
    let isLate = false;
    const running = this.#follow(
      outTradeNo,
      before.then(() => (isLate ? Promise.reject(busy()) : start())),
    );
    if (patienceMs === undefined) return running;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        isLate = true;
        reject(busy());
      }, patienceMs);
      void before.then(() => clearTimeout(timer));
      running.then(resolve, reject);
    });
  }

  async #runAmongInstances<T>(outTradeNo: string, work: () => Promise<T>, patienceMs?: number): Promise<T> {
    const instances = this.#instances;
    if (!instances) return work();
    const done = await whileTaken(() => takeWhenFree(() => instances.take(`order ${outTradeNo}`), patienceMs), work);
    if (!done) throw new StillBusy("another instance has the order");
    return done.value;
  }

  /** The next call waits until this one ends, in success or failure. */
  #follow<T>(outTradeNo: string, result: Promise<T>): Promise<T> {
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(outTradeNo, ended);
    void ended.then(() => {
      if (this.#last.get(outTradeNo) === ended) this.#last.delete(outTradeNo);
    });
    return result;
  }
}

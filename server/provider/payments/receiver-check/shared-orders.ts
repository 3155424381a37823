/** Keeps checks that run at the same time from taking each other's orders. */
export interface SharedOrders {
  /**
   * Waits until no other check gets an order of this merchant, then gets one: an order that appears meanwhile is the one
   * that was asked for.
   */
  alone<Value>(mchId: string, get: () => Promise<Value>): Promise<Value>;
  /** Ids of the orders that running checks have taken. */
  readonly taken: Set<number>;
}

export function createSharedOrders(): SharedOrders {
  const last = new Map<string, Promise<unknown>>();
  return {
    alone(mchId, get) {
      const got = (last.get(mchId) ?? Promise.resolve()).then(get);
      last.set(
        mchId,
        got.catch(() => undefined),
      );
      return got;
    },
    taken: new Set(),
  };
}

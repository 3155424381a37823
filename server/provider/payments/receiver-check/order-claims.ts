/** Keeps checks that run at the same time from taking each other's orders. */
import { createTurns, type InTurn } from "../../../process/create-turns.ts";

export type OrderClaims = ReturnType<typeof createOrderClaims>;

export function createOrderClaims() {
  const turns = new Map<string, InTurn>();
  return {
    /**
     * Gets an order once no other check gets one of this merchant: an order that appears meanwhile is the one that was
     * asked for.
     */
    alone<Value>(mchId: string, get: () => Promise<Value>): Promise<Value> {
      const inTurn = turns.get(mchId) ?? createTurns();
      turns.set(mchId, inTurn);
      return inTurn(get);
    },
    /** Ids of the orders that running checks have taken. */
    taken: new Set<number>(),
  };
}

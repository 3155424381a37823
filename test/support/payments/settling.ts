import type { PaymentTestDoubles } from "../../../server/app/payments/feature.ts";
import { createSettleOrder } from "../../../server/app/payments/orders/settle-order.ts";

/**
 * Shows whether orders are being settled. The time of a refund's next inquiry is stored before the order is looked at,
 * so what is due does not tell.
 */
export function watchSettling(create: NonNullable<PaymentTestDoubles["createSettle"]> = createSettleOrder) {
  let running = 0;
  const createSettle: typeof create = (deps) => {
    const settle = create(deps);
    return async (order, options) => {
      running++;
      try {
        return await settle(order, options);
      } finally {
        running--;
      }
    };
  };
  return { createSettle, isRunning: () => running > 0 };
}

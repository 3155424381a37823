import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { createToken } from "../../../../server/contract/console/console-endpoints.ts";
import { createOrder } from "../../../../server/contract/app/payment-endpoints.ts";
import { orderSchema } from "../../../../server/contract/app/payments.ts";
import type { BuyerTradeType } from "../../../../server/contract/provider/payment-terms.ts";
import { createSimPaymentCode, simPaymentCodeInput } from "../../../../server/contract/provider/sim-client.ts";
import { appOrigin } from "../../../api/http/app-origin.ts";
import { useApi } from "../../../api/use-api.ts";

/** The behaviour of the buyer's payment code at the till. */
export const buyerAnswers = simPaymentCodeInput.shape.outcome.unwrap().options;
export type BuyerAnswer = (typeof buyerAnswers)[number];

export interface OrderForm {
  /** Name of the simulated person who orders, and pays by code. */
  readonly user: string;
  readonly type: BuyerTradeType;
  readonly description: string;
  /** In fen. */
  readonly amount: number;
  /** For MICROPAY. */
  readonly answer: BuyerAnswer;
}

const resultSchema = z.object({ data: orderSchema });

/** Places an order with a session of that person, and notifies the reader of its number. */
export function usePlaceOrder(onPlaced: (outTradeNo: string) => void) {
  const { call, send } = useApi();
  return useMutation({
    mutationFn: async ({ user, type, description, amount, answer }: OrderForm) => {
      const { access_token: token } = await call(createToken, { body: { user } });
      const code =
        type === "MICROPAY"
          ? await call(createSimPaymentCode, { params: { name: user }, body: { outcome: answer } })
          : undefined;
      const reply = await send(appOrigin + createOrder.path, {
        method: createOrder.method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ description, amount, trade_type: type, auth_code: code?.auth_code }),
      });
      return resultSchema.parse(await reply.json()).data.out_trade_no;
    },
    onSuccess: onPlaced,
  });
}

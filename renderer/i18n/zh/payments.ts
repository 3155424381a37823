import type { payments as english } from "../en/payments.ts";
import type { Texts } from "../texts.ts";

export const payments: Texts<typeof english> = {
  title: "支付",
};

import type { PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";

/** Its queries may take as long as any call, also while a notification waits for them. */
export const patientProvider = (provider: PaymentProvider): PaymentProvider => ({
  ...provider,
  queryOrder: (outTradeNo) => provider.queryOrder(outTradeNo),
  queryRefund: (refund) => provider.queryRefund(refund),
});

/** Where a buyer's browser goes after paying on a page: to the merchant, with signed parameters. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { signAlipayForm } from "../../../payment-wire/sign-alipay.ts";
import type { Order } from "../ledger/ledger.ts";
import type { AlipayKeys } from "./alipay-keys.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";

interface Deps {
  readonly alipayKeys: Pick<AlipayKeys, "own">;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Undefined if the merchant named no address. */
export function createReturnOfAlipay({ alipayKeys, now }: Deps): (order: Order) => Promise<string | undefined> {
  return async (order) => {
    const { return_url, product } = order.extra;
    if (typeof return_url !== "string") return undefined;
    const { alipayPrivateKey } = await alipayKeys.own();
    const params = {
      charset: "utf-8",
      method: `alipay.trade.${String(product)}.pay.return`,
      version: "1.0",
      app_id: order.appId,
      auth_app_id: order.appId,
      seller_id: order.mchId,
      out_trade_no: order.outTradeNo,
      trade_no: order.transactionId ?? "",
      total_amount: yuanText(order.total),
      timestamp: spacedTime(now()),
    };
    const address = new URL(return_url);
    for (const [name, value] of Object.entries(await signAlipayForm(params, alipayPrivateKey)))
      address.searchParams.set(name, value);
    return String(address);
  };
}

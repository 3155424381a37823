/** What an app or a mini-program passes to Alipay's client to pay: a signed order, or the number of a trade. */
import { parseForm } from "../../../http/formats/parse-form.ts";
import { HttpError } from "../../../http/http-error.ts";
import { BadParameters, type ReadParameters } from "../buyer/client-parameters.ts";
import { PaymentRefusal, type Order } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import type { AlipayKeys } from "./alipay-keys.ts";
import { appOrder, type OrderCallDeps } from "./order-calls.ts";
import { checkAlipayApp, checkAlipaySender, readBizContent, singleValues } from "./read-request.ts";
import { RefusalAlipay } from "./refusal-alipay.ts";

interface Deps extends OrderCallDeps {
  readonly alipayKeys: Pick<AlipayKeys, "own">;
}

/** Reads the parameters of either platform. @param others reads those of WeChat */
export function createReadAppParameters(deps: Deps, others: ReadParameters): ReadParameters {
  const { ledger, alipayKeys } = deps;

  async function placed(text: string): Promise<Order> {
    const params = singleValues(parseForm(text, "body"));
    checkAlipayApp(params);
    checkAlipaySender(params, await alipayKeys.own());
    if (params["method"] !== "alipay.trade.app.pay")
      throw new RefusalAlipay("isv.invalid-method", "orderStr不是alipay.trade.app.pay的订单");
    const request = { params, content: readBizContent(params), origin: "", from: undefined };
    return ledger.place(appOrder(deps, request));
  }

  return async (parameters) => {
    const { orderStr, tradeNO } = parameters;
    if (orderStr === undefined && tradeNO === undefined) return others(parameters);
    try {
      if (orderStr !== undefined) return await placed(orderStr);
      return await ledger.get({ mchId: alipayAccount.sellerId, transactionId: tradeNO });
    } catch (error) {
      if (error instanceof RefusalAlipay) throw new BadParameters(`${error.subCode}: ${error.message}`);
      if (error instanceof PaymentRefusal || error instanceof HttpError) throw new BadParameters(error.message);
      throw error;
    }
  };
}

import { HttpError, notFound } from "../../../http/http-error.ts";
import { alipayAccount } from "../alipay/alipay-account.ts";
import { PaymentRefusal, type Ledger, type Order } from "./ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "find">;
  readonly merchants: Pick<Merchants, "list">;
}

/** The order with a number, of the given merchant or of the only one that has it. */
export type FindOrder = (outTradeNo: string, mchId: string | undefined) => Promise<Order>;

/** @throws HttpError 404, 409 where several merchants have an order of that number */
export function createFindOrder({ ledger, merchants }: Deps): FindOrder {
  return async (outTradeNo, mchId) => {
    const ofAll = async () => [...(await merchants.list()).map((merchant) => merchant.mchId), alipayAccount.sellerId];
    const mchIds = mchId === undefined ? await ofAll() : [mchId];
    const found = await Promise.all(mchIds.map((id) => ledger.find({ mchId: id, outTradeNo })));
    const [order, another] = found.filter((one) => one !== undefined);
    if (!order)
      throw notFound(`Order ${outTradeNo} does not exist${mchId === undefined ? "" : ` of merchant ${mchId}`}.`);
    if (another)
      throw new HttpError(
        409,
        "ambiguous_order",
        `Several merchants have an order ${outTradeNo}: name one by ?mch_id= (${order.mchId}, ${another.mchId} …).`,
      );
    return order;
  };
}

/** Maps the ledger's refusals to answers of a control route: 409 with the refusal's code, 404 for a missing object. */
export async function refusedAs409<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    const isMissing = /NOT_?(?:EXIST|FOUND)/.test(error.code);
    throw new HttpError(
      isMissing ? 404 : 409,
      error.code.toLowerCase(),
      `The simulated platform refused the call: ${error.code}, ${error.message}.`,
    );
  }
}

/** A merchant at Alipay by `alipay-sdk`, with the calls that most tests make. */
import { startAlipayScene } from "./alipay-scene.ts";

/** @param prefix of its order numbers */
export async function startAlipayMerchant(prefix: string) {
  const scene = await startAlipayScene();
  const sdk = await scene.sdk();
  let count = 0;
  const newNumber = () => `${prefix}_${String(++count)}`;
  const call = (method: string, bizContent: object, common: object = {}) =>
    sdk.exec(method, { bizContent, ...common }, { validateSign: true });
  const place = (method: string, more: object = {}, common: object = {}) =>
    call(method, { out_trade_no: newNumber(), total_amount: "10.00", subject: "Tea", ...more }, common);
  return {
    ...scene,
    client: sdk,
    newNumber,
    call,
    place,
    create: (more: object = {}) => place("alipay.trade.create", { buyer_id: "2088102177846880", ...more }),
    query: (out_trade_no: string) => call("alipay.trade.query", { out_trade_no }),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}
export type AlipayMerchant = Awaited<ReturnType<typeof startAlipayMerchant>>;

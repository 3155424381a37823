/** The calls of Alipay's gateway. */
import type { CallAlipay } from "./call-alipay.ts";
import {
  appPay,
  closeTrade,
  createTrade,
  pagePay,
  payByCode,
  precreateTrade,
  queryTrade,
  type OrderCallDeps,
} from "./order-calls.ts";
import { userCalls, type AlipayUserDeps } from "./user-calls.ts";
import { cancelCall, refundCall, refundQueryCall } from "./refund-calls.ts";

export const alipayCalls = (deps: OrderCallDeps & AlipayUserDeps): readonly CallAlipay[] => [
  createTrade(deps),
  precreateTrade(deps),
  payByCode(deps),
  pagePay(deps, "page"),
  pagePay(deps, "wap"),
  appPay(deps),
  queryTrade(deps),
  closeTrade(deps),
  cancelCall(deps),
  refundCall(deps),
  refundQueryCall(deps),
  ...userCalls(deps),
];

/** The calls of version 2 of the payment API. */
import { Router } from "express";
import type { PaymentSettings } from "../../../contract/provider.ts";
import type { AnswerCall } from "../calls/answer-call.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";

export interface V2Deps {
  readonly ledger: Ledger;
  readonly merchants: Merchants;
  readonly settings: () => PaymentSettings;
  readonly answerCall: AnswerCall;
  /** Where the buyer of an MWEB order pays. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function createV2Routes(deps: V2Deps): Router {
  const router = Router();
  void deps;
  return router;
}

/** Control routes through which a person of the simulated platform pays in a client, or shows a code at a till. */
import { Router } from "express";
import type { z } from "zod";
import {
  simPaymentCodeInput,
  simPaymentParameters,
  simPaymentQuery,
  type simPaymentCodeSchema,
  type simPaymentSchema,
} from "../../../contract/provider/sim-buyers.ts";
import { checkedBody, checkedQuery } from "../../../http/formats/checked-body.ts";
import type { Order } from "../ledger/ledger.ts";
import type { AuthCodes } from "./auth-codes.ts";
import type { BuyerResult, Buying } from "./buying.ts";
import { BadParameters, type ReadParameters } from "./client-parameters.ts";

/** A person of the simulated platform, with the data that payments need. */
export interface Buyer {
  readonly name: string;
  readonly openid: string;
}

export interface Buyers {
  /** The person of that name, created on the first call. @throws HttpError 400 for an invalid name */
  byName(name: string): Promise<Buyer>;
  byOpenId(openid: string): Promise<Buyer | undefined>;
}

interface Deps {
  readonly buyers: Buyers;
  readonly authCodes: Pick<AuthCodes, "issue">;
  readonly readParameters: ReadParameters;
  readonly buying: Buying;
}

export function buyerApi({ buyers, authCodes, readParameters, buying }: Deps): Router {
  const router = Router();

  /** An openid without a person was made up by a test: any caller counts as its owner. */
  async function checkPerson(order: Order, buyer: Buyer): Promise<void> {
    if (order.openid === undefined || order.openid === buyer.openid) return;
    const owner = await buyers.byOpenId(order.openid);
    if (owner) throw new BadParameters(`the order is to be paid by ${owner.name}, not by ${buyer.name}`);
  }

  router.post("/users/:name/payments", async (req, res) => {
    const buyer = await buyers.byName(req.params.name);
    const { outcome } = checkedQuery(req, simPaymentQuery);
    const given = await checkedBody(req, simPaymentParameters);
    let errMsg: string;
    try {
      const order = await readParameters(given);
      await checkPerson(order, buyer);
      errMsg = await notified(await buying.act(order, outcome, buyer.openid));
    } catch (error) {
      if (!(error instanceof BadParameters)) throw error;
      errMsg = `requestPayment:fail ${error.message}`;
    }
    res.json({ errMsg } satisfies z.input<typeof simPaymentSchema>);
  });

  router.post("/users/:name/payment-codes", async (req, res) => {
    const { openid } = await buyers.byName(req.params.name);
    const { outcome } = await checkedBody(req, simPaymentCodeInput);
    const { authCode, expiresAt } = await authCodes.issue({ openid, outcome });
    res.status(201).json({
      auth_code: authCode,
      expires_at: new Date(expiresAt).toISOString(),
    } satisfies z.input<typeof simPaymentCodeSchema>);
  });

  return router;
}

async function notified(result: BuyerResult): Promise<string> {
  switch (result.kind) {
    case "paid":
      return "requestPayment:ok";
    case "paying":
      return notified(await result.done);
    case "cancelled":
      return "requestPayment:fail cancel";
    case "wrong_password":
      return "requestPayment:fail wrong password";
    case "no_funds":
      return "requestPayment:fail not enough money";
    case "too_late":
      return `requestPayment:fail ${result.code}`;
  }
}

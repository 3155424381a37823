/** Control routes through which a person of the simulated platform pays in a client, or shows a code at a till. */
import { createSimPaymentCode, simRequestPayment } from "../../../contract/provider/sim-client.ts";
import { route, type Route } from "../../../http/route.ts";
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

export function buyerRoutes({ buyers, authCodes, readParameters, buying }: Deps): Route[] {
  /** An openid without a person was made up by a test: any caller counts as its owner. */
  async function checkPerson(order: Order, buyer: Buyer): Promise<void> {
    if (order.openid === undefined || order.openid === buyer.openid) return;
    const owner = await buyers.byOpenId(order.openid);
    if (owner) throw new BadParameters(`only ${owner.name} can pay this order, not ${buyer.name}`);
  }

  return [
    route(simRequestPayment, async ({ params: { name }, query: { outcome }, body }) => {
      const buyer = await buyers.byName(name);
      try {
        const order = await readParameters(body);
        await checkPerson(order, buyer);
        return { data: { errMsg: await errMsgOf(await buying.act(order, outcome, buyer.openid)) } };
      } catch (error) {
        if (!(error instanceof BadParameters)) throw error;
        return { data: { errMsg: `requestPayment:fail ${error.message}` } };
      }
    }),

    route(createSimPaymentCode, async ({ params: { name }, body: { outcome, platform } }) => {
      const { openid } = await buyers.byName(name);
      const { authCode, expiresAt } = await authCodes.issue({ openid, outcome }, platform === "alipay");
      return { data: { auth_code: authCode, expires_at: new Date(expiresAt).toISOString() } };
    }),
  ];
}

async function errMsgOf(result: BuyerResult): Promise<string> {
  switch (result.kind) {
    case "paid":
      return "requestPayment:ok";
    case "paying":
      return errMsgOf(await result.done);
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

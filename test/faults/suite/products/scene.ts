/** The merchant of the products' clients, and what all of them do. */
import { createCombiner } from "../../../support/payments/combiner.ts";
import { createMerchantV3, type ReplyV3 } from "../../../support/payments/merchant-v3.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import type { World } from "../world.ts";

/** What a reply acknowledged, and how to see that it is there. */
export interface Promised {
  readonly product: string;
  readonly number: string;
  readonly isThere: () => Promise<boolean>;
}

export const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
/** What each share moves. */
export const shareFen = 10;

/** Begins the numbers of a round or of one client's act; some numbers allow only letters and digits. */
export const numberOf = (name: string) => `FAULTS${name.replaceAll("-", "x")}`;

/** Sends a request and, as a merchant does that is not sure, the same once more. Returns what acknowledged it, if anything. */
export async function twice(send: () => Promise<ReplyV3>): Promise<ReplyV3 | undefined> {
  const replies = [await send().catch(() => undefined), await send().catch(() => undefined)];
  return replies.find((reply) => reply !== undefined && reply.status < 300);
}

export async function openScene(world: Pick<World, "sim" | "hearth">) {
  const { provider: url } = world.hearth.addresses();
  const merchant = await createMerchantV3(url);
  const { app_id: appid, app_secret: secret, mch_id } = merchant.credentials;
  const provider = {
    control: async (method: string, path: string, body?: unknown) =>
      (await world.sim(method, path, body)).body as Record<string, unknown>,
  };
  const partner = await createPartner(provider, merchant);
  const combiner = await createCombiner(provider, merchant);

  const pay = async (number: string) => (await world.sim("POST", `/orders/${number}/pay`)).status === 200;
  const isPaid = async (number: string) => (await merchant.query(number)).json.trade_state === "SUCCESS";
  async function paidOrder(number: string, changed?: Record<string, unknown>) {
    const placed = await twice(() => merchant.place("native", number, changed));
    return placed !== undefined && (await pay(number));
  }
  return {
    ...{ world, url, merchant, provider, partner, combiner, pay, isPaid, paidOrder },
    ...{ appid, secret, mch_id },
  };
}
export type Scene = Awaited<ReturnType<typeof openScene>>;

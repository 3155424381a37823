/** The sandbox of version 2: the same calls under a prefix, a key of its own, and failures that a header asks for. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHints, WireReply } from "../calls/answer-call.ts";
import type { CodePaymentCase } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { authenticate, readMessage, type RequestV2 } from "./read-request.ts";
import { sandboxKeyOf } from "./sandbox-key.ts";
import { plainReply } from "./write-reply.ts";

/** Under which the calls are mounted, and where the key is asked for; the second one is of old. */
export const sandboxPrefixes = ["/xdc/apiv2sandbox", "/sandboxnew"] as const;
export const sandboxKeyPaths = ["/xdc/apiv2getsignkey/sign/getsignkey", "/sandboxnew/pay/getsignkey"] as const;

/** How long a caller is kept waiting who asked for a time-out (our choice: longer than clients wait). */
const heldMs = 60_000;

/** Node joins what is sent twice; a list it makes of other headers only. */
const negative = ({ headers }: IncomingMessage) =>
  String(headers["wechatpay-negative-test"] ?? "")
    .trim()
    .toUpperCase();

/** The largest amount in fen that stands for a successful case: one without, with one, and with two coupons. */
const cases = 3;

/** How a payment by code goes in the sandbox, by header or by amount. */
export function sandboxPayment(req: IncomingMessage, { fields }: RequestV2): CodePaymentCase {
  if (negative(req) === "MICROPAY_USERPAYING") return { outcome: "asks-password" };
  if (negative(req) === "MICROPAY_PAYERROR") return { outcome: "refused" };
  const total = Number(fields["total_fee"]);
  return total <= cases ? { outcome: "paid", couponFee: total - 1 } : {};
}

/** What a fault asks for goes before what the sandbox does. */
export const sandboxHints = (req: IncomingMessage, request: RequestV2, hints: CallHints): CallHints => ({
  ...hints,
  codePayment: hints.codePayment ?? sandboxPayment(req, request),
});

/** MICROPAY_TIMEOUT and MICROPAY_PAY_QUERY_TIMEOUT: the call is made, but its caller does not hear of it in time. */
export async function holdReply(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!negative(req).endsWith("_TIMEOUT") || res.destroyed) return;
  await new Promise<void>((resolve) => {
    const held = setTimeout(resolve, heldMs);
    res.once("close", () => {
      clearTimeout(held);
      resolve();
    });
  });
}

/** The key, for whoever proves to have the real one. Nobody signs the reply. @throws RefusedRequest */
export async function sandboxKeyReply(
  req: IncomingMessage,
  merchants: Pick<Merchants, "get" | "knowsApp">,
): Promise<WireReply> {
  const { sender } = await authenticate(await readMessage(req), { merchants, sandbox: false, withoutApp: true });
  const { mchId, apiV2Key } = sender.merchant;
  return plainReply({ mch_id: mchId, sandbox_signkey: sandboxKeyOf(apiV2Key) });
}

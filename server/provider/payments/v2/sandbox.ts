/** The sandbox of version 2: the same calls under a prefix, with another key, and failures that a header requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHints, WireReply } from "../calls/answer-call.ts";
import type { CodePaymentCase } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { authenticate, readMessageV2, type RequestV2 } from "./read-request.ts";
import { sandboxKeyOf } from "./sandbox-key.ts";
import { plainReply } from "./write-reply.ts";

/** The prefixes of the calls, and the paths of the key request; the second ones are the older addresses. */
export const sandboxPrefixes = ["/xdc/apiv2sandbox", "/sandboxnew"] as const;
export const sandboxKeyPaths = ["/xdc/apiv2getsignkey/sign/getsignkey", "/sandboxnew/pay/getsignkey"] as const;

/** How long a requested time-out lasts (our choice: longer than clients wait). */
const heldMs = 60_000;

/** Node joins repeated values of this header; it returns arrays only for other headers. */
const negative = ({ headers }: IncomingMessage) =>
  String(headers["wechatpay-negative-test"] ?? "")
    .trim()
    .toUpperCase();

/** The largest amount in fen that selects a successful case: without coupon, with one, and with two. */
const cases = 3;

/** How a payment by code continues in the sandbox, by header or by amount. */
export function sandboxPayment(req: IncomingMessage, { fields }: RequestV2): CodePaymentCase {
  if (negative(req) === "MICROPAY_USERPAYING") return { outcome: "asks-password" };
  if (negative(req) === "MICROPAY_PAYERROR") return { outcome: "refused" };
  const total = Number(fields["total_fee"]);
  return total <= cases ? { outcome: "paid", couponFee: total - 1 } : {};
}

/** A fault's instructions take precedence over the sandbox. */
export const sandboxHints = (req: IncomingMessage, request: RequestV2, hints: CallHints): CallHints => ({
  ...hints,
  codePayment: hints.codePayment ?? sandboxPayment(req, request),
});

/** MICROPAY_TIMEOUT and MICROPAY_PAY_QUERY_TIMEOUT: the call is performed, but its reply does not come in time. */
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

/** The sandbox key, for callers that prove to have the real one. The reply is unsigned. @throws RefusedRequest */
export async function sandboxKeyReply(
  req: IncomingMessage,
  merchants: Pick<Merchants, "get" | "knowsApp">,
): Promise<WireReply> {
  const { sender } = await authenticate(await readMessageV2(req), { merchants, sandbox: false, withoutApp: true });
  const { mchId, apiV2Key } = sender.merchant;
  return plainReply({ mch_id: mchId, sandbox_signkey: sandboxKeyOf(apiV2Key) });
}

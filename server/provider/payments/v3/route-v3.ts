/** The definition of a version 3 call. */
import type { PaymentCall, CallHints } from "../calls/answer-call.ts";
import type { Merchant } from "../merchants/merchants.ts";
import type { UploadedFile } from "./read-upload.ts";
import { RefusalV3 } from "./refusal-v3.ts";

/** A request from a verified sender. */
export interface RequestV3 {
  readonly merchant: Merchant;
  /** As received; `meta` of an upload. */
  readonly body: string;
  /** The file of an upload. */
  readonly file?: UploadedFile | undefined;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The first value of a repeated name counts. */
  readonly query: Readonly<Record<string, string>>;
  /** The platform's key to which parts of the body are encrypted; undefined if none is named. */
  readonly serial: string | undefined;
  /** The simulator's address as the merchant reaches it, without a trailing slash. */
  readonly origin: string;
  /** The address that it came from, in the form that the ledger stores for notifications. */
  readonly from: string | undefined;
}

/** A call whose form is verified. `view` returns the JSON of the answer, or the bytes of a file; undefined: 204, no body. */
export interface PreparedCall<Value> extends Pick<PaymentCall, "outTradeNo" | "transactionId" | "outRefundNo"> {
  perform(hints: CallHints): Promise<Value>;
  view(value: Value): unknown;
}

export interface RouteV3 {
  readonly name: PaymentCall["name"];
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** A POST that is also accepted without a body and its Content-Type. */
  readonly mayLackBody?: true;
  /** For an upload, a form with a file of at most this size. */
  readonly maxFileBytes?: number;
  /** @throws RefusalV3 */
  prepare(request: RequestV3): PreparedCall<unknown>;
}

/** @throws RefusalV3 if the merchant is not the one that signed (our choice of code) */
export function checkMerchant({ merchant }: RequestV3, mchId: string): void {
  if (mchId !== merchant.mchId)
    throw new RefusalV3(403, "NO_AUTH", `The mchid ${mchId} is not the merchant that signed the request.`);
}

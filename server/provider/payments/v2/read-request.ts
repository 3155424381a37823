/** Authenticates the caller: the checks that every version 2 call passes before its own fields are checked. */
import type { IncomingMessage } from "node:http";
import { signType, type SignType } from "../../../contract/provider/payment-terms.ts";
import { readPlainBytes } from "../../../http/formats/read-body.ts";
import { queryOf } from "../../../http/middleware.ts";
import { askerOf, keptAsker } from "../../../http/outgoing/asker.ts";
import { HttpError } from "../../../http/http-error.ts";
import { isSignedV2, type FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { readXmlV2, XmlFormatError } from "../../../payment-wire/xml-v2.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";
import { subMerchantInV2, type SubMerchant } from "../partner/sub-merchant.ts";
import { commonRules, malformedField, missingField } from "./field-rules.ts";
import { sandboxKeyOf } from "./sandbox-key.ts";

/** The maximum length of a call in bytes (our choice). All fields at full length, in Chinese, are shorter. */
const maxBodyBytes = 64 * 1024;

/** The caller, and how replies to it are signed. */
export interface Sender {
  readonly merchant: Merchant;
  readonly appId: string;
  readonly signType: SignType;
  /** The API key, or the sandbox key. */
  readonly key: string;
  readonly sandbox: boolean;
  /** Replies have no nonce. */
  readonly withoutNonce?: boolean;
  /** The sub-merchant that a service provider calls for. */
  readonly sub: SubMerchant | undefined;
}

/** A received message, from any sender. */
export interface MessageV2 {
  readonly fields: FieldsV2;
  /** As received. */
  readonly body: string;
  /** The address that it came from, in the form that the ledger stores for notifications. */
  readonly from: string | undefined;
}

export interface RequestV2 extends MessageV2 {
  readonly sender: Sender;
}

/** A call that is rejected for its sender or its form. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly refusal: PaymentRefusal;
  /** Known once the merchant is. */
  readonly sender: Sender | undefined;
  /** True if the platform answers with return_code, although its documentation lists an err_code. */
  readonly common: boolean;
  constructor(why: PaymentRefusal, { sender, common }: { sender?: Sender | undefined; common: boolean }) {
    super(why.message);
    this.refusal = why;
    this.sender = sender;
    this.common = common;
  }
}

const common = (why: PaymentRefusal, sender?: Sender) => new RefusedRequest(why, { sender, common: true });

/** @throws RefusedRequest REQUIRE_POST_METHOD, POST_DATA_EMPTY, XML_FORMAT_ERROR (too long), NOT_UTF8 */
async function readText(req: IncomingMessage): Promise<string> {
  if (req.method !== "POST") throw common(refusal("REQUIRE_POST_METHOD"));
  const bytes = await readPlainBytes(req, maxBodyBytes).catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    throw common(refusal("XML_FORMAT_ERROR", `XML格式错误：${error.message}`));
  });
  if (bytes.length === 0) throw common(refusal("POST_DATA_EMPTY"));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw common(refusal("NOT_UTF8"));
  }
}

function readFields(body: string): FieldsV2 {
  try {
    return readXmlV2(body);
  } catch (error) {
    if (!(error instanceof XmlFormatError)) throw error;
    throw common(refusal("XML_FORMAT_ERROR", `XML格式错误：${error.message}`));
  }
}

interface Options {
  /** For calls without an app id, or without a nonce. */
  readonly withoutApp?: boolean | undefined;
  readonly withoutNonce?: "request" | "always" | undefined;
  /** The type of a signature that names none. */
  readonly usualSignType?: SignType | undefined;
  readonly merchants: Pick<Merchants, "get" | "knowsApp">;
  readonly sandbox: boolean;
}

/** @throws RefusedRequest as above */
export async function readMessageV2(req: IncomingMessage): Promise<MessageV2> {
  const body = await readText(req);
  return { fields: readFields(body), body, from: keptAsker(askerOf(req)) };
}

/** Reads the fields of a GET. @throws RefusedRequest PARAM_ERROR */
export function readQueryV2(req: IncomingMessage): MessageV2 {
  if (req.method !== "GET") throw common(refusal("PARAM_ERROR", "请使用get方法"));
  const fields = Object.fromEntries(new URLSearchParams(queryOf(req)));
  return { fields, body: "", from: keptAsker(askerOf(req)) };
}

/** @throws RefusedRequest LACK_PARAMS, MCHID_NOT_EXIST, SIGNERROR, APPID_NOT_EXIST, APPID_MCHID_NOT_MATCH */
export async function authenticate(
  message: MessageV2,
  { merchants, sandbox, withoutApp, withoutNonce, usualSignType }: Options,
): Promise<RequestV2> {
  const { fields } = message;
  const isLeft = (name: string) => (withoutApp && name === "appid") || (withoutNonce && name === "nonce_str");
  const rules = withoutApp || withoutNonce ? commonRules.filter(({ name }) => !isLeft(name)) : commonRules;
  const missing = missingField(fields, rules);
  if (missing !== undefined) throw common(refusal("LACK_PARAMS", `缺少参数${missing}`));
  const merchant = await merchants.get(fields["mch_id"] ?? "");
  if (!merchant) throw common(refusal("MCHID_NOT_EXIST"));
  const known = senderOf(merchant, fields, sandbox, usualSignType);
  const sender = known && withoutNonce === "always" ? { ...known, withoutNonce: true } : known;
  if (!sender || malformedField(fields, rules) !== undefined || !isSignedV2(fields, sender.key, sender.signType))
    throw common(refusal("SIGNERROR"), sender);
  if (!withoutApp && !merchant.appIds.includes(sender.appId)) {
    const why = refusal((await merchants.knowsApp(sender.appId)) ? "APPID_MCHID_NOT_MATCH" : "APPID_NOT_EXIST");
    throw new RefusedRequest(why, { sender, common: false });
  }
  return { ...message, sender };
}

/** Undefined for an unknown signature type. */
function senderOf(merchant: Merchant, fields: FieldsV2, sandbox: boolean, usual: SignType = "MD5"): Sender | undefined {
  const type = signType.safeParse(fields["sign_type"] || usual);
  if (!type.success) return undefined;
  const key = sandbox ? sandboxKeyOf(merchant.apiV2Key) : merchant.apiV2Key;
  return { merchant, appId: fields["appid"] ?? "", signType: type.data, key, sandbox, sub: subMerchantInV2(fields) };
}

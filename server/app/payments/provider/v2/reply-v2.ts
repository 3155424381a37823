/** Reads a reply of version 2 through its layers: HTTP, return_code, signature, merchant, result_code. */
import { message } from "../../../../contract/messages/message.ts";
import type { SignType } from "../../../../contract/provider/payment-terms.ts";
import { isSignedV2, type FieldsV2 } from "../../../../payment-wire/sign-v2.ts";
import { XmlFormatError } from "../../../../payment-wire/xml-v2.ts";
import { done, refused, unanswered, unknown } from "../call-results.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import { leavesOpen } from "../error-codes.ts";
import type { CallResult, PlacedOrder } from "../provider-client.ts";
import type { HttpAnswer } from "../provider-connection.ts";
import { readFieldsV2 } from "./read-fields-v2.ts";

export interface MerchantV2 {
  readonly mchId: string;
  readonly appId: string;
  readonly apiKey: string;
  readonly signType: SignType;
}

/** The signature type of an order: the setting's, unless the order was placed with another. */
export const signTypeV2 = (ordered: PlacedOrder["signType"] | undefined, merchant: MerchantV2): SignType =>
  ordered === undefined || ordered === "RSA" || ordered === "RSA2" ? merchant.signType : ordered;

/** The fields of a successful call. A reply without a signature of the requested type is rejected. */
export function readReplyV2(answer: HttpAnswer, call: MerchantCall, merchant: MerchantV2): CallResult<FieldsV2> {
  if ("failed" in answer) return unanswered(answer);
  const http = { httpStatus: answer.status };
  if (answer.status !== 200) return unknown("http_status", message("reply.http", { status: answer.status }), http);
  const fields = fieldsOf(answer.body);
  if (fields === undefined) return unknown("malformed", message("reply.notXml"), http);

  const { return_code: returnCode, result_code: resultCode } = fields;
  const reply = { ...http, returnCode, resultCode };
  if (returnCode !== "SUCCESS")
    return unknown("return_code", fields["return_msg"] ?? message("reply.returnCode"), reply);
  if (!isSignedV2(fields, merchant.apiKey, merchant.signType))
    return unknown("bad_signature", message("reply.unsigned", { signType: merchant.signType }), reply);
  if (fields["mch_id"] !== merchant.mchId || fields["appid"] !== merchant.appId)
    return unknown("foreign", message("reply.foreign"), reply);
  if (resultCode === "SUCCESS") return done(fields, reply);
  const code = fields["err_code"];
  if (resultCode !== "FAIL" || code === undefined) return unknown("malformed", message("reply.resultCode"), reply);
  const description = fields["err_code_des"] ?? "";
  return leavesOpen(code, call) ? unknown("undecided", description, reply, code) : refused(code, description, reply);
}

function fieldsOf(body: Buffer): FieldsV2 | undefined {
  try {
    return readFieldsV2(body.toString("utf8"));
  } catch (error) {
    if (error instanceof XmlFormatError) return undefined;
    throw error;
  }
}

/** Writes replies of version 2, with the fields in the platform's order. */
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { signV2, type FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../../payment-wire/xml-v2.ts";
import type { WireReply } from "../calls/answer-call.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";
import { subMerchantFields } from "../partner/sub-merchant.ts";
import type { Sender } from "./read-request.ts";

const xmlReply = (fields: FieldsV2, type = "text/xml; charset=utf-8"): WireReply => ({
  status: 200,
  headers: { "Content-Type": type },
  body: writeXmlV2(fields),
});

function signedReply({ merchant, appId, key, signType, sub, withoutNonce }: Sender, fields: FieldsV2): WireReply {
  const message = {
    return_code: "SUCCESS",
    return_msg: "OK",
    appid: appId,
    mch_id: merchant.mchId,
    ...subMerchantFields(sub),
    ...(!withoutNonce && { nonce_str: newNonce() }),
    sign: "",
    ...fields,
  };
  return xmlReply({ ...message, sign: signV2(message, key, signType) });
}

export const successReply = (sender: Sender, fields: FieldsV2): WireReply =>
  signedReply(sender, { result_code: "SUCCESS", ...fields });

/** @param extra the call's additional fields of a failure */
export const failureReply = (sender: Sender, { code, message }: PaymentRefusal, extra: FieldsV2 = {}): WireReply =>
  signedReply(sender, { result_code: "FAIL", err_code: code, err_code_des: message.slice(0, 128), ...extra });

/** A failure of communication, which is unsigned. */
export const communicationFailure = (text: string, extra: FieldsV2 = {}): WireReply =>
  xmlReply({ return_code: "FAIL", return_msg: text.slice(0, 128), ...extra }, "text/plain; charset=utf-8");

/** An unsigned message that is no failure. */
export const plainReply = (fields: FieldsV2): WireReply =>
  xmlReply({ return_code: "SUCCESS", return_msg: "OK", ...fields });

/** A refusal for an unknown sender: there is no key to sign it with. */
export const unsignedFailure = ({ code, message }: PaymentRefusal): WireReply =>
  plainReply({ result_code: "FAIL", err_code: code, err_code_des: message.slice(0, 128) });

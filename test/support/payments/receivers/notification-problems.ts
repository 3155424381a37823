/** Checks a received notification as a careful receiver does, with node's own crypto, and names what is wrong with it. */
import { createDecipheriv, createHash } from "node:crypto";
import { isFromPlatform, platformKeysOf, type Credentials } from "../merchant-v3.ts";
import type { ReceivedNotification } from "../notification-receiver.ts";
import { fieldsOfXml, signatureV2, type Fields } from "../payment-signatures.ts";

/** In seconds. */
const maxSkew = 300;

function openedV3({ ciphertext = "", nonce = "", associated_data = "" }: Fields, key: string): string {
  const sealed = Buffer.from(ciphertext, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(associated_data));
  decipher.setAuthTag(sealed.subarray(-16));
  return decipher.update(sealed.subarray(0, -16)).toString() + decipher.final().toString();
}

function openedV2(reqInfo: string, key: string): Fields {
  const decipher = createDecipheriv("aes-256-ecb", createHash("md5").update(key).digest("hex"), null);
  const plain = decipher.update(reqInfo, "base64", "utf8") + decipher.final("utf8");
  return plain.startsWith("<root>") ? fieldsOfXml(plain) : {};
}

/** What comes of `read`, or undefined where it throws. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export interface Checked {
  /** In the order in which a receiver checks. */
  readonly problems: readonly string[];
  /** What it says: fields of version 2, the opened resource of version 3. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly said: any;
}

export function checkedV2({ body }: ReceivedNotification, { api_v2_key, app_id, mch_id }: Credentials): Checked {
  const fields = fieldsOfXml(body);
  const info =
    fields["req_info"] === undefined ? undefined : attempt(() => openedV2(fields["req_info"] ?? "", api_v2_key));
  const names = [...body.matchAll(/<(\w+)><!\[CDATA\[/g)].map(([, name]) => name);
  const isRefund = fields["result_code"] === undefined && fields["return_code"] === "SUCCESS";
  const problems = [
    !body.startsWith("<xml>") && "form",
    new Set(names).size < names.length && "field twice",
    body.length > 65_536 && "size",
    !isRefund && fields["sign"] !== signatureV2(fields, api_v2_key) && "sign",
    isRefund && info?.["out_refund_no"] === undefined && "req_info",
    fields["appid"] !== app_id && "appid",
    fields["mch_id"] !== mch_id && "mch_id",
  ];
  return { problems: problems.filter((one) => one !== false), said: { ...fields, ...info } };
}

/** @param known the platform's keys that the receiver has */
export function checkedV3(
  received: ReceivedNotification,
  credentials: Credentials,
  known = platformKeysOf(credentials),
): Checked {
  const { headers, body } = received;
  const header = (name: string) => headers[name] as string | undefined;
  const serial = header("wechatpay-serial") ?? "";
  const age = Math.abs(Date.now() / 1000 - Number(header("wechatpay-timestamp")));
  const message = attempt(() => JSON.parse(body) as { resource: Fields });
  const plain = message && attempt(() => openedV3(message.resource, credentials.api_v3_key));
  const said = plain === undefined ? undefined : (JSON.parse(plain) as Fields);
  const problems = [
    body.length > 65_536 && "size",
    header("wechatpay-timestamp") !== undefined && age > maxSkew && "timestamp",
    !known.has(serial) && "serial",
    !isFromPlatform(header, body, known.get(serial) ?? credentials.platform_certificate) && "signature",
    message === undefined && "form",
    message !== undefined && plain === undefined && "resource",
    said !== undefined && "appid" in said && said["appid"] !== credentials.app_id && "appid",
    said !== undefined && said["mchid"] !== credentials.mch_id && "mch_id",
  ];
  return { problems: problems.filter((one) => one !== false), said };
}

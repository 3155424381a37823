/** Checks the parameters with which a client app starts a payment, as the platform's own client does. */
import type { KeyObject } from "node:crypto";
import { isSignedV2, type FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { isSignedV3 } from "../../../payment-wire/signature-v3.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchant } from "../merchants/merchants.ts";

/** Invalid parameters. The message is for the developer of the client or its server. */
export class BadParameters extends Error {
  override readonly name = "BadParameters";
}

interface Deps {
  readonly ledger: Pick<Ledger, "byPrepayId">;
  readonly merchant: (mchId: string) => Promise<Merchant | undefined>;
  /** The merchant's public keys, any of which may have signed. */
  readonly publicKeys: (mchId: string) => Promise<readonly KeyObject[]>;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** @throws BadParameters */
export type ReadParameters = (parameters: FieldsV2) => Promise<Order>;

/** The names of a product's parameters, and which of them are signed. */
interface Form {
  readonly product: "JSAPI" | "APP";
  readonly needed: readonly string[];
  readonly sign: string;
  readonly prepayId: (parameters: FieldsV2) => string | undefined;
  /** The fields that version 2 signs. */
  readonly fieldsV2: (parameters: FieldsV2, order: Order) => FieldsV2;
  /** The lines that version 3 signs. */
  readonly linesV3: (parameters: FieldsV2, order: Order) => readonly (string | undefined)[];
}

const picked = (parameters: FieldsV2, names: readonly string[]): FieldsV2 =>
  Object.fromEntries(names.map((name) => [name, parameters[name] ?? ""]));

const miniProgram: Form = {
  product: "JSAPI",
  needed: ["timeStamp", "nonceStr", "package", "signType", "paySign"],
  sign: "paySign",
  prepayId: (parameters) => /^prepay_id=(.+)$/.exec(parameters["package"] ?? "")?.[1],
  // The app's id is signed although a mini-program does not pass it: the platform knows it.
  fieldsV2: (parameters, { appId }) => ({
    appId,
    ...picked(parameters, ["nonceStr", "package", "signType", "timeStamp"]),
  }),
  linesV3: (parameters, { appId }) => [appId, parameters["timeStamp"], parameters["nonceStr"], parameters["package"]],
};

const app: Form = {
  product: "APP",
  needed: ["appid", "partnerid", "prepayid", "package", "noncestr", "timestamp", "sign"],
  sign: "sign",
  prepayId: (parameters) => parameters["prepayid"],
  fieldsV2: (parameters) => picked(parameters, ["appid", "noncestr", "package", "partnerid", "prepayid", "timestamp"]),
  linesV3: (parameters) => [
    parameters["appid"],
    parameters["timestamp"],
    parameters["noncestr"],
    parameters["prepayid"],
  ],
};

export function createReadParameters({ ledger, merchant, publicKeys, now }: Deps): ReadParameters {
  async function orderOf(form: Form, parameters: FieldsV2): Promise<Order> {
    const prepayId = form.prepayId(parameters);
    if (prepayId === undefined) throw new BadParameters('package: must be "prepay_id=" and the prepay id');
    const order = await ledger.byPrepayId(prepayId);
    if (!order || order.prepayExpiresAt <= now())
      throw new BadParameters(`the prepay id ${prepayId} is unknown or older than two hours: place the order again`);
    if (order.tradeType !== form.product)
      throw new BadParameters(
        `the order was placed as ${order.tradeType}, but these are parameters of ${form.product}`,
      );
    return order;
  }

  async function checkV2(form: Form, parameters: FieldsV2, order: Order): Promise<void> {
    const signed = form.fieldsV2(parameters, order);
    const { apiV2Key } = (await merchant(order.mchId)) ?? { apiV2Key: "" };
    if (form === miniProgram && parameters["signType"] !== order.signType)
      throw new BadParameters(`signType: must be ${order.signType}, as in the order`);
    if (isSignedV2({ ...signed, sign: parameters[form.sign] ?? "" }, apiV2Key, order.signType)) return;
    const text = Object.entries(signed).map((pair) => pair.join("="));
    throw badSign(form, `${order.signType} of ${text.toSorted().join("&")}&key=(API v2 key)`);
  }

  async function checkV3(form: Form, parameters: FieldsV2, order: Order): Promise<void> {
    if (form === miniProgram && parameters["signType"] !== "RSA")
      throw new BadParameters("signType: must be RSA, because the order was placed by version 3");
    const message = form
      .linesV3(parameters, order)
      .map((line) => `${line ?? ""}\n`)
      .join("");
    const keys = await publicKeys(order.mchId);
    if (keys.some((key) => isSignedV3(message, parameters[form.sign] ?? "", key))) return;
    throw badSign(form, `RSA-SHA256 with the merchant's key of ${JSON.stringify(message)}`);
  }

  return async (parameters) => {
    const form = "prepayid" in parameters || "partnerid" in parameters ? app : miniProgram;
    const missing = form.needed.find((name) => !parameters[name]);
    if (missing !== undefined) throw new BadParameters(`${missing}: missing`);
    const order = await orderOf(form, parameters);
    const appId = parameters["appId"] ?? parameters["appid"] ?? order.appId;
    if (appId !== order.appId) throw new BadParameters(`the order belongs to the app ${order.appId}, not ${appId}`);
    if (form === app && parameters["partnerid"] !== order.mchId)
      throw new BadParameters(`partnerid: the order belongs to the merchant ${order.mchId}`);
    if (form === app && parameters["package"] !== "Sign=WXPay") throw new BadParameters("package: must be Sign=WXPay");
    await (order.version === "v2" ? checkV2 : checkV3)(form, parameters, order);
    return order;
  };
}

const badSign = ({ sign }: Form, expected: string) =>
  new BadParameters(`${sign}: does not match the other parameters; it should be ${expected}`);

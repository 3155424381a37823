/** The bodies of the calls about shipping, with the platform's rules and errcodes. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";

/** Makes the platform's refusal with an errcode. */
export type RefusePlatform = (errcode: ShippingErrcode) => Error;

export type ShippingErrcode =
  | 40013
  | 40097
  | 47001
  | 10060001
  | 10060002
  | 10060003
  | 10060004
  | 10060005
  | 10060006
  | 10060007
  | 10060008
  | 10060009
  | 10060011
  | 10060014
  | 10060023
  | 10060024
  | 10060025
  | 10060026
  | 10060028
  | 10060029
  | 10060030
  | 10060031
  | 10060032
  | 268485194
  | 268485195
  | 268485196
  | 268485197
  | 268485216
  | 268485224
  | 268485226
  | 268485227
  | 268485228
  | 268546000
  | 268546001
  | 268546002;

const text = z.string().default("");
const number = z.number().default(0);

const orderKey = z
  .looseObject({ order_number_type: number, transaction_id: text, mchid: text, out_trade_no: text })
  .prefault({});
const onePackage = z.looseObject({
  tracking_no: text,
  express_company: text,
  item_desc: text,
  contact: z.looseObject({ consignor_contact: text, receiver_contact: text }).optional(),
});
const parcel = {
  order_key: orderKey,
  logistics_type: number,
  delivery_mode: number,
  is_all_delivered: z.boolean().optional(),
  shipping_list: list(onePackage).default([]),
};
const sender = { upload_time: text, payer: z.looseObject({ openid: text }).prefault({}) };
const parcelBody = z.looseObject(parcel);
export const uploadBody = z.looseObject({ ...parcel, ...sender });
export const combinedBody = z.looseObject({ order_key: orderKey, sub_orders: list(parcelBody).default([]), ...sender });
/** An order by the platform's number, or by the merchant and its number. */
const byNumber = { transaction_id: text, merchant_id: text, sub_merchant_id: text, merchant_trade_no: text };
export const orderBody = z.looseObject(byNumber);
export const remindBody = z.looseObject({ ...byNumber, received_time: number });
export const shipmentFilter = z.looseObject({
  pay_time_range: z
    .looseObject({ begin_time: z.number().default(0), end_time: z.number().default(2 ** 32 - 1) })
    .prefault({}),
  order_state: z.number().optional(),
  openid: z.string().optional(),
  last_index: text,
  page_size: z.int().min(1).default(100),
});
export const appBody = z.looseObject({ appid: text });
export const pathBody = z.looseObject({ path: z.string().max(1_024) });
export const specialBody = z.looseObject({ order_id: text, type: number, delay_to: number });

export type Parcel = z.output<typeof parcelBody>;
export type Package = z.output<typeof onePackage>;
export type OrderNumbers = z.output<typeof orderBody>;
export type ShipmentFilter = z.output<typeof shipmentFilter>;

const maxPackages = 15;
const maxDescription = 120;
const maxBytes = 128;

/** The first rule that is broken; undefined: none. */
export function parcelProblem({ order_key, ...parcel }: Parcel): ShippingErrcode | undefined {
  const { logistics_type, delivery_mode, is_all_delivered, shipping_list } = parcel;
  const problem = keyProblem(order_key);
  if (problem !== undefined) return problem;
  if (![1, 2, 3, 4].includes(logistics_type)) return 10060005;
  if (![1, 2].includes(delivery_mode)) return 268485224;
  if (delivery_mode === 2 && logistics_type !== 1) return 10060006;
  if (delivery_mode === 2 && is_all_delivered === undefined) return 10060007;
  if (delivery_mode === 1 && shipping_list.length !== 1) return 268485228;
  if (shipping_list.length === 0) return 10060014;
  if (shipping_list.length > maxPackages) return 10060024;
  for (const one of shipping_list) {
    const wrong = packageProblem(one, logistics_type === 1);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function keyProblem({ order_number_type, transaction_id, mchid, out_trade_no }: Parcel["order_key"]) {
  if (order_number_type === 2) return transaction_id === "" ? 268485195 : undefined;
  if (order_number_type !== 1) return 268485194;
  if (mchid === "") return 268485196;
  return out_trade_no === "" ? 268485197 : undefined;
}

function packageProblem({ tracking_no, express_company, item_desc, contact }: Package, isExpress: boolean) {
  if (item_desc === "") return 10060008;
  if (item_desc.length > maxDescription) return 10060009;
  if (isExpress && tracking_no === "") return 268485226;
  if (isExpress && express_company === "") return 268485227;
  if (Buffer.byteLength(tracking_no) > maxBytes) return 10060026;
  if (Buffer.byteLength(express_company) > maxBytes) return 10060025;
  const hasContact = contact !== undefined && (contact.consignor_contact || contact.receiver_contact) !== "";
  return express_company === "SF" && !hasContact ? 10060014 : undefined;
}

/** Unix ms of a time of RFC 3339; undefined for another text. */
export function rfc3339(value: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** @param finished whether the list replaces the packages of an order that was shipped before */
export const packagesAfter = (before: readonly StoredPackage[], added: readonly StoredPackage[], finished: boolean) =>
  finished ? [...added] : [...before, ...added];

/** A package as it is stored and returned. */
export interface StoredPackage {
  readonly tracking_no: string;
  readonly express_company: string;
  readonly goods_desc: string;
  /** Unix seconds. */
  readonly upload_time: number;
  readonly contact?: { readonly consignor_contact?: string; readonly receiver_contact?: string };
}

export const toStored = ({ tracking_no, express_company, item_desc, contact }: Package, at: number): StoredPackage => ({
  tracking_no,
  express_company,
  goods_desc: item_desc,
  upload_time: Math.floor(at / 1000),
  ...(contact && {
    contact: { consignor_contact: contact.consignor_contact, receiver_contact: contact.receiver_contact },
  }),
});

/** All descriptions, joined and cut as the platform does. */
export function describePackages(packages: readonly StoredPackage[]): string {
  const joined = packages.map(({ goods_desc }) => goods_desc).join(";");
  return joined.length > maxDescription ? `${joined.slice(0, maxDescription)}...` : joined;
}

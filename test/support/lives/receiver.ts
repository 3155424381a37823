/** The merchant's receiver: it checks each notification against what the platform has stored at that time. */
import { createDecipheriv, createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { SimCredentials } from "../../../server/contract/provider/provider-keys.ts";
import type { NotificationReply } from "../../../server/provider/payments/notifier/post-notification.ts";
import type { ProviderTables } from "../../../server/provider/provider-tables.ts";
import { isFromPlatform } from "../payments/merchant-v3.ts";
import { fieldsOfXml, signatureV2, type Fields } from "../payments/payment-signatures.ts";
import type { Random } from "./random.ts";
import { noteActivity } from "./simulated-process.ts";

export interface Delivered {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the receiver knows of its life. */
interface Surroundings {
  readonly random: Random;
  readonly credentials: SimCredentials;
  /** The platform's tables as they are now. */
  readonly db: Kysely<ProviderTables>;
  note(line: string): void;
  violate(what: string): void;
}

/** Changes a notification on its way; undefined loses it. */
export type ChangeDelivery = (delivered: Delivered, db: Kysely<ProviderTables>) => Promise<Delivered | undefined>;

/** What a notification claims, in the words of both versions. */
interface Claim {
  readonly order: string;
  readonly transaction: string;
  readonly total: number;
  readonly refund?: { readonly number: string; readonly fen: number; readonly status: string };
}

const statuses: Record<string, string> = { CHANGE: "ABNORMAL", REFUNDCLOSE: "CLOSED" };

const acceptedReply = (isV3: boolean): NotificationReply => ({
  kind: "answered",
  status: 200,
  headers: {},
  body: isV3 ? "" : "<xml><return_code><![CDATA[SUCCESS]]></return_code></xml>",
});

function openRefund(info: string, apiV2Key: string): Fields {
  const key = createHash("md5").update(apiV2Key).digest("hex");
  const decipher = createDecipheriv("aes-256-ecb", key, null);
  const xml = Buffer.concat([decipher.update(info, "base64"), decipher.final()]).toString();
  const inner = xml.replace(/^<root>|<\/root>$/g, "");
  return Object.fromEntries(
    [...inner.matchAll(/<(\w+)>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?<\/\1>/gs)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

export class LifeReceiver {
  readonly #world: Surroundings;
  /** Numbers of orders whose payment was notified and accepted. */
  readonly told = new Set<string>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** The network loses some messages and some replies. */
  async take(sent: Delivered, change: ChangeDelivery | undefined): Promise<NotificationReply> {
    noteActivity();
    const { random, db } = this.#world;
    const fate = random.below(10);
    const isV3 = sent.body.startsWith("{");
    const delivered = change ? await change(sent, db) : sent;
    if (!delivered) return acceptedReply(isV3); // a planted loss
    if (fate === 0) return this.#lost("lost");
    const claim = isV3 ? this.#readV3(delivered) : this.#readV2(delivered);
    if (!claim) this.#world.violate("a notification was not signed by the platform");
    else await this.#check(claim, db);
    if (fate === 1) return this.#lost("reply lost");
    if (claim && !claim.refund) this.told.add(claim.order);
    return acceptedReply(isV3);
  }

  #lost(how: string): NotificationReply {
    this.#world.note(`notification: ${how}`);
    return { kind: "late" };
  }

  #readV3({ headers, body }: Delivered): Claim | undefined {
    const { platform_certificate, api_v3_key } = this.#world.credentials;
    const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (!isFromPlatform((name) => lower.get(name), body, platform_certificate)) return undefined;
    const { resource } = JSON.parse(body) as {
      resource: { ciphertext: string; nonce: string; associated_data: string };
    };
    const sealed = Buffer.from(resource.ciphertext, "base64");
    const decipher = createDecipheriv("aes-256-gcm", api_v3_key, resource.nonce)
      .setAAD(Buffer.from(resource.associated_data))
      .setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
    const content = JSON.parse(text) as {
      out_trade_no: string;
      transaction_id: string;
      amount: { total: number; refund: number };
      out_refund_no?: string;
      refund_status?: string;
    };
    const { out_trade_no: order, transaction_id: transaction, amount, out_refund_no: number } = content;
    const refund =
      number === undefined ? {} : { refund: { number, fen: amount.refund, status: content.refund_status ?? "" } };
    return { order, transaction, total: amount.total, ...refund };
  }

  #readV2({ body }: Delivered): Claim | undefined {
    const fields = fieldsOfXml(body);
    const { api_v2_key } = this.#world.credentials;
    const info = fields["req_info"];
    if (info === undefined) {
      if (fields["sign"] !== signatureV2(fields, api_v2_key, "MD5")) return undefined;
      const { out_trade_no: order = "", transaction_id: transaction = "", total_fee } = fields;
      return { order, transaction, total: Number(total_fee) };
    }
    const opened = openRefund(info, api_v2_key);
    const { out_trade_no: order = "", transaction_id: transaction = "", total_fee, out_refund_no = "" } = opened;
    const status = opened["refund_status"] ?? "";
    const refund = { number: out_refund_no, fen: Number(opened["refund_fee"]), status: statuses[status] ?? status };
    return { order, transaction, total: Number(total_fee), refund };
  }

  async #check({ order, transaction, total, refund }: Claim, db: Kysely<ProviderTables>): Promise<void> {
    const row = await db.selectFrom("pay_orders").selectAll().where("out_trade_no", "=", order).executeTakeFirst();
    const isTrue = row?.paid_at !== null && row?.transaction_id === transaction && row.total === total;
    this.#world.note(`notification: ${order} ${refund ? `refund ${refund.number} ${refund.status}` : "paid"}`);
    if (!isTrue) this.#world.violate(`a notification of ${order} was not true`);
    if (!refund) return;
    const stored = await db
      .selectFrom("pay_refunds")
      .select(["refund", "status"])
      .where("out_refund_no", "=", refund.number)
      .executeTakeFirst();
    if (stored?.refund !== refund.fen || stored.status !== refund.status)
      this.#world.violate(`a notification of refund ${refund.number} was not true`);
  }
}

/** The merchant's receiver: it checks each notification against what the platform has stored at that time. */
import { createDecipheriv, createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { SimAlipayCredentials, SimCredentials } from "../../../server/contract/provider/provider-keys.ts";
import type { NotificationReply } from "../../../server/provider/payments/notifier/post-notification.ts";
import type { ProviderTables } from "../../../server/provider/provider-tables.ts";
import { isFromPlatform } from "../payments/merchant-v3.ts";
import { fieldsOfXml, signatureV2, type Fields } from "../payments/payment-signatures.ts";
import type { Random } from "./random.ts";
import { readTradeNotice } from "./alipay-notices.ts";
import { shop } from "./life-accounts.ts";
import { checkNotice, type OpenedNotice } from "./product-notices.ts";
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
  readonly alipay: SimAlipayCredentials;
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
  /** False for the end of an unpaid order. */
  readonly isPaid?: boolean;
  readonly refund?: { readonly number: string; readonly fen?: number; readonly status: string };
}

const statuses: Record<string, string> = { CHANGE: "ABNORMAL", REFUNDCLOSE: "CLOSED" };

/** What accepts a notification, by the first character of its body. */
const accepting: Readonly<Record<string, string>> = {
  "{": "",
  "<": "<xml><return_code><![CDATA[SUCCESS]]></return_code></xml>",
};

const acceptedReply = ({ body }: Delivered): NotificationReply => ({
  ...{ kind: "answered", status: 200, headers: {} },
  body: accepting[body.charAt(0)] ?? "success",
});

function claimOf(content: Readonly<Record<string, unknown>>): Claim {
  const { out_trade_no, transaction_id, amount, out_refund_no, refund_status } = content as {
    out_trade_no: string;
    transaction_id: string;
    amount: { total: number; refund: number };
    out_refund_no?: string;
    refund_status?: string;
  };
  const claim = { order: out_trade_no, transaction: transaction_id, total: amount.total };
  if (out_refund_no === undefined) return claim;
  return { ...claim, refund: { number: out_refund_no, fen: amount.refund, status: refund_status ?? "" } };
}

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
  /** Numbers of orders whose payment was notified and accepted, and names of what else was. */
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
    if (!delivered) return acceptedReply(sent); // a planted loss
    if (fate === 0) return this.#lost("lost");
    const told = await this.#read(delivered, isV3, db);
    if (fate === 1) return this.#lost("reply lost");
    if (told !== undefined) this.told.add(told);
    return acceptedReply(sent);
  }

  /** Checks a notification. @returns the name of what it is about; undefined for a refund, and for a false one */
  async #read(delivered: Delivered, isV3: boolean, db: Kysely<ProviderTables>): Promise<string | undefined> {
    const opened = isV3 ? this.#openV3(delivered) : undefined;
    const notice = opened && (await checkNotice(this.#world, opened, db));
    if (notice !== undefined) return notice;
    const claim = opened ? claimOf(opened.content) : isV3 ? undefined : this.#readOther(delivered);
    if (!claim) {
      this.#world.violate("a notification was not signed by the platform");
      return undefined;
    }
    await this.#check(claim, db);
    return claim.refund || claim.isPaid === false ? undefined : claim.order;
  }

  #lost(how: string): NotificationReply {
    this.#world.note(`notification: ${how}`);
    return { kind: "late" };
  }

  #openV3({ headers, body }: Delivered): OpenedNotice | undefined {
    const { platform_certificate, api_v3_key } = this.#world.credentials;
    const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (!isFromPlatform((name) => lower.get(name), body, platform_certificate)) return undefined;
    const { event_type: event, resource } = JSON.parse(body) as {
      event_type: string;
      resource: { ciphertext: string; nonce: string; associated_data: string };
    };
    const key = event.startsWith("PROFITSHARING.") ? shop.apiV3Key : api_v3_key;
    const sealed = Buffer.from(resource.ciphertext, "base64");
    const decipher = createDecipheriv("aes-256-gcm", key, resource.nonce)
      .setAAD(Buffer.from(resource.associated_data))
      .setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
    return { event, content: JSON.parse(text) as Record<string, unknown> };
  }

  #readOther(delivered: Delivered): Claim | undefined {
    if (delivered.body.startsWith("<")) return this.#readV2(delivered);
    return readTradeNotice(delivered.body, this.#world.alipay);
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

  async #check({ order, transaction, total, refund, isPaid = true }: Claim, db: Kysely<ProviderTables>): Promise<void> {
    const row = await db.selectFrom("pay_orders").selectAll().where("out_trade_no", "=", order).executeTakeFirst();
    const isTrue = (row?.paid_at !== null) === isPaid && row?.transaction_id === transaction && row.total === total;
    this.#world.note(
      `notification: ${order} ${refund ? `refund ${refund.number} ${refund.status}` : isPaid ? "paid" : "closed"}`,
    );
    if (!isTrue) this.#world.violate(`a notification of ${order} was not true`);
    if (!refund) return;
    const stored = await db
      .selectFrom("pay_refunds")
      .select(["refund", "status"])
      .where("out_refund_no", "=", refund.number)
      .executeTakeFirst();
    if (stored?.refund !== (refund.fen ?? stored?.refund) || stored?.status !== refund.status)
      this.#world.violate(`a notification of refund ${refund.number} was not true`);
  }
}

/** Notifications of the products beside payments. Their content is whole when they are made; no order decides it later. */
import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { NotifiedThing, SignType } from "../../../contract/provider/payment-terms.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { currentTraceparent } from "../../../trace/span.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import type { NotificationRow, NotifierTables } from "./notification-tables.ts";
import type { NewNotification } from "./notification-writes.ts";

interface NoticeAddress {
  /** The merchant that is notified. */
  readonly mchId: string;
  /** The merchant's number and the platform's of what has ended. */
  readonly number: string;
  readonly id: string;
  readonly url: string;
  /** Who named the URL, as the ledger stores it. */
  readonly from: string | null;
}

/** What a notification of version 3 says. */
export interface NoticeContent {
  readonly about: NotifiedThing;
  readonly event: string;
  readonly summary: string;
  /** The platform's word for the encrypted content. */
  readonly originalType: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface ProductNotice extends NoticeAddress, NoticeContent {
  readonly about: Exclude<NotifiedThing, "payment" | "refund">;
}

/** A notification of version 2, of the only product that has them. */
export interface ContractNoticeV2 extends NoticeAddress {
  readonly about: "contract";
  readonly signType: SignType;
  readonly fields: FieldsV2;
}

export type MerchantNotice = ProductNotice | ContractNoticeV2;

/** Stores notifications in the transactions of what they are about, so that a crash loses none. */
export interface NoticeOutbox {
  add(trx: Transaction<NotifierTables>, notice: MerchantNotice): Promise<void>;
  /** Sends what was stored. Call it after the commit. */
  wake(): void;
}

export const isProductNotice = ({ about }: Pick<NotificationRow, "about">): boolean =>
  about !== "payment" && about !== "refund";

function contentOf(notice: MerchantNotice, at: number): NotificationContent {
  if ("fields" in notice) return { version: "v2", about: notice.about, fields: notice.fields };
  return contentOfNotice(notice, at);
}

/** @param at Unix ms */
export function contentOfNotice(notice: NoticeContent, at: number): NotificationContent {
  const { about, resource, originalType, event, summary } = notice;
  const envelope = { id: randomUUID(), create_time: offsetTime(at), resource_type: "encrypt-resource" };
  return {
    ...{ version: "v3", about, resource, originalType, associatedData: originalType },
    envelope: { ...envelope, event_type: event, summary },
  };
}

/** @param at Unix ms */
export function noticeRow(notice: MerchantNotice, at: number): NewNotification {
  const { about, mchId, number, id, url, from } = notice;
  const content = contentOf(notice, at);
  const sign_type = "fields" in notice ? notice.signType : "MD5";
  return {
    ...{ about, mch_id: mchId, out_trade_no: number, refund_id: id, version: content.version, sign_type },
    ...{ url, notify_from: from, content: JSON.stringify(content), state: "pending", attempts: 0 },
    ...{ created_at: at, base_at: at, due_at: at, caused_by: currentTraceparent() ?? null },
  };
}

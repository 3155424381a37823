/** Notifications of the products beside payments. Their content is whole when they are made; no order decides it later. */
import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { NotifiedThing } from "../../../contract/provider/payment-terms.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { currentTraceparent } from "../../../trace/span.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import type { NotificationRow, NotifierTables } from "./notification-tables.ts";
import type { NewNotification } from "./notification-writes.ts";

export interface ProductNotice {
  readonly about: Exclude<NotifiedThing, "payment" | "refund">;
  /** The merchant that is notified. */
  readonly mchId: string;
  /** The merchant's number and the platform's of what has ended. */
  readonly number: string;
  readonly id: string;
  readonly url: string;
  /** Who named the URL, as the ledger stores it. */
  readonly from: string | null;
  readonly event: string;
  readonly summary: string;
  /** The platform's word for the encrypted content. */
  readonly originalType: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Stores notifications in the transactions of what they are about, so that a crash loses none. */
export interface NoticeOutbox {
  add(trx: Transaction<NotifierTables>, notice: ProductNotice): Promise<void>;
  /** Sends what was stored. Call it after the commit. */
  wake(): void;
}

export const isProductNotice = ({ about }: Pick<NotificationRow, "about">): boolean =>
  about !== "payment" && about !== "refund";

/** @param at Unix ms */
export function noticeRow(notice: ProductNotice, at: number): NewNotification {
  const { about, mchId, number, id, url, from, event, summary, originalType, resource } = notice;
  const envelope = { id: randomUUID(), create_time: offsetTime(at), resource_type: "encrypt-resource" };
  const content: NotificationContent = {
    ...{ version: "v3", about, resource, originalType, associatedData: originalType },
    envelope: { ...envelope, event_type: event, summary },
  };
  return {
    ...{ about, mch_id: mchId, out_trade_no: number, refund_id: id, version: "v3", sign_type: "MD5" },
    ...{ url, notify_from: from, content: JSON.stringify(content), state: "pending", attempts: 0 },
    ...{ created_at: at, base_at: at, due_at: at, caused_by: currentTraceparent() ?? null },
  };
}

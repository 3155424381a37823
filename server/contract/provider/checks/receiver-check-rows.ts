/** All rows of checks: those of a receiver alone, and those of a whole integration. */
import { z } from "zod";
import type { PayWire } from "../payment-terms.ts";
import { integrationRows, placingRows, type IntegrationRowText } from "./integration-rows.ts";
import { receiverRows } from "./receiver-rows.ts";

/** In the order of execution. */
export const checkRows = { ...placingRows, ...receiverRows, ...integrationRows };

export type ReceiverCheckRow = keyof typeof checkRows;
const ids = Object.keys(checkRows) as [ReceiverCheckRow, ...ReceiverCheckRow[]];
/** A row's id. */
export const receiverCheckRow = z.enum(ids);
export const rowText = (row: ReceiverCheckRow): IntegrationRowText => checkRows[row];
/** Whether the row is about the receiver of notifications alone. */
export const isOfReceiver = (row: ReceiverCheckRow): row is keyof typeof receiverRows => row in receiverRows;

/** A verified notification of Alipay may be believed without a query, and names no currency. */
const rowsOfAlipay: ReadonlySet<ReceiverCheckRow> = new Set([
  ...(["genuine", "answer-form", "forged-wrong-key", "forged-changed-field", "forged-missing"] as const),
  ...(["duplicate-serial", "duplicate-concurrent", "late-copy", "lost", "delayed"] as const),
  ...(["amount-more", "amount-less", "foreign-merchant", "foreign-app", "foreign-order"] as const),
  ...(["malformed-huge", "malformed-twice", "unknown-fields", "in-time"] as const),
  ...(["answers", "place-amount", "unpaid", "secrets"] as const),
]);

/** Whether the row is tried on orders of an API. */
export const isRowFor = (row: ReceiverCheckRow, wire: PayWire): boolean =>
  wire === "alipay" ? rowsOfAlipay.has(row) : (rowText(row).version ?? wire) === wire;

/** All rows of checks: those of a receiver alone, and those of a whole integration. */
import { z } from "zod";
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

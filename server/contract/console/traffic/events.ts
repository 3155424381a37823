/** Events, as stored in the event log, sent over SSE and shown in the console. Names are CloudEvents types. */
import { z } from "zod";
import { statePartSchema } from "../control/control.ts";
import { anyItemId } from "../../app/item-ids.ts";
import { fileEventSchema } from "../../app/file-events.ts";
import {
  failedPaymentSchema,
  platformOrderNo,
  refundStatus,
  tradeState,
  tradeType,
} from "../../provider/payment-terms.ts";
import { lanDeviceSchema } from "../machine/lan-access-endpoints.ts";
import { serviceStatusSchema } from "../../process/services.ts";
import { damageSchema } from "../../process/damage.ts";
import { lossReasonSchema, uploadCheckSchema } from "../data/stored-uploads.ts";
import { watchStateSchema } from "../data/watched-folders.ts";
import { ignoredFormatsSchema } from "../data/schema-endpoints.ts";
import { uploadSchema } from "../../app/uploads.ts";

const name = z.string().optional().describe("Name of the user, order or item. Absent if unknown.");
const session = z.object({ session_id: z.number().int(), user_id: z.number().int(), name });
const resource = z.object({ collection: z.string(), id: anyItemId, name });
const upload = uploadSchema.pick({ id: true, file_name: true });
const userFile = z.object({ file: z.string().describe("Full path of the user's file.") });
const fileFault = userFile.extend({
  line: z.number().int().describe("Line of the mistake, from 1."),
  column: z.number().int(),
  message: z.string(),
  in_service: z.boolean().describe("Whether the file or an earlier version is still served."),
});
const order = z.object({
  order_id: z.number().int(),
  out_trade_no: z.string(),
  amount: failedPaymentSchema.shape.amount,
  name,
});
const modelActivity = z.object({ model: z.string(), detail: z.string().optional() });

/** Payload per event type, without secrets (spec: Status package 2). */
export const eventSchemas = {
  "session.created": session,
  "session.ended": session,
  "session.changed": session.extend({
    expires_in: z.number().int().describe("Seconds until the session expires. 0: expired."),
  }),
  "user.updated": z.object({ user_id: z.number().int(), field: z.enum(["userinfo", "phone", "unionid"]), name }),
  "resource.created": resource,
  "resource.updated": resource,
  "resource.deleted": resource,
  "request.unknown_name": z.object({
    method: z.string(),
    path: z.string().describe("Path of the operation, as in the API description."),
    where: z.enum(["query", "body"]),
    name: z.string().describe("Unknown name, usually a spelling mistake. *** replaces text that is not a name."),
  }),
  "upload.stored": uploadSchema,
  "upload.rejected": z.object({ file_name: z.string(), reason: z.string() }),
  "upload.lost": upload.extend({ reason: lossReasonSchema }),
  "upload.recovered": upload,
  "uploads.checked": uploadCheckSchema,
  "file.changed": fileEventSchema,
  "watch.changed": z.object({
    id: z.number().int(),
    path: z.string().describe("The watched folder."),
    state: z.enum([...watchStateSchema.options, "ended"]),
    reason: z.string().optional().describe("Reason of the failure."),
  }),
  "service.changed": serviceStatusSchema,
  "database.damaged": damageSchema,
  "device.waiting": lanDeviceSchema,
  "device.admitted": lanDeviceSchema,
  "device.removed": lanDeviceSchema,
  "lan.changed": z.object({
    enabled: z.boolean(),
    urls: z.array(z.string()).describe("Base URLs of Hearth for devices on the local network."),
    problems: z.array(z.string()).describe("Reasons why other services have no address."),
  }),
  "collection.loaded": userFile.extend({
    name: z.string(),
    added: z.number().int().describe("Number of items inserted into the empty collection."),
    ignored_formats: ignoredFormatsSchema,
  }),
  "collection.removed": userFile.extend({ name: z.string() }),
  "collection.failed": fileFault,
  "routes.loaded": userFile.extend({ routes: z.number().int() }),
  "routes.removed": userFile,
  "routes.failed": fileFault,
  "data.imported": z.object({
    mode: z.enum(["replace", "merge"]),
    collections: z.number().int(),
    records: z.number().int(),
  }),
  "state.reset": z.object({ parts: z.array(statePartSchema) }),
  "fixture.loaded": z.object({ name: z.string(), parts: z.array(statePartSchema) }),
  "order.placed": order.extend({ trade_type: tradeType }),
  "order.not_placed": order.extend({
    placement: z.enum(["refused", "unknown"]).describe("`unknown`: the provider may have it."),
    code: z.string().optional().describe("The provider's code."),
  }),
  "order.closed": order.extend({ trade_state: tradeState }),
  "payment.settled": order.extend({ transaction_id: z.string() }),
  "payment.refused": z.object({
    order_id: z.number().int().optional(),
    out_trade_no: z.string().optional(),
    name,
    reason: z
      .string()
      .describe("Reason in one word, as in the header Hearth-Refusal: bad_signature, amount_mismatch …"),
    text: z.string().describe("Explanation in one sentence."),
  }),
  "payment.failed": failedPaymentSchema,
  "receiver.checked": z.object({
    check: z.number().int().describe("Id of the check. 0: it was refused at its start."),
    orders: z.array(platformOrderNo).describe("Numbers of the orders that the check placed. They are removed."),
    person: z.string().optional().describe("The simulated person who was logged in for it, removed with its user."),
  }),
  "payment.ignored": z.object({ reason: z.string(), text: z.string() }),
  "refund.changed": order.extend({ out_refund_no: z.string(), status: refundStatus }),
  "provider.not_simulated": z.object({
    method: z.string(),
    path: z.string().describe("Path of the operation in the platform's documentation."),
    product: z.string().describe("Platform product of the operation."),
  }),
  "model.pulled": modelActivity,
  "model.loaded": modelActivity,
  "model.unloaded": modelActivity,
} as const;

export type HearthEvents = { [Name in keyof typeof eventSchemas]: z.infer<(typeof eventSchemas)[Name]> };
export type EventName = keyof HearthEvents;
export const eventNames = Object.keys(eventSchemas) as EventName[];

/** A message within the server: an event's payload and subject. */
export interface BusMessage<Name extends EventName = EventName> {
  readonly type: Name;
  readonly source: string;
  readonly subject?: string;
  readonly data: HearthEvents[Name];
}
